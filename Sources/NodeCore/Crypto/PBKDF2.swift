import CSodium

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
