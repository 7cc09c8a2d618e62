import NodeCore

/// The tags of the latest segments written by this running instance. Forgetting one only costs a new slot.
struct SegmentTags {
    struct Entry {
        let tag: Bytes16
        let slot: Slot
        let row: RowID
    }

    private static let most = 4_096
    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    func find(_ name: String) -> Entry? { entries[name] }

    mutating func remember(_ name: String, tag: Bytes16, slot: Slot, row: RowID) {
        if entries.updateValue(Entry(tag: tag, slot: slot, row: row), forKey: name) == nil { order.append(name) }
        if order.count > 2 * Self.most {
            for old in order.prefix(Self.most) { entries[old] = nil }
            order.removeFirst(Self.most)
        }
    }
}
