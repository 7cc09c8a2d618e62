/// Reads numbers (big-endian) and bytes from an array, never beyond its end.
@usableFromInline
package struct ByteReader: Sendable {
    @usableFromInline package let bytes: [UInt8]
    /// The index in `bytes` of the next byte to read.
    @inlinable package var position: Int { cursor }
    @usableFromInline var cursor: Int
    /// The index in `bytes` just behind the last byte that may be read.
    @usableFromInline package let end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = 0
        end = bytes.count
    }

    /// Reads only `range`, which must lie inside `bytes`.
    package init(_ bytes: [UInt8], range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "invariant: range inside bytes")
        self.bytes = bytes
        cursor = range.lowerBound
        end = range.upperBound
    }

    /// How many bytes are still unread.
    @inlinable package var remaining: Int { end - cursor }

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

    /// Reads the next `count` bytes as a range of `bytes`, without a copy.
    @inlinable
    package mutating func readRange(_ count: Int) throws(ByteError) -> Range<Int> {
        let start = try take(count)
        return start..<start + count
    }

    /// Everything that is left.
    package mutating func readRemaining() -> [UInt8] {
        defer { cursor = end }
        return Array(bytes[position..<end])
    }

    @inlinable
    package mutating func read<ID: Identifier>(_ type: ID.Type) throws(ByteError) -> ID {
        let start = try take(ID.byteCount)
        // invariant: take() has checked that byteCount (more than 0) bytes stand at start, so there is a base address.
        return bytes.withUnsafeBytes { ID(loading: $0.baseAddress! + start) }
    }

    /// LEB128 as `ByteWriter.writeVarint` writes it; a longer form than needed is refused.
    package mutating func readVarint() throws(ByteError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<10 {
            let byte = try readU8()
            // The tenth byte holds bit 63 only.
            guard index < 9 || byte <= 1 else { throw .malformedNumber }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte & 0x80 == 0 {
                guard byte != 0 || index == 0 else { throw .malformedNumber }
                return value
            }
        }
        throw .malformedNumber
    }

    /// Checks that all bytes were read. Call it after the last field.
    package func finish() throws(ByteError) {
        guard position == end else { throw .trailingBytes(count: remaining) }
    }

    /// Advances by `count` bytes and returns the start index.
    @inlinable
    package mutating func take(_ count: Int) throws(ByteError) -> Int {
        guard count >= 0, count <= end - cursor else { throw .truncated }
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
    /// A variable-length number is longer than needed or does not fit 64 bits.
    case malformedNumber
}
