import CSodium

/// The same key on Curve25519's other form, so that something can be sealed to who is known by a signature key only.
extension Ed25519 {
    /// The X25519 key of who holds an Ed25519 key; nil for bytes that are no key of full order.
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
    /// The pair whose public half `Ed25519.agreementKey` gives.
    package var agreement: X25519.KeyPair {
        X25519.KeyPair(
            secret: Secret(count: X25519.secretBytes) { output in
                _ = withExtendedLifetime(secretKey) {
                    crypto_sign_ed25519_sk_to_curve25519(output.start, secretKey.start)
                }
            })
    }
}
