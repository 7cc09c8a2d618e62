extension CBORReader {
    /// The kind of the next item. Throws if it is outside the subset.
    @inlinable
    package func peekKind() throws(CBORError) -> CBORKind {
        let first = try peekByte()
        switch first >> 5 {
        case 0: return .unsigned
        case 1: return .negative
        case 2: return .bytes
        case 3: return .text
        case 4: return .array
        case 5: return .map
        default:
            switch first {
            case 0xF4, 0xF5: return .bool
            case 0xF6: return .null
            default: throw .unsupported(at: position)
            }
        }
    }

    /// Skips one whole item, validating it as strictly as reading would, and returns its range.
    ///
    /// Containers may be nested `Limits.cborDepth` deep; the work is bounded by the item's size in bytes.
    @discardableResult
    package mutating func skip() throws(CBORError) -> Range<Int> {
        let start = position
        do {
            try skipItem(depth: 0)
        } catch {
            cursor = start
            throw error
        }
        return start..<position
    }

    private mutating func skipItem(depth: Int) throws(CBORError) {
        let start = position
        switch try peekKind() {
        case .unsigned: _ = try readUInt()
        case .negative: _ = try readInt()
        case .bytes: _ = try readRange(max: .max)
        case .text: _ = try readText(max: .max)
        case .bool, .null: advance(1)
        case .array:
            guard depth < Limits.cborDepth else { throw .tooDeep(at: start) }
            for _ in 0..<(try readArray(max: .max)) { try skipItem(depth: depth + 1) }
        case .map:
            guard depth < Limits.cborDepth else { throw .tooDeep(at: start) }
            var key: UInt64?
            for _ in 0..<(try readMap(max: .max)) {
                key = try readKey(after: key)
                try skipItem(depth: depth + 1)
            }
        }
    }

    /// A copy of the bytes in `range`, as returned by `readRange` and `skip`.
    @inlinable
    package func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}
