/// The source of random bytes: the system in a node, a seed in tests and in the simulator.
package protocol RandomSource: RandomNumberGenerator, Sendable {
    /// A separate source for a part of the program, independent of the numbers this one produces afterwards.
    mutating func split() -> any RandomSource

    /// Overwrites the whole buffer.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// `count` random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        Array(unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }

    /// A random identifier, such as an `InstanceID`.
    package mutating func identifier<ID: Identifier>(_ type: ID.Type = ID.self) -> ID {
        withUnsafeTemporaryAllocation(byteCount: ID.byteCount, alignment: 8) { buffer in
            fill(buffer)
            // invariant: byteCount is more than 0, so there is a base address.
            return ID(loading: UnsafeRawPointer(buffer.baseAddress!))
        }
    }
}
