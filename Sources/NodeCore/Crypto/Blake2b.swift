import CSodium

/// BLAKE2b (RFC 7693) with 16 or 32 bytes of output, optionally keyed and separated by domain.
///
/// A `domain` of at most 16 ASCII bytes goes into BLAKE2b's personal parameter, so equal input hashed for different
/// purposes gives unrelated results. A `key` has 1 to 64 bytes. Several parts are hashed as if concatenated: if their
/// lengths vary, the caller must separate them.
package enum Blake2b {
    package static func hash32(_ parts: [UInt8]..., key: Secret? = nil, domain: String? = nil) -> Bytes32 {
        hash(parts, key, domain)
    }

    package static func hash16(_ parts: [UInt8]..., key: Secret? = nil, domain: String? = nil) -> Bytes16 {
        hash(parts, key, domain)
    }

    package static func hash32(
        _ bytes: UnsafeRawBufferPointer, key: Secret? = nil, domain: String? = nil
    ) -> Bytes32 {
        hash(bytes, key, domain)
    }

    package static func hash16(
        _ bytes: UnsafeRawBufferPointer, key: Secret? = nil, domain: String? = nil
    ) -> Bytes16 {
        hash(bytes, key, domain)
    }

    /// One buffer, in one call of the library.
    private static func hash<ID: Identifier>(
        _ bytes: UnsafeRawBufferPointer, _ key: Secret?, _ domain: String?
    ) -> ID {
        Sodium.start()
        return withParameters(key, domain) { keyStart, keyCount, personal in
            loaded { output in
                crypto_generichash_blake2b_salt_personal(
                    output, ID.byteCount, bytes.start, UInt64(bytes.count), keyStart, keyCount, nil, personal)
            }
        }
    }

    private static func hash<ID: Identifier>(_ parts: [[UInt8]], _ key: Secret?, _ domain: String?) -> ID {
        if parts.count == 1 { return parts[0].withUnsafeBytes { hash($0, key, domain) } }
        Sodium.start()
        return withParameters(key, domain) { keyStart, keyCount, personal in
            // Swift does not import the packed state struct, so it is memory of the size the library names.
            let stateBytes = crypto_generichash_blake2b_statebytes()
            return withUnsafeTemporaryAllocation(byteCount: stateBytes, alignment: 64) { memory in
                let state = OpaquePointer(memory.start)
                defer { sodium_memzero(memory.start, stateBytes) }
                let failed = crypto_generichash_blake2b_init_salt_personal(
                    state, keyStart, keyCount, ID.byteCount, nil, personal)
                precondition(failed == 0, "invariant: a BLAKE2b key has at most 64 bytes")
                for part in parts { crypto_generichash_blake2b_update(state, part, UInt64(part.count)) }
                return loaded { crypto_generichash_blake2b_final(state, $0, ID.byteCount) }
            }
        }
    }

    /// The identifier whose bytes `write` puts at the pointer.
    private static func loaded<ID: Identifier>(_ write: (UnsafeMutablePointer<UInt8>) -> Int32) -> ID {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ID.byteCount) { output in
            // invariant: the capacity is more than 0, so there is a base address.
            let start = output.baseAddress!
            precondition(write(start) == 0, "invariant: a BLAKE2b key has at most 64 bytes")
            return ID(loading: start)
        }
    }

    /// Passes key and personal parameter in the form libsodium expects.
    private static func withParameters<Result>(
        _ key: Secret?, _ domain: String?,
        _ body: (UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?) -> Result
    ) -> Result {
        withExtendedLifetime(key) {
            guard let domain else { return body(key?.start, key?.count ?? 0, nil) }
            precondition(domain.utf8.count <= 16, "invariant: a BLAKE2b domain has at most 16 bytes")
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { personal in
                personal.initialize(repeating: 0)
                var domain = domain
                domain.withUTF8 { UnsafeMutableRawBufferPointer(personal).copyMemory(from: UnsafeRawBufferPointer($0)) }
                return body(key?.start, key?.count ?? 0, personal.baseAddress)
            }
        }
    }
}

/// BLAKE2b-256 (RFC 7693) of bytes that come in pieces.
package final class Blake2bHasher {
    private let memory: UnsafeMutableRawPointer

    /// - Parameter domain: at most 16 ASCII bytes; equal input under another domain gives an unrelated hash.
    package init(domain: String) {
        Sodium.start()
        memory = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
        precondition(domain.utf8.count <= 16, "invariant: a BLAKE2b domain has at most 16 bytes")
        let personal = Array(domain.utf8) + [UInt8](repeating: 0, count: 16 - domain.utf8.count)
        let failed = crypto_generichash_blake2b_init_salt_personal(state, nil, 0, Bytes32.byteCount, nil, personal)
        precondition(failed == 0, "invariant: 32 bytes without a key are allowed")
    }

    deinit { memory.deallocate() }

    // Swift does not import the packed state struct.
    private var state: OpaquePointer { OpaquePointer(memory) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        crypto_generichash_blake2b_update(state, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The hash of everything fed in. Nothing may be added afterwards.
    package func finish() -> Bytes32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Bytes32.byteCount) { output in
            // invariant: the capacity is more than 0, so there is a base address.
            let start = output.baseAddress!
            crypto_generichash_blake2b_final(state, start, Bytes32.byteCount)
            return Bytes32(loading: start)
        }
    }
}
