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

extension Ed25519 {
    /// A signing key and its public half.
    package struct KeyPair: Sendable {
        package let publicKey: Bytes32
        /// Seed ‖ public key, as libsodium keeps it.
        let secretKey: Secret

        /// Derives the key pair from a 32-byte `seed`. A caller that reads the seed from outside checks its size first.
        package init(seed: Secret) {
            precondition(seed.count == Ed25519.seedBytes, "invariant: an Ed25519 seed has 32 bytes")
            Sodium.start()
            var publicKey = Bytes32.zero
            secretKey = Secret(count: 64) { secret in
                publicKey = Bytes32(writtenBy: { output in
                    withExtendedLifetime(seed) {
                        crypto_sign_ed25519_seed_keypair(output, secret.start, seed.start)
                    }
                })
            }
            self.publicKey = publicKey
        }

        /// The 64-byte signature of `message`.
        package func sign(_ message: [UInt8]) -> [UInt8] {
            message.withUnsafeBytes { sign($0) }
        }

        package func sign(_ message: UnsafeRawBufferPointer) -> [UInt8] {
            Array(unsafeUninitializedCapacity: Ed25519.signatureBytes) { output, count in
                withExtendedLifetime(secretKey) {
                    _ = crypto_sign_ed25519_detached(
                        UnsafeMutableRawBufferPointer(output).start, nil,
                        message.start, UInt64(message.count), secretKey.start)
                }
                count = Ed25519.signatureBytes
            }
        }
    }
}
