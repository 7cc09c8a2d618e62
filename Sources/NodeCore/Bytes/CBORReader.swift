/// Reads the deterministic subset of CBOR that `CBORWriter` writes, and refuses everything else.
///
/// A pull parser over an array: the caller asks for what it expects. Every length is checked against the remaining
/// bytes and the caller's limit before memory is allocated, so untrusted input costs at most its own size.
@usableFromInline
package struct CBORReader: Sendable {
    @usableFromInline package let bytes: [UInt8]
    /// The index in `bytes` of the next item.
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

    /// Reads the items of an array that has `count` of them.
    package init(_ bytes: [UInt8], array count: Int) throws(CBORError) {
        self.init(bytes)
        try readArray(of: count)
    }

    /// How many bytes are still unread.
    @inlinable package var remaining: Int { end - cursor }

    /// Checks that all bytes were read. Call it after the last item.
    package func finish() throws(CBORError) {
        guard position == end else { throw .trailingBytes(at: position) }
    }

    /// An unsigned number.
    @inlinable
    package mutating func readUInt() throws(CBORError) -> UInt64 {
        try readHead(0)
    }

    /// An unsigned number up to `max`.
    @inlinable
    package mutating func readUInt(max: UInt64) throws(CBORError) -> UInt64 {
        let start = position
        let number = try readUInt()
        guard number <= max else { throw .outOfRange(at: start) }
        return number
    }

    /// An unsigned number up to `max`, or nil for a null.
    @inlinable
    package mutating func readUIntIfPresent(max: UInt64) throws(CBORError) -> UInt64? {
        try readNullIfPresent() ? nil : readUInt(max: max)
    }

    /// An unsigned number that fits `UInt32`.
    package mutating func readUInt32() throws(CBORError) -> UInt32 {
        let start = position
        guard let number = UInt32(exactly: try readUInt()) else { throw .outOfRange(at: start) }
        return number
    }

    /// A number that fits `Int64`.
    @inlinable
    package mutating func readInt() throws(CBORError) -> Int64 {
        let start = position
        let (type, value) = try readAnyHead()
        guard type <= 1 else {
            cursor = start
            throw .unexpectedType(at: start)
        }
        guard let magnitude = Int64(exactly: value) else {
            cursor = start
            throw .outOfRange(at: start)
        }
        return type == 0 ? magnitude : ~magnitude
    }

    /// A byte string of at most `max` bytes.
    package mutating func readBytes(max: Int) throws(CBORError) -> [UInt8] {
        Array(bytes[try readString(2, max: max)])
    }

    /// The content of a byte string of at most `max` bytes as a range of `bytes`, without a copy.
    @inlinable
    package mutating func readRange(max: Int) throws(CBORError) -> Range<Int> {
        try readString(2, max: max)
    }

    /// A byte string of exactly the identifier's size.
    @inlinable
    package mutating func read<ID: Identifier>(_ type: ID.Type) throws(CBORError) -> ID {
        let start = try readFixed(ID.byteCount)
        // invariant: readFixed has checked that byteCount bytes, more than 0, stand at start.
        return bytes.withUnsafeBytes { ID(loading: $0.baseAddress! + start) }
    }

    /// A text of at most `max` bytes of UTF-8.
    package mutating func readText(max: Int) throws(CBORError) -> String {
        let start = position
        let range = try readString(3, max: max)
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            cursor = start
            throw .invalidText(at: start)
        }
        return text
    }

    /// The bytes of a text of at most `max` bytes. The caller checks that they are UTF-8.
    package mutating func readTextBytes(max: Int) throws(CBORError) -> [UInt8] {
        Array(bytes[try readString(3, max: max)])
    }

    @inlinable
    package mutating func readBool() throws(CBORError) -> Bool {
        switch try peekByte() {
        case 0xF4:
            cursor += 1
            return false
        case 0xF5:
            cursor += 1
            return true
        default:
            throw .unexpectedType(at: position)
        }
    }

    /// Consumes a null and returns true; returns false and consumes nothing if another item follows.
    @inlinable
    package mutating func readNullIfPresent() throws(CBORError) -> Bool {
        guard try peekByte() == 0xF6 else { return false }
        cursor += 1
        return true
    }

    /// The number of items of an array: at most `max`, and at most the bytes that remain.
    @inlinable
    package mutating func readArray(max: Int) throws(CBORError) -> Int {
        try readCount(4, max: max, bytesEach: 1)
    }

    /// The head of an array of exactly `count` items.
    package mutating func readArray(of count: Int) throws(CBORError) {
        let start = position
        guard try readArray(max: count) == count else { throw .unexpectedType(at: start) }
    }

    /// A time in milliseconds.
    package mutating func readTime() throws(CBORError) -> WallTime { WallTime(milliseconds: try readInt()) }

    /// The number of pairs of a map: at most `max`, and at most half the bytes that remain.
    @inlinable
    package mutating func readMap(max: Int) throws(CBORError) -> Int {
        try readCount(5, max: max, bytesEach: 2)
    }

    /// A map's next key, which must be above the one before it (nil for the first).
    @inlinable
    package mutating func readKey(after previous: UInt64?) throws(CBORError) -> UInt64 {
        let start = position
        let key = try readHead(0)
        if let previous, key <= previous {
            cursor = start
            throw .keyOrder(at: start)
        }
        return key
    }
}

