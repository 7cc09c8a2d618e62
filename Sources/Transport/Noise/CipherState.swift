package import NodeCore

/// A key with its counter (Noise §5.1). Before it has a key, it passes bytes through unchanged.
package struct CipherState {
    private let key: Secret?
    private var nonce: UInt64

    package init() {
        key = nil
        nonce = 0
    }

    package init(key: Secret, nonce: UInt64 = 0) {
        (self.key, self.nonce) = (key, nonce)
    }

    var hasKey: Bool { key != nil }

    /// How many bytes sealing adds.
    var overhead: Int { hasKey ? Limits.tagBytes : 0 }

    /// Seals `plaintext` and writes ciphertext and tag to `output`, which may start where `plaintext` starts and must
    /// hold `overhead` bytes more.
    mutating func seal(
        _ plaintext: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(NoiseError) {
        guard let key else {
            output.copyMemory(from: plaintext)
            return
        }
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
        guard let key else {
            output.copyMemory(from: ciphertext)
            return ciphertext.count
        }
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
