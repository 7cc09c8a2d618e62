import CSodium

/// Converts Ed25519 keys to X25519, so that a message can be sealed to somebody whose signature key alone is known.
extension Ed25519 {
    /// The X25519 key that corresponds to an Ed25519 public key; nil if the bytes are not a key of full order.
    package static func agreementKey(of publicKey: Bytes32) -> Bytes32? {
        Sodium.start()
        var failed: Int32 = 0
        let key = Bytes32(writtenBy: { output in
            failed = publicKey.withUnsafeBytes { crypto_sign_ed25519_pk_to_curve25519(output, $0.start) }
            return failed
        })
        return failed == 0 ? key : nil
    }
}

extension Ed25519.KeyPair {
    /// The X25519 key pair whose public half is `Ed25519.agreementKey` of this key.
    package var agreement: X25519.KeyPair {
        X25519.KeyPair(
            secret: Secret(count: X25519.secretBytes) { output in
                _ = withExtendedLifetime(secretKey) {
                    crypto_sign_ed25519_sk_to_curve25519(output.start, secretKey.start)
                }
            })
    }
}
