package import NodeCore

/// Lanes by the numbers that this store gives them, for tables of one's own beside the records.
extension ZoneStore {
    /// Means nothing to others, and stays the same as long as the store lives.
    package func laneNumber(_ id: LaneID) -> Int? { numbers[id] }

    /// The records at a place of a lane: one, or several where the lane is forked; none where the row rotted.
    package func records(lane number: Int, seq: UInt64) throws -> [Record] {
        try rows(lane: number, from: seq, through: seq).map(\.record)
    }
}
