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
        let query = statements.held
        query.bind(1, arrival)
        defer { query.reset() }
        if try query.step(), let record = try? Record(encoded: query.blob(0)) {
            try query.withBlob(1) { try body(record, $0) }
            return true
        }
        return try aside.withBlob(arrival, body)
    }

    /// The bytes of record and blob of an arrival, unchecked; nil if it is neither held nor aside.
    package func heldBytes(arrival: Int64) throws -> (record: [UInt8], blob: [UInt8])? {
        let query = statements.held
        query.bind(1, arrival)
        defer { query.reset() }
        return try query.step() ? (query.blob(0), query.blob(1)) : aside.bytes(ofBlob: arrival)
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
        let query = statements.segmentsAfter
        query.bind(1, row?.value ?? -1)
        query.bind(2, Int64(limit))
        defer { query.reset() }
        var rows: [(id: RowID, record: Record?, arrival: Int64?)] = []
        while try query.step() {
            rows.append(
                (RowID(value: query.int(0)), try? Record(encoded: query.blob(1)), query.optionalInt(2)))
        }
        return rows
    }

    func nextBlob(after arrival: Int64) throws -> (Int64, RowID, [UInt8])? {
        let query = statements.blobsFrom
        query.bind(1, arrival)
        query.bind(2, Int64(1))
        defer { query.reset() }
        guard try query.step() else { return nil }
        return (query.int(0), RowID(value: query.int(1)), query.blob(2))
    }
}
