import CSodium

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
