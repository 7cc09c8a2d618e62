import CSodium

/// XChaCha20-Poly1305 with a random 24-byte nonce that travels in front of the ciphertext, for data at rest.
///
/// Sealed: nonce (24) ‖ ciphertext ‖ tag (16).
package enum XChaChaPoly {
    package static let keyBytes = 32
    package static let nonceBytes = 24
    package static let tagBytes = 16
    /// How much longer the sealed form is than the plaintext.
    package static let overheadBytes = nonceBytes + tagBytes

    /// Seals under a nonce from `random`.
    package static func seal(
        _ plaintext: [UInt8], associatedData: [UInt8], key: Secret, random: inout some RandomSource
    ) -> [UInt8] {
        plaintext.withUnsafeBytes { plaintext in
            associatedData.withUnsafeBytes { associatedData in
                seal(plaintext, associatedData: associatedData, key: key) { random.fill($0) }
            }
        }
    }

    package static func seal(
        _ plaintext: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer, key: Secret,
        random: inout some RandomSource
    ) -> [UInt8] {
        seal(plaintext, associatedData: associatedData, key: key) { random.fill($0) }
    }

    /// The plaintext of what `seal` made.
    package static func open(
        _ sealed: [UInt8], associatedData: [UInt8], key: Secret
    ) throws(CryptoError) -> [UInt8] {
        try result { output in
            sealed.withUnsafeBytes { sealed in
                associatedData.withUnsafeBytes { open(sealed, $0, key, &output) }
            }
        }
    }

    package static func open(
        _ sealed: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer, key: Secret
    ) throws(CryptoError) -> [UInt8] {
        try result { open(sealed, associatedData, key, &$0) }
    }

    /// Seals under the nonce that `fillNonce` writes.
    private static func seal(
        _ plaintext: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer, key: Secret,
        fillNonce: (UnsafeMutableRawBufferPointer) -> Void
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "invariant: an XChaCha20-Poly1305 key has 32 bytes")
        Sodium.start()
        return Array(unsafeUninitializedCapacity: plaintext.count + overheadBytes) { output, count in
            let all = UnsafeMutableRawBufferPointer(output)
            fillNonce(UnsafeMutableRawBufferPointer(rebasing: all[..<nonceBytes]))
            withExtendedLifetime(key) {
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    all.start + nonceBytes, nil, plaintext.start, UInt64(plaintext.count),
                    associatedData.start, UInt64(associatedData.count), nil, all.start, key.start)
            }
            count = plaintext.count + overheadBytes
        }
    }

    private static func open(
        _ sealed: UnsafeRawBufferPointer, _ associatedData: UnsafeRawBufferPointer, _ key: Secret,
        _ plaintext: inout [UInt8]
    ) -> CryptoError? {
        guard sealed.count >= overheadBytes else { return .tooShort }
        precondition(key.count == keyBytes, "invariant: an XChaCha20-Poly1305 key has 32 bytes")
        Sodium.start()
        var failed: Int32 = 0
        plaintext = Array(unsafeUninitializedCapacity: sealed.count - overheadBytes) { output, count in
            failed = withExtendedLifetime(key) {
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    UnsafeMutableRawBufferPointer(output).start, nil, nil,
                    sealed.start + nonceBytes, UInt64(sealed.count - nonceBytes),
                    associatedData.start, UInt64(associatedData.count), sealed.start, key.start)
            }
            count = failed == 0 ? sealed.count - overheadBytes : 0
        }
        return failed == 0 ? nil : .authenticationFailed
    }

    /// Turns the outcome of `body` into a typed throw, which the standard library's closures cannot propagate.
    @inline(__always)
    private static func result(_ body: (inout [UInt8]) -> CryptoError?) throws(CryptoError) -> [UInt8] {
        var plaintext: [UInt8] = []
        if let failure = body(&plaintext) { throw failure }
        return plaintext
    }
}
