package import NodeCore

/// The secret of a token's last link: 16 random bytes, from which its signing key is derived.
package struct TokenSecret: Sendable {
    package static let byteCount = 16
    package let bytes: Secret

    /// - Parameter bytes: exactly 16.
    package init?(bytes: Secret) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package init(random: inout some RandomSource) {
        bytes = Secret(random: &random, count: Self.byteCount)
    }

    package var key: Ed25519.KeyPair {
        let seed = bytes.withUnsafeBytes { Blake2b.hash32($0, domain: "kachat token key") }
        return Ed25519.KeyPair(seed: seed.withUnsafeBytes { Secret(copying: $0) })
    }
}
