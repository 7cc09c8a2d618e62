package import NodeCore

extension ZoneStore {
    /// The held register of a slot in one lane.
    package func liveRegister(of id: LaneID, slotName: String) throws -> Record? {
        let slot = sealer.slot(named: slotName, tag: .zero)
        guard let number = numbers[id], let row = try slots.find(lane: number, slot: slot) else { return nil }
        let record = try record(at: row)
        return record?.slot == slot ? record : nil
    }
}
