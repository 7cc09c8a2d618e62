extension CBORReader {
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
        let first = try peekByte()
        switch first >> 5 {
        case 0: _ = try readUInt()
        case 1: _ = try readInt()
        case 2: _ = try readRange(max: .max)
        case 3: _ = try readText(max: .max)
        case 4:
            guard depth < Limits.cborDepth else { throw .tooDeep(at: start) }
            for _ in 0..<(try readArray(max: .max)) { try skipItem(depth: depth + 1) }
        case 5:
            guard depth < Limits.cborDepth else { throw .tooDeep(at: start) }
            var key: UInt64?
            for _ in 0..<(try readMap(max: .max)) {
                key = try readKey(after: key)
                try skipItem(depth: depth + 1)
            }
        default:
            // False, true and null.
            guard (0xF4...0xF6).contains(first) else { throw .unsupported(at: start) }
            advance(1)
        }
    }

    /// A copy of the bytes in `range`, as returned by `readRange` and `skip`.
    @inlinable
    package func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}
