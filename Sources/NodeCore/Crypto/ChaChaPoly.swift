import CSodium

/// ChaCha20-Poly1305 with a 12-byte nonce (RFC 8439), for sessions, where a counter makes the nonce.
package enum ChaChaPoly {
    package static let keyBytes = 32
    package static let tagBytes = 16

    /// Writes ciphertext and tag (`plaintext.count + tagBytes` bytes) to the start of `output`.
    ///
    /// `output` may begin where `plaintext` begins: sealing works in place.
    package static func seal(
        into output: UnsafeMutableRawBufferPointer, plaintext: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer, nonce: Nonce, key: Secret
    ) {
        precondition(key.count == keyBytes, "invariant: a ChaCha20-Poly1305 key has 32 bytes")
        precondition(output.count >= plaintext.count + tagBytes, "invariant: room for ciphertext and tag")
        Sodium.start()
        withExtendedLifetime(key) {
            nonce.withUnsafeBytes { nonce in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    output.start, nil, plaintext.start, UInt64(plaintext.count),
                    associatedData.start, UInt64(associatedData.count), nil, nonce.start, key.start)
            }
        }
    }

    /// Checks `sealed` (ciphertext and tag) and writes the plaintext to the start of `output`.
    ///
    /// `output` may begin where `sealed` begins: opening works in place.
    /// - Returns: how many bytes were written: `sealed.count - tagBytes`.
    @discardableResult
    package static func open(
        into output: UnsafeMutableRawBufferPointer, sealed: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer, nonce: Nonce, key: Secret
    ) throws(CryptoError) -> Int {
        guard sealed.count >= tagBytes else { throw .tooShort }
        precondition(key.count == keyBytes, "invariant: a ChaCha20-Poly1305 key has 32 bytes")
        precondition(output.count >= sealed.count - tagBytes, "invariant: room for the plaintext")
        Sodium.start()
        let failed = withExtendedLifetime(key) {
            nonce.withUnsafeBytes { nonce in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    output.start, nil, nil, sealed.start, UInt64(sealed.count),
                    associatedData.start, UInt64(associatedData.count), nonce.start, key.start)
            }
        }
        guard failed == 0 else { throw .authenticationFailed }
        return sealed.count - tagBytes
    }

    /// Ciphertext and tag.
    package static func seal(
        _ plaintext: [UInt8], associatedData: [UInt8], nonce: Nonce, key: Secret
    ) -> [UInt8] {
        Array(unsafeUninitializedCapacity: plaintext.count + tagBytes) { output, count in
            plaintext.withUnsafeBytes { plaintext in
                associatedData.withUnsafeBytes { associatedData in
                    seal(
                        into: UnsafeMutableRawBufferPointer(output), plaintext: plaintext,
                        associatedData: associatedData, nonce: nonce, key: key)
                }
            }
            count = plaintext.count + tagBytes
        }
    }

    /// The plaintext of `sealed`, ciphertext and tag.
    package static func open(
        _ sealed: [UInt8], associatedData: [UInt8], nonce: Nonce, key: Secret
    ) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= tagBytes else { throw .tooShort }
        var failure: CryptoError?
        let plaintext = [UInt8](unsafeUninitializedCapacity: sealed.count - tagBytes) { output, count in
            sealed.withUnsafeBytes { sealed in
                associatedData.withUnsafeBytes { associatedData in
                    do throws(CryptoError) {
                        count = try open(
                            into: UnsafeMutableRawBufferPointer(output), sealed: sealed,
                            associatedData: associatedData, nonce: nonce, key: key)
                    } catch {
                        failure = error
                    }
                }
            }
        }
        if let failure { throw failure }
        return plaintext
    }
}
