import CSodium

/// Bytes that must not outlive their use: allocated once, never copied by Swift, wiped when the last reference is
/// released.
///
/// Its description is only its size. Compare secrets with `ConstantTime.equals`.
package final class Secret: @unchecked Sendable {
    // Sendable because the memory is written in `init` only, before anyone else has a reference, and in `deinit`.
    private let memory: UnsafeMutableRawBufferPointer
    private let ownsMemory: Bool

    /// How many bytes the secret has.
    package var count: Int { memory.count }

    /// Fills `count` bytes in place, so that the secret exists nowhere else.
    package init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        memory = .allocate(byteCount: count, alignment: 8)
        ownsMemory = true
        // Before `fill`: if it throws, deinit still wipes and frees, since all properties are set.
        sodium_memzero(memory.start, count)
        try fill(memory)
    }

    /// Takes over `bytes` and wipes the caller's array if nobody else holds it.
    package init(bytes: consuming [UInt8]) {
        let count = bytes.count
        memory = .allocate(byteCount: count, alignment: 8)
        ownsMemory = true
        let memory = memory
        // For a shared array this wipes a copy, which is harmless; there is no cheap way to detect it.
        bytes.withUnsafeMutableBytes { source in
            memory.copyMemory(from: UnsafeRawBufferPointer(source))
            sodium_memzero(source.start, count)
        }
    }

    /// A copy of `bytes`, which the caller wipes.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// `count` bytes from `random`.
    package convenience init(random: inout some RandomSource, count: Int) {
        self.init(count: count) { random.fill($0) }
    }

    /// Uses memory owned by the caller, which is wiped but not freed: a locked page, or memory that a test inspects.
    package init(lent memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
        ownsMemory = false
    }

    deinit {
        sodium_memzero(memory.start, memory.count)
        if ownsMemory { memory.deallocate() }
    }

    /// Lends the bytes; the pointer must not outlive `body`.
    @inline(__always)
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// The part `range` of the secret as a secret of its own.
    package func slice(_ range: Range<Int>) -> Secret {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "invariant: slice inside the secret")
        return Secret(copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[range]))
    }

    /// The first byte, for libsodium; the caller keeps the secret alive with `withExtendedLifetime`.
    @inline(__always)
    var start: UnsafePointer<UInt8> { UnsafePointer(memory.start) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "Secret(\(count) bytes)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A byte string, written without another copy.
extension Secret: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) {
        withUnsafeBytes { writer.write(bytes: $0) }
    }
}
