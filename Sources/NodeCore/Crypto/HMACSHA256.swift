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
