package import NodeCore

/// Lanes by the numbers this store gives them, for other tables in the same file.
extension ZoneStore {
    /// The lane's number. It is meaningless to others, and constant as long as the store lives.
    package func laneNumber(_ id: LaneID) -> Int? { numbers[id] }

    /// The records at a place of a lane: one, several if the lane is forked, none if the row rotted.
    package func records(lane number: Int, seq: UInt64) throws -> [Record] {
        try rows(lane: number, from: seq, through: seq).map(\.record)
    }
}
