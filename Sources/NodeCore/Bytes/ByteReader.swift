/// Reads numbers (big-endian) and bytes from an array, never beyond its end.
@usableFromInline
package struct ByteReader: Sendable {
    @usableFromInline package let bytes: [UInt8]
    /// The index in `bytes` of the next byte to read.
    @usableFromInline var cursor: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = 0
    }

    /// How many bytes are still unread.
    @inlinable package var remaining: Int { bytes.count - cursor }

    @inlinable
    package mutating func readU8() throws(ByteError) -> UInt8 { bytes[try take(1)] }

    @inlinable
    package mutating func readU16() throws(ByteError) -> UInt16 { UInt16(bigEndian: try load()) }

    @inlinable
    package mutating func readU32() throws(ByteError) -> UInt32 { UInt32(bigEndian: try load()) }

    @inlinable
    package mutating func readU64() throws(ByteError) -> UInt64 { UInt64(bigEndian: try load()) }

    /// The next `count` bytes; memory is taken only once they are known to be there.
    package mutating func readBytes(_ count: Int) throws(ByteError) -> [UInt8] {
        let start = try take(count)
        return Array(bytes[start..<start + count])
    }

    @inlinable
    package mutating func read<ID: Identifier>(_ type: ID.Type) throws(ByteError) -> ID {
        let start = try take(ID.byteCount)
        // invariant: take() has checked that byteCount (more than 0) bytes stand at start, so there is a base address.
        return bytes.withUnsafeBytes { ID(loading: $0.baseAddress! + start) }
    }

    /// Checks that all bytes were read. Call it after the last field.
    package func finish() throws(ByteError) {
        guard remaining == 0 else { throw .trailingBytes(count: remaining) }
    }

    /// Advances by `count` bytes and returns the start index.
    @inlinable
    package mutating func take(_ count: Int) throws(ByteError) -> Int {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { cursor += count }
        return cursor
    }

    @inlinable
    mutating func load<Number: FixedWidthInteger & BitwiseCopyable>() throws(ByteError) -> Number {
        let start = try take(MemoryLayout<Number>.size)
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
    }
}

/// Why bytes could not be read.
@usableFromInline
package enum ByteError: Error, Equatable, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// Unread bytes remain after the last value.
    case trailingBytes(count: Int)
}
