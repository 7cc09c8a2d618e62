package import NodeCore

/// A key with its counter (Noise §5.1).
package struct CipherState {
    private let key: Secret
    private var nonce: UInt64

    package init(key: Secret, nonce: UInt64 = 0) {
        (self.key, self.nonce) = (key, nonce)
    }

    /// Seals `plaintext` and writes ciphertext and tag to `output`, which may start where `plaintext` starts and must
    /// hold `Limits.tagBytes` more.
    mutating func seal(
        _ plaintext: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(NoiseError) {
        ChaChaPoly.seal(
            into: output, plaintext: plaintext, associatedData: associatedData,
            nonce: ChaChaPoly.Nonce(counter: try takeNonce()), key: key)
    }

    /// Opens `ciphertext` (tag included) into `output` and returns how many bytes it wrote. The counter does not
    /// advance if authentication fails.
    mutating func open(
        _ ciphertext: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(NoiseError) -> Int {
        guard ciphertext.count >= Limits.tagBytes else { throw .truncated }
        guard nonce != .max else { throw .nonceExhausted }
        do {
            let count = try ChaChaPoly.open(
                into: output, sealed: ciphertext, associatedData: associatedData,
                nonce: ChaChaPoly.Nonce(counter: nonce), key: key)
            nonce += 1
            return count
        } catch {
            throw .notAuthentic
        }
    }

    private mutating func takeNonce() throws(NoiseError) -> UInt64 {
        // The highest value is reserved for rekeying (§4.2); this protocol closes the session instead.
        guard nonce != .max else { throw .nonceExhausted }
        defer { nonce += 1 }
        return nonce
    }
}
