package import NodeCore

/// The sum mod 2^256 of record hashes, and their number, from which a lane's fingerprint is made.
///
/// Adding and removing a row is O(1) and independent of order (docs/PROTOCOL.md, §5).
package struct SetSum: Hashable, Sendable {
    /// Big-endian words, the most significant first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    package private(set) var count: UInt64 = 0

    package init() {}

    package mutating func add(_ hash: RecordHash) {
        let other = Self.words(of: hash)
        var carry: UInt64 = 0
        words.3 = Self.sum(words.3, other.3, &carry)
        words.2 = Self.sum(words.2, other.2, &carry)
        words.1 = Self.sum(words.1, other.1, &carry)
        words.0 = Self.sum(words.0, other.0, &carry)
        count += 1
    }

    /// Adds another sum, over other rows.
    package mutating func add(_ other: SetSum) {
        var carry: UInt64 = 0
        words.3 = Self.sum(words.3, other.words.3, &carry)
        words.2 = Self.sum(words.2, other.words.2, &carry)
        words.1 = Self.sum(words.1, other.words.1, &carry)
        words.0 = Self.sum(words.0, other.words.0, &carry)
        count += other.count
    }

    package mutating func remove(_ hash: RecordHash) {
        let other = Self.words(of: hash)
        var borrow: UInt64 = 0
        words.3 = Self.difference(words.3, other.3, &borrow)
        words.2 = Self.difference(words.2, other.2, &borrow)
        words.1 = Self.difference(words.1, other.1, &borrow)
        words.0 = Self.difference(words.0, other.0, &borrow)
        precondition(count > 0, "invariant: only what was added is removed")
        count -= 1
    }

    /// BLAKE2b-128 of the sum (32 bytes, big-endian) and the count (8 bytes, big-endian).
    package var fingerprint: Fingerprint { Fingerprint(Blake2b.hash16(encoded)) }

    /// 32 bytes of sum and 8 of count, big-endian.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        for word in [words.0, words.1, words.2, words.3, count] { writer.write(u64: word) }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(ByteError) {
        var reader = ByteReader(encoded)
        words = (try reader.readU64(), try reader.readU64(), try reader.readU64(), try reader.readU64())
        count = try reader.readU64()
        try reader.finish()
    }

    package static func == (one: SetSum, other: SetSum) -> Bool { one.words == other.words && one.count == other.count }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.3)
        hasher.combine(count)
    }

    private static func words(of hash: RecordHash) -> (UInt64, UInt64, UInt64, UInt64) {
        (hash.storage.w0, hash.storage.w1, hash.storage.w2, hash.storage.w3)
    }

    private static func sum(_ one: UInt64, _ other: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (partial, overflow) = one.addingReportingOverflow(other)
        let (total, carried) = partial.addingReportingOverflow(carry)
        carry = overflow || carried ? 1 : 0
        return total
    }

    private static func difference(_ one: UInt64, _ other: UInt64, _ borrow: inout UInt64) -> UInt64 {
        let (partial, overflow) = one.subtractingReportingOverflow(other)
        let (total, borrowed) = partial.subtractingReportingOverflow(borrow)
        borrow = overflow || borrowed ? 1 : 0
        return total
    }
}
