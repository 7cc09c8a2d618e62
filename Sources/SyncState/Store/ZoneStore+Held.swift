import NodeCore

/// Blobs together with their records, by arrival.
extension ZoneStore {
    package struct HeldBlob {
        package let arrival: Int64
        package let row: RowID
        package let record: Record
        package let blob: [UInt8]
    }

    /// Passes the record and blob of an arrival to `body`; false if it is neither held nor aside. `body` must not ask
    /// for another.
    package func withHeld(arrival: Int64, _ body: (Record, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        try statements.held.lend(arrival, to: body) || aside.withBlob(arrival, body)
    }

    /// The bytes of record and blob of an arrival, unchecked; nil if it is neither held nor aside.
    package func heldBytes(arrival: Int64) throws -> (record: [UInt8], blob: [UInt8])? {
        try statements.held.first(arrival) { ($0.blob(0), $0.blob(1)) } ?? aside.bytes(ofBlob: arrival)
    }

    /// The first blob above an arrival whose record is readable, of those that are held or shown.
    package func nextHeld(after arrival: Int64) throws -> HeldBlob? {
        var after = arrival
        while let (found, row, blob) = try nextBlob(after: after) {
            let isLinked = try self.arrival(of: row) == found
            if let record = try isLinked ? record(at: row) : aside.record(ofShown: found) {
                return HeldBlob(arrival: found, row: row, record: record, blob: blob)
            }
            after = found
        }
        return nil
    }

    /// Segments after a row, in order of rows, with the arrival of the blob if that is held.
    package func segments(
        after row: RowID?, limit: Int
    ) throws -> [(id: RowID, record: Record?, arrival: Int64?)] {
        try statements.segmentsAfter.all(row?.value ?? -1, limit) { row in
            (RowID(value: row.int(0)), try? Record(encoded: row.blob(1)), row.optionalInt(2))
        }
    }

    func nextBlob(after arrival: Int64) throws -> (Int64, RowID, [UInt8])? {
        let next = try statements.blobsFrom.first(arrival) { ($0.int(0), RowID(value: $0.int(1)), $0.blob(2)) }
        if let next, next.0 <= arrival { throw DatabaseError.outOfOrder }
        return next
    }
}
