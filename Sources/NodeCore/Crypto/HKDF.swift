import CSodium

/// HKDF with SHA-256 (RFC 5869).
package enum HKDF {
    /// A 32-byte pseudorandom key from material of uneven quality (RFC 5869 §2.2).
    package static func extract(salt: [UInt8], inputKey: Secret) -> Secret {
        salt.withUnsafeBytes { extract($0, inputKey) }
    }

    /// As above with a secret salt, such as a handshake's chaining key.
    package static func extract(salt: Secret, inputKey: Secret) -> Secret {
        salt.withUnsafeBytes { extract($0, inputKey) }
    }

    /// `count` bytes of key (at most 8,160) for the purpose that `info` names (RFC 5869 §2.3).
    package static func expand(_ prk: Secret, info: [UInt8], count: Int = 32) -> Secret {
        HKDFExpander(prk).expand(info, count: count)
    }

    /// The key for one of our own purposes: `expand` with `kachat/`, the label and the context as `info`.
    package static func derive(_ key: Secret, _ label: String, _ context: [UInt8] = []) -> Secret {
        expand(key, info: Array("kachat/\(label)".utf8) + context)
    }

    private static func extract(_ salt: UnsafeRawBufferPointer, _ inputKey: Secret) -> Secret {
        Sodium.start()
        return Secret(count: 32) { output in
            withExtendedLifetime(inputKey) {
                var state = crypto_auth_hmacsha256_state()
                crypto_auth_hmacsha256_init(&state, salt.start, salt.count)
                crypto_auth_hmacsha256_update(&state, inputKey.start, UInt64(inputKey.count))
                crypto_auth_hmacsha256_final(&state, output.start)
                sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
            }
        }
    }
}
