import CSodium

/// Diffie-Hellman over Curve25519 (RFC 7748).
package enum X25519 {
    package static let secretBytes = 32

    /// A secret scalar and its public half.
    package struct KeyPair: Sendable {
        package let publicKey: Bytes32
        package let secret: Secret

        /// Any 32 bytes are valid; a caller that reads them from outside checks their size first.
        package init(secret: Secret) {
            precondition(secret.count == X25519.secretBytes, "invariant: an X25519 secret has 32 bytes")
            Sodium.start()
            self.secret = secret
            publicKey = Bytes32(writtenBy: { output in
                withExtendedLifetime(secret) { crypto_scalarmult_curve25519_base(output, secret.start) }
            })
        }

        /// The 32 bytes shared with the holder of `other`'s secret.
        ///
        /// A key of small order, which makes the result zero whatever our secret is, is refused as `weakKey`.
        package func agree(with other: Bytes32) throws(CryptoError) -> Secret {
            var failed: Int32 = 0
            let shared = Secret(count: 32) { output in
                failed = other.withUnsafeBytes { other in
                    withExtendedLifetime(secret) {
                        crypto_scalarmult_curve25519(output.start, secret.start, other.start)
                    }
                }
            }
            guard failed == 0 else { throw .weakKey }
            return shared
        }
    }
}
