import NodeCore

/// The chaining key and the running hash of a handshake (Noise §5.2).
struct SymmetricState {
    private var chainingKey: Secret
    private(set) var hash: Bytes32
    private var cipher: CipherState

    /// The state after the prologue and the key of the modifier psk0, which comes before the first message's `e`.
    ///
    /// - Parameter protocolName: as in "Noise_XXpsk0_25519_ChaChaPoly_SHA256".
    init(protocolName: String, prologue: [UInt8], psk: Secret) {
        let name = Array(protocolName.utf8)
        let padded = name + [UInt8](repeating: 0, count: max(0, 32 - name.count))
        let start = Bytes32(bytes: padded) ?? SHA256.hash(name)
        let outputs = Self.derive(Secret(bytes: start.bytes), psk, count: 3)
        chainingKey = outputs[0]
        cipher = CipherState(key: outputs[2])
        hash = start
        mixHash(prologue)
        outputs[1].withUnsafeBytes { mixHash($0) }
    }

    mutating func mixHash(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { mixHash($0) }
    }

    private mutating func mixHash(_ bytes: UnsafeRawBufferPointer) {
        hash = SHA256.hash(hash, bytes)
    }

    mutating func mixKey(_ input: Secret) {
        let outputs = Self.derive(chainingKey, input, count: 2)
        chainingKey = outputs[0]
        cipher = CipherState(key: outputs[1])
    }

    mutating func encryptAndHash(_ plaintext: [UInt8]) throws(NoiseError) -> [UInt8] {
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + Limits.tagBytes)
        try hash.withUnsafeBytes { hash throws(NoiseError) in
            try plaintext.withUnsafeBufferPointer { plaintext throws(NoiseError) in
                try ciphertext.withUnsafeMutableBufferPointer { ciphertext throws(NoiseError) in
                    try cipher.seal(
                        UnsafeRawBufferPointer(plaintext), associatedData: hash,
                        into: UnsafeMutableRawBufferPointer(ciphertext))
                }
            }
        }
        mixHash(ciphertext)
        return ciphertext
    }

    mutating func decryptAndHash(_ ciphertext: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard ciphertext.count >= Limits.tagBytes else { throw .truncated }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count - Limits.tagBytes)
        try hash.withUnsafeBytes { hash throws(NoiseError) in
            try ciphertext.withUnsafeBufferPointer { ciphertext throws(NoiseError) in
                try plaintext.withUnsafeMutableBufferPointer { plaintext throws(NoiseError) in
                    _ = try cipher.open(
                        UnsafeRawBufferPointer(ciphertext), associatedData: hash,
                        into: UnsafeMutableRawBufferPointer(plaintext))
                }
            }
        }
        mixHash(ciphertext)
        return plaintext
    }

    /// The keys of the two directions: the initiator's sending key first.
    func split() -> (CipherState, CipherState) {
        let outputs = Self.derive(chainingKey, Secret(bytes: []), count: 2)
        return (CipherState(key: outputs[0]), CipherState(key: outputs[1]))
    }

    /// Noise's HKDF (§4.3) is that of RFC 5869 with an empty info.
    private static func derive(_ chainingKey: Secret, _ input: Secret, count: Int) -> [Secret] {
        let extracted = HKDF.extract(salt: chainingKey, inputKey: input)
        let expanded = HKDF.expand(extracted, info: [], count: 32 * count)
        return (0..<count).map { expanded.slice(32 * $0..<32 * $0 + 32) }
    }
}
