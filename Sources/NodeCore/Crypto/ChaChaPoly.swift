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

extension ChaChaPoly {
    /// The 12 bytes that must never be used twice under one key.
    package struct Nonce: Hashable, Sendable {
        // As they stand on the wire: four bytes, then eight, each in memory order.
        private let head: UInt32
        private let tail: UInt64

        /// Noise's nonce (revision 34, §12.1): four zero bytes and the counter, least significant byte first.
        package init(counter: UInt64) {
            head = 0
            tail = counter.littleEndian
        }

        /// A nonce of exactly 12 bytes; nil for any other number.
        package init?(bytes: [UInt8]) {
            guard bytes.count == 12 else { return nil }
            head = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            tail = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt64.self) }
        }

        @inline(__always)
        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            let half = UInt32(truncatingIfNeeded: UInt64(littleEndian: tail))
            let rest = UInt32(truncatingIfNeeded: UInt64(littleEndian: tail) >> 32)
            // Three words without padding between them.
            return Swift.withUnsafeBytes(of: (head, half.littleEndian, rest.littleEndian), body)
        }
    }
}
