package import NodeCore

/// When a blob arrived, and from which device.
package struct BlobArrival: Sendable {
    package let record: Record
    /// This device's clock at the arrival; nil for a blob that arrived before times were recorded.
    package let at: WallTime?
    /// The device that sent it, or this one if it was written here. Nil if unknown.
    package let from: LaneID?
}

extension ZoneStore {
    /// The arrival's record, time and sender; nil if the blob is gone.
    package func blobArrival(_ arrival: Int64) throws -> BlobArrival? {
        let query = statements.blobNote
        query.bind(1, arrival)
        guard try query.step() else { return nil }
        let row = RowID(value: query.int(0))
        let at = query.optionalInt(1).map { WallTime(milliseconds: $0) }
        let from = query.optionalInt(2)
        query.reset()
        guard let record = try record(at: row) ?? aside.record(ofShown: arrival) else { return nil }
        let giver = from.flatMap { number in lanes.indices.contains(Int(number)) ? lanes[Int(number)].id : nil }
        return BlobArrival(record: record, at: at, from: giver)
    }
}

/// The times at which the rows of a lane arrived, held or aside, by this node's clock.
package struct RowArrivals {
    private let store: ZoneStore

    package init(_ store: ZoneStore) { self.store = store }

    /// - Parameter body: gets a row, encoded, when it came, and whether it is held. It must not use the store.
    package func forEach(of lane: LaneID, _ body: ([UInt8], WallTime, Bool) throws -> Void) throws {
        guard let number = store.numbers[lane] else { return }
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        let query = store.statements.recordsBetween
        query.bind(1, bounds.low)
        query.bind(2, bounds.high)
        defer { query.reset() }
        var last = RowID(value: bounds.low - 1)
        while try query.step() {
            last = try RowID(query, after: last)
            try body(query.blob(1), WallTime(milliseconds: query.optionalInt(2) ?? 0), true)
        }
        try store.aside.forEachArrival(lane: number) { try body($0, $1, false) }
    }

    /// When a row that is held came; nil if it is not held.
    package func time(of record: Record) throws -> WallTime? {
        guard let number = store.numbers[record.lane], let row = try store.row(of: record, lane: number) else {
            return nil
        }
        return try store.statements.blobOfRecord.first(row.value) { WallTime(milliseconds: $0.int(1)) }
    }
}
