/// Checks the index of slots against records, and derives it again.
package struct SlotCheck {
    private let store: ZoneStore

    package init(_ store: ZoneStore) { self.store = store }

    /// Whether a register or segment is found by its slot.
    package func finds(_ record: Record) throws -> Bool {
        guard record.kind.isSuperseded, let number = store.numbers[record.lane] else { return true }
        return try store.slots.find(lane: number, slot: record.slot)?.seq == record.seq
    }

    /// Whether a record lies where it is looked for: otherwise its row has another one's id.
    package func isInPlace(_ record: Record) throws -> Bool {
        guard let number = store.numbers[record.lane] else { return false }
        return try store.row(of: record, lane: number) != nil
    }

    /// - Returns: what was repaired, in words.
    package func derive() throws -> String {
        try store.begin()
        try store.slots.removeAll()
        for number in store.lanes.indices {
            store.lanes[number].slotted = 0
            store.dirtyLanes.insert(number)
            try store.loadSlotTail(lane: number)
        }
        return "the index of slots was damaged; rebuilt from the records"
    }
}
