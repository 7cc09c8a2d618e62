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

/// HKDF's second step (RFC 5869 §2.3) for one key and many purposes: the HMAC state behind the key is computed once,
/// which halves the work for each.
package final class HKDFExpander {
    package let key: Secret
    private var keyed = crypto_auth_hmacsha256_state()

    package init(_ key: Secret) {
        Sodium.start()
        self.key = key
        _ = withExtendedLifetime(key) { crypto_auth_hmacsha256_init(&keyed, key.start, key.count) }
    }

    deinit { sodium_memzero(&keyed, MemoryLayout<crypto_auth_hmacsha256_state>.size) }

    /// `count` bytes of key (at most 8,160) for the purpose that `info` names.
    package func expand(_ info: [UInt8], count: Int = 32) -> Secret {
        precondition(count >= 0 && count <= Limits.hkdfOutputBytes, "invariant: HKDF gives at most 255 blocks")
        return Secret(count: count) { output in
            info.withUnsafeBytes { expand($0, into: output) }
        }
    }

    /// T(n) = HMAC(key, T(n-1) ‖ info ‖ n). The state after the key is copied for each block.
    private func expand(_ info: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var state = crypto_auth_hmacsha256_state()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { block in
            let blockStart = UnsafeMutableRawBufferPointer(block).start
            var done = 0
            var number: UInt8 = 0
            while done < output.count {
                number += 1
                state = keyed
                if number > 1 { crypto_auth_hmacsha256_update(&state, blockStart, 32) }
                crypto_auth_hmacsha256_update(&state, info.start, UInt64(info.count))
                crypto_auth_hmacsha256_update(&state, &number, 1)
                crypto_auth_hmacsha256_final(&state, blockStart)
                let part = min(32, output.count - done)
                UnsafeMutableRawBufferPointer(rebasing: output[done..<done + part])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[..<part]))
                done += part
            }
            sodium_memzero(blockStart, 32)
        }
        sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    }
}
