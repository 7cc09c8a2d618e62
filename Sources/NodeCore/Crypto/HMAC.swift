import CSodium

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// The code of the parts as if joined.
    package static func authenticate(_ parts: [UInt8]..., key: Secret) -> Bytes32 {
        Sodium.start()
        return withExtendedLifetime(key) {
            var state = crypto_auth_hmacsha256_state()
            defer { sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
            crypto_auth_hmacsha256_init(&state, key.start, key.count)
            for part in parts { crypto_auth_hmacsha256_update(&state, part, UInt64(part.count)) }
            return Bytes32(writtenBy: { crypto_auth_hmacsha256_final(&state, $0) })
        }
    }
}

/// HMAC with SHA-512 (RFC 2104).
package enum HMACSHA512 {
    /// The 64-byte code of the parts as if joined.
    package static func authenticate(_ parts: [UInt8]..., key: Secret) -> [UInt8] {
        Sodium.start()
        return withExtendedLifetime(key) {
            var state = crypto_auth_hmacsha512_state()
            defer { sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha512_state>.size) }
            crypto_auth_hmacsha512_init(&state, key.start, key.count)
            for part in parts { crypto_auth_hmacsha512_update(&state, part, UInt64(part.count)) }
            return Array(unsafeUninitializedCapacity: 64) { output, count in
                crypto_auth_hmacsha512_final(&state, UnsafeMutableRawBufferPointer(output).start)
                count = 64
            }
        }
    }
}

/// PBKDF2 with HMAC-SHA512 (RFC 8018 §5.2), for one block of output: what BIP-39 needs.
enum PBKDF2 {
    /// 64 bytes.
    static func deriveSHA512(password: Secret, salt: [UInt8], rounds: Int) -> Secret {
        Sodium.start()
        return Secret(count: 64) { output in
            withExtendedLifetime(password) {
                let stateSize = MemoryLayout<crypto_auth_hmacsha512_state>.size
                // The state after the key is computed once and copied for each round.
                var keyed = crypto_auth_hmacsha512_state()
                var state = crypto_auth_hmacsha512_state()
                crypto_auth_hmacsha512_init(&keyed, password.start, password.count)
                withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
                    let blockNumber: [UInt8] = [0, 0, 0, 1]
                    state = keyed
                    crypto_auth_hmacsha512_update(&state, salt, UInt64(salt.count))
                    crypto_auth_hmacsha512_update(&state, blockNumber, 4)
                    crypto_auth_hmacsha512_final(&state, block.start)
                    output.copyMemory(from: UnsafeRawBufferPointer(block))
                    for _ in 1..<rounds {
                        state = keyed
                        crypto_auth_hmacsha512_update(&state, block.start, 64)
                        crypto_auth_hmacsha512_final(&state, block.start)
                        for index in 0..<64 { output[index] ^= block[index] }
                    }
                    sodium_memzero(block.start, 64)
                }
                sodium_memzero(&keyed, stateSize)
                sodium_memzero(&state, stateSize)
            }
        }
    }
}
