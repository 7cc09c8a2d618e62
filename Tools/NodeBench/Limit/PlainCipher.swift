import CSodium

/// ChaCha20-Poly1305 with a counter as nonce, as a session seals its frames.
enum PlainCipher {
    static func seal(_ plain: [UInt8], into frame: UnsafeMutableRawBufferPointer, nonce: UInt64, key: [UInt8]) {
        guard let base = frame.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        _ = crypto_aead_chacha20poly1305_ietf_encrypt(
            base + 4, nil, plain, UInt64(plain.count), nil, 0, nil, bytes(of: nonce), key)
    }

    static func open(
        _ frame: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, nonce: UInt64, key: [UInt8]
    ) -> Int {
        var count: UInt64 = 0
        guard let sealed = frame.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return -1 }
        let failed = crypto_aead_chacha20poly1305_ietf_decrypt(
            plain.baseAddress?.assumingMemoryBound(to: UInt8.self), &count, nil,
            sealed, UInt64(frame.count), nil, 0, bytes(of: nonce), key)
        return failed == 0 ? Int(count) : -1
    }

    private static func bytes(of nonce: UInt64) -> [UInt8] {
        withUnsafeBytes(of: nonce.littleEndian) { Array($0) } + [0, 0, 0, 0]
    }
}
