package import NodeCore
package import SyncState

/// The meaning of a group's rows.
extension GroupZone: ZoneContent {
    package var rules: any RowRules { context.rows }

    package var previous: RecordHash? { get throws { try context.rows.previous } }

    package func open(_ record: Record) throws(RecordRejection) -> any RecordContent {
        guard record.kind == .immutable, record.blob == nil, record.header.prev != nil else { throw .malformedFields }
        return try read(record) ?? UnknownContent()
    }

    package func added(_ content: any RecordContent, of record: Record, from origin: RecordOrigin) throws {
        let content = content as? GroupRecord
        try file(content, of: record)
        if case .score(let score)? = content {
            newScores.add(score, record.name, in: record.lane, today: Day(store.wall))
        }
        // It may lie between others and the head up to which they count.
        newScores.lookAgain()
    }

    /// Rows of immutables go only by rot, until a peer gives them again, or with their member's rights.
    package func removed(_ record: Record) throws { mustReread = true }

    /// What they said is in memory, and is counted.
    package func rowsLost(in lane: LaneID) { mustReread = true }

    package func blobAdded(
        _ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record, from origin: RecordOrigin
    ) throws {}

    package func blobRemoved(arrival: Int64, of record: Record) throws {}

    // A group's records are never superseded.
    package func blobSetAside(of record: Record) throws {}
    package func blobHidden(arrival: Int64, of record: Record?) throws {}

    package var highestArrival: Int64 { 0 }

    package func republish(from old: LaneID) throws {}

    package func mendDerived(_ cursor: inout DerivedCursor) throws -> [String] {
        try settle()
        let isSound = try index.isSound(&cursor, self) { record throws(RecordRejection) in
            let content = try read(record)
            guard context.rows.isFiled(content, in: record.lane) else { return nil }
            if case .score(let score)? = content { return .score(score) }
            return .other
        }
        guard !isSound else { return [] }
        // Also where only the counts differ: a place of no row would be counted again.
        try store.begin()
        try reread(isWhole: true)
        return ["the index of results was damaged; rebuilt from the records"]
    }
}
