import NodeCore

/// Finds the row that holds a slot of a lane.
///
/// Slots are random keys: written in small commits they would dirty most leaves of an index each time. New ones stay in
/// memory and go to the packed index in one sorted batch; after a crash they are read again from the rows above the
/// lane's `slotted` mark (docs/STORAGE.md, §4).
struct SlotIndex {
    private struct Key: Hashable, Comparable {
        let lane: Int
        let slot: Slot

        static func < (one: Key, other: Key) -> Bool { (one.lane, one.slot) < (other.lane, other.slot) }
    }

    /// Lane number 2 bytes, slot 16; row id 8. Big-endian.
    private static let layout = PackedLayout(keyBytes: 18, valueBytes: 8)

    private let index: PackedIndex
    private var tail: [Key: RowID] = [:]
    /// Covers the packed index; nil until first needed.
    private var filter: SlotFilter?

    init(database: Database) throws {
        try PackedIndex.migrate(database)
        index = try PackedIndex(database: database, tree: PackedTree.slots, layout: Self.layout)
    }

    var tailCount: Int { tail.count }

    mutating func find(lane: Int, slot: Slot) throws -> RowID? {
        if let row = tail[Key(lane: lane, slot: slot)] { return row }
        return try indexed(lane: lane, slot: slot)
    }

    private mutating func indexed(lane: Int, slot: Slot) throws -> RowID? {
        let filter = try filter ?? readFilter()
        guard filter.mayHold(slot), let value = try index.find(Self.encode(lane: lane, slot: slot)) else { return nil }
        var reader = ByteReader(value)
        return RowID(value: Int64(bitPattern: try reader.readU64()))
    }

    /// Takes ten milliseconds for a million slots, once.
    private mutating func readFilter() throws -> SlotFilter {
        var filter = SlotFilter()
        try index.scan { entry in
            filter.insert(Slot(loading: entry + 2))
            return true
        }
        self.filter = filter
        return filter
    }

    /// - Parameter isBelowMark: the row would not be read again after a crash.
    mutating func set(lane: Int, slot: Slot, row: RowID, isBelowMark: Bool) throws {
        guard isBelowMark else {
            tail[Key(lane: lane, slot: slot)] = row
            return
        }
        tail[Key(lane: lane, slot: slot)] = nil
        filter?.insert(slot)
        try index.insert(Self.encode(lane: lane, slot: slot) + Self.encode(row))
    }

    mutating func clear(lane: Int, slot: Slot, row: RowID) throws {
        if tail[Key(lane: lane, slot: slot)] == row { tail[Key(lane: lane, slot: slot)] = nil }
        if try indexed(lane: lane, slot: slot) == row {
            _ = try index.remove(Self.encode(lane: lane, slot: slot))
        }
    }

    /// Adds a row above the mark that was read again at the start.
    mutating func recall(lane: Int, slot: Slot, row: RowID) {
        let key = Key(lane: lane, slot: slot)
        tail[key] = max(tail[key] ?? row, row)
    }

    mutating func forgetTail() { tail = [:] }

    func isSound() throws -> Bool { try index.isSound() }

    /// Removes all; the caller must then have the rows read again.
    mutating func removeAll() throws {
        tail = [:]
        filter = nil
        try index.removeAll()
    }

    /// Writes the tail to the packed index. The caller raises the lanes' marks in the same transaction.
    mutating func flush() throws {
        var batch: [UInt8] = []
        batch.reserveCapacity(tail.count * Self.layout.entryBytes)
        for key in tail.keys.sorted() {
            guard let row = tail[key] else { continue }
            batch += Self.encode(lane: key.lane, slot: key.slot)
            batch += Self.encode(row)
            filter?.insert(key.slot)
        }
        try index.insert(batch)
        tail = [:]
    }

    private static func encode(lane: Int, slot: Slot) -> [UInt8] {
        var writer = ByteWriter(capacity: 18)
        writer.write(u16: UInt16(lane))
        writer.write(slot)
        return writer.bytes
    }

    private static func encode(_ row: RowID) -> [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.write(u64: UInt64(bitPattern: row.value))
        return writer.bytes
    }
}

extension PackedTree {
    /// Lane and slot → row.
    static let slots: Int64 = 100
}

/// A Bloom filter with two probes that rules out nearly every slot that is not in the packed index, without a look-up.
/// A restore asks for each of its records, and nearly always finds nothing.
///
/// A slot is a keyed hash, so its own bits serve as hashes. Nothing is ever removed from the filter.
struct SlotFilter {
    private static let mask: UInt64 = Limits.slotFilterBits - 1
    private var words = [UInt64](repeating: 0, count: Int(Limits.slotFilterBits / 64))

    mutating func insert(_ slot: Slot) {
        set(slot.storage.w0)
        set(slot.storage.w1)
    }

    /// If false, it was never inserted.
    func mayHold(_ slot: Slot) -> Bool { isSet(slot.storage.w0) && isSet(slot.storage.w1) }

    private mutating func set(_ word: UInt64) { words[Int((word & Self.mask) / 64)] |= 1 << (word % 64) }

    private func isSet(_ word: UInt64) -> Bool { words[Int((word & Self.mask) / 64)] & 1 << (word % 64) != 0 }
}
