package import NodeCore

/// When a blob came, and from whom.
package struct BlobArrival: Sendable {
    package let record: Record
    /// By this device's clock; nil for one that came before this was noted.
    package let at: WallTime?
    /// The device that gave it: this one, where it was written here. Nil where that is not known.
    package let from: LaneID?
}

extension ZoneStore {
    /// What is known of the blob stored under an arrival; nil where it is gone.
    package func blobArrival(_ arrival: Int64) throws -> BlobArrival? {
        let query = statements.blobNote
        query.bind(1, arrival)
        guard try query.step() else { return nil }
        let row = RowID(value: query.int(0))
        let at = query.optionalInt(1).map { WallTime(milliseconds: $0) }
        let from = query.optionalInt(2)
        query.reset()
        guard let record = try record(at: row) ?? recordAside(of: arrival) else { return nil }
        let giver = from.flatMap { number in lanes.indices.contains(Int(number)) ? lanes[Int(number)].id : nil }
        return BlobArrival(record: record, at: at, from: giver)
    }
}
