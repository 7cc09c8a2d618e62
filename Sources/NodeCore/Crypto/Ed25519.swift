import CSodium

/// Ed25519 signatures (RFC 8032), deterministic.
package enum Ed25519 {
    package static let seedBytes = 32
    package static let signatureBytes = 64

    /// True if `signature` is valid for `message` under the key. Small-order keys and malleable signatures are refused.
    package static func verify(signature: [UInt8], message: [UInt8], publicKey: Bytes32) -> Bool {
        signature.withUnsafeBytes { signature in
            message.withUnsafeBytes { verify(signature: signature, message: $0, publicKey: publicKey) }
        }
    }

    package static func verify(
        signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer, publicKey: Bytes32
    ) -> Bool {
        guard signature.count == signatureBytes else { return false }
        Sodium.start()
        return publicKey.withUnsafeBytes { key in
            crypto_sign_ed25519_verify_detached(
                signature.start, message.start, UInt64(message.count), key.start) == 0
        }
    }
}
