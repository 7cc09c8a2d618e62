import CSodium

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The hash of the parts as if joined.
    package static func hash(_ parts: [UInt8]...) -> Bytes32 {
        Sodium.start()
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        for part in parts { crypto_hash_sha256_update(&state, part, UInt64(part.count)) }
        return Bytes32(writtenBy: { crypto_hash_sha256_final(&state, $0) })
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        Sodium.start()
        return Bytes32(writtenBy: { crypto_hash_sha256($0, bytes.start, UInt64(bytes.count)) })
    }

    /// The hash of a fixed-width value followed by bytes, as a handshake computes for each message.
    package static func hash(_ first: some Identifier, _ rest: UnsafeRawBufferPointer) -> Bytes32 {
        Sodium.start()
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        first.withUnsafeBytes { _ = crypto_hash_sha256_update(&state, $0.start, UInt64($0.count)) }
        crypto_hash_sha256_update(&state, rest.start, UInt64(rest.count))
        return Bytes32(writtenBy: { crypto_hash_sha256_final(&state, $0) })
    }
}

extension Bytes32 {
    /// The 32 bytes that `write` puts at the pointer; libsodium's hashes report no errors.
    @inline(__always)
    init(writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int32) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { output in
            // invariant: the capacity is 32, so there is a base address.
            let start = output.baseAddress!
            let failed = write(start)
            precondition(failed == 0, "invariant: libsodium writes its 32 bytes")
            return Bytes32(loading: start)
        }
    }
}