// MARK: - Heads

extension CBORReader {
    /// The first byte of the next item.
    @inlinable
    @inline(__always)
    func peekByte() throws(CBORError) -> UInt8 {
        guard position < end else { throw .truncated(at: position) }
        return bytes[position]
    }

    /// Advances by `count` bytes, which the caller has checked to be present.
    @inline(__always)
    mutating func advance(_ count: Int) { cursor += count }

    /// The number in the head of an item that must be of the given major type.
    @inlinable
    @inline(__always)
    mutating func readHead(_ type: UInt8) throws(CBORError) -> UInt64 {
        let first = try peekByte()
        guard first >> 5 == type else { throw .unexpectedType(at: position) }
        if first & 31 < 24 {
            cursor += 1
            return UInt64(first & 31)
        }
        return try readLongHead(first)
    }

    /// Major type and number of the next item's head.
    @inlinable
    mutating func readAnyHead() throws(CBORError) -> (type: UInt8, value: UInt64) {
        let first = try peekByte()
        if first & 31 < 24 {
            cursor += 1
            return (first >> 5, UInt64(first & 31))
        }
        return (first >> 5, try readLongHead(first))
    }

    /// A head whose number follows the first byte in 1, 2, 4 or 8 bytes, and needs them all.
    @usableFromInline
    mutating func readLongHead(_ first: UInt8) throws(CBORError) -> UInt64 {
        let start = position
        let code = Int(first & 31)
        guard code <= 27 else { throw .unsupported(at: start) }
        let size = 1 << (code - 24)
        guard end - start > size else { throw .truncated(at: start) }
        let value: UInt64 = bytes.withUnsafeBytes { all in
            switch size {
            case 1: UInt64(all[start + 1])
            case 2: UInt64(UInt16(bigEndian: all.loadUnaligned(fromByteOffset: start + 1, as: UInt16.self)))
            case 4: UInt64(UInt32(bigEndian: all.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self)))
            default: UInt64(bigEndian: all.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self))
            }
        }
        let least: UInt64 = size == 1 ? 24 : 1 << UInt64(4 * size)
        guard value >= least else { throw .notShortest(at: start) }
        cursor = start + 1 + size
        return value
    }

    /// The place of a string's content.
    @inlinable
    mutating func readString(_ type: UInt8, max: Int) throws(CBORError) -> Range<Int> {
        let start = position
        let length = try readHead(type)
        guard length <= UInt64(end - position) else {
            cursor = start
            throw .truncated(at: start)
        }
        guard Int(length) <= max else {
            cursor = start
            throw .wrongSize(at: start)
        }
        let content = position
        cursor = content + Int(length)
        return content..<position
    }

    /// The start of the content of a byte string of exactly `count` bytes.
    @inlinable
    package mutating func readFixed(_ count: Int) throws(CBORError) -> Int {
        let start = position
        let range = try readString(2, max: count)
        guard range.count == count else {
            cursor = start
            throw .wrongSize(at: start)
        }
        return range.lowerBound
    }

    @inlinable
    mutating func readCount(_ type: UInt8, max: Int, bytesEach: Int) throws(CBORError) -> Int {
        let start = position
        let count = try readHead(type)
        guard count <= UInt64((end - position) / bytesEach) else {
            cursor = start
            throw .truncated(at: start)
        }
        guard Int(count) <= max else {
            cursor = start
            throw .wrongSize(at: start)
        }
        return Int(count)
    }
}

/// Why bytes are not the deterministic CBOR that was expected; `at` is the index of the item's first byte.
@usableFromInline
package enum CBORError: Error, Equatable, Sendable {
    /// The bytes end inside an item, or a length claims more than there is.
    case truncated(at: Int)
    /// A well-formed item of another type stands here.
    case unexpectedType(at: Int)
    /// A number or length is not in its shortest form.
    case notShortest(at: Int)
    /// A float, tag, indefinite length, undefined or other simple value, or a reserved form.
    case unsupported(at: Int)
    /// The number does not fit the wanted range.
    case outOfRange(at: Int)
    /// A string or container is larger than the caller allows, or an identifier has another size.
    case wrongSize(at: Int)
    /// A map's keys are not unsigned numbers in strictly ascending order.
    case keyOrder(at: Int)
    /// A text string is not UTF-8.
    case invalidText(at: Int)
    /// Containers are nested deeper than `Limits.cborDepth`.
    case tooDeep(at: Int)
    /// Bytes are left over behind the last item.
    case trailingBytes(at: Int)
}
