package import NodeCore

/// Registers whose rows are held: those a new device would receive.
extension ZoneStore {
    /// The held registers of a slot, at most one per lane, in the order in which the lanes were met.
    package func liveRegisters(slotName: String) throws -> [Record] {
        let slot = sealer.slot(named: slotName, tag: .zero)
        return try lanes.indices.compactMap { try held(in: slot, lane: $0)?.record }
    }

    /// The held registers of a lane, ascending.
    package func liveRegisters(of id: LaneID) throws -> [Record] {
        guard let number = numbers[id] else { return [] }
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        return try statements.registersBetween.all(bounds.low, bounds.high) { RowID(value: $0.int(0)) }
            .compactMap { try record(at: $0) }
    }
}

extension ZoneStore {
    /// The held register of a slot in one lane.
    package func liveRegister(of id: LaneID, slotName: String) throws -> Record? {
        let slot = sealer.slot(named: slotName, tag: .zero)
        return try numbers[id].flatMap { try held(in: slot, lane: $0)?.record }
    }

    /// The row that holds a slot of a lane. The index may still name one that rotted away, and another may be in its
    /// place since.
    func held(in slot: Slot, lane number: Int) throws -> (row: RowID, record: Record)? {
        guard let row = try slots.find(lane: number, slot: slot), let record = try record(at: row), record.slot == slot
        else { return nil }
        return (row, record)
    }
}
