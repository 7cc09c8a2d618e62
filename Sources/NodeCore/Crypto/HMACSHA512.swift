import CSodium

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
