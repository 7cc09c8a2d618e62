/// Reads deterministic CBOR where it lies, without a copy.
///
/// NodeCore's reader works on an array that it owns a share of. This one stays inside this module and on borrowed
/// memory, so that the compiler sees through it: opening a history means reading a million messages.
struct PayloadCursor {
    let base: UnsafeRawPointer
    var position: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        // invariant: 1 is not null. An empty buffer may have no address; nothing is read from it then.
        base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        self.position = position
        end = bytes.count
    }

    /// The number in the head of an item of the given major type.
    @inline(__always)
    mutating func head(_ type: UInt8) throws(SegmentError) -> UInt64 {
        guard position < end else { throw .malformed(at: position) }
        let first = base.load(fromByteOffset: position, as: UInt8.self)
        guard first >> 5 == type else { throw .malformed(at: position) }
        if first & 31 < 24 {
            position += 1
            return UInt64(first & 31)
        }
        return try longHead(first)
    }

    private mutating func longHead(_ first: UInt8) throws(SegmentError) -> UInt64 {
        let code = Int(first & 31)
        guard code <= 27 else { throw .malformed(at: position) }
        let size = 1 << (code - 24)
        guard end - position > size else { throw .malformed(at: position) }
        let start = position + 1
        let value: UInt64 =
            switch size {
            case 1: UInt64(base.load(fromByteOffset: start, as: UInt8.self))
            case 2: UInt64(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
            case 4: UInt64(UInt32(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
            default: UInt64(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            }
        let least: UInt64 = size == 1 ? 24 : 1 << UInt64(4 * size)
        guard value >= least else { throw .malformed(at: position) }
        position = start + size
        return value
    }

    /// The content of a byte string (type 2) or text (type 3).
    @inline(__always)
    mutating func string(_ type: UInt8, max: Int) throws(SegmentError) -> Range<Int> {
        let start = position
        let length = try head(type)
        guard length <= UInt64(max), length <= UInt64(end - position) else { throw .malformed(at: start) }
        let content = position
        position = content + Int(length)
        return content..<position
    }

    /// The number of items of an array (type 4) or of pairs of a map (type 5).
    @inline(__always)
    mutating func count(_ type: UInt8, max: Int) throws(SegmentError) -> Int {
        let start = position
        let count = try head(type)
        guard count <= UInt64(max), count <= UInt64(end - position) else { throw .malformed(at: start) }
        return Int(count)
    }

    /// An unsigned number of at most `limit`.
    @inline(__always)
    mutating func number(max limit: UInt64) throws(SegmentError) -> UInt64 {
        let start = position
        let value = try head(0)
        guard value <= limit else { throw .malformed(at: start) }
        return value
    }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The text there; what is no UTF-8 is shown repaired, the same on every device.
    func text(_ range: Range<Int>) -> String {
        String(decoding: slice(range), as: UTF8.self)
    }
}
