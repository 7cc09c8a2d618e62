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
