package import NodeCore
package import SyncState

extension ZoneStore {
    /// Whether a record's row is held.
    package func holds(_ record: Record) throws -> Bool {
        guard let number = numbers[record.lane] else { return false }
        return try row(of: record, lane: number) != nil
    }

    /// All records of a lane.
    package func records(of id: LaneID) throws -> [Record] {
        guard let number = numbers[id] else { return [] }
        return try rows(lane: number, from: 0, through: SyncState.Limits.highestSeq).map(\.record)
    }

    /// Takes the rows that another device of the zone holds.
    package func takeRows(of other: ZoneStore) throws {
        for lane in other.vector {
            for record in try other.records(of: lane.id) {
                do { try put(record) } catch let refusal as RecordRejection where refusal.isNobodysFault {}
            }
            try advance(lane.id, head: lane.head)
        }
    }

    /// Removes a row as rot would: its merged values stay, and the fingerprint follows the rows, as after a scrub.
    package func loseRow(of record: Record) throws {
        guard let number = numbers[record.lane], let row = try row(of: record, lane: number) else { return }
        try begin()
        try remove(row: row)
        mustSettle = true
    }

    package func put(
        blob bytes: [UInt8], for wanted: WantedBlob, from giver: LaneID? = nil
    ) throws -> BlobOutcome {
        try bytes.withUnsafeBytes { try put(blob: $0, for: wanted, from: giver) }
    }
}
