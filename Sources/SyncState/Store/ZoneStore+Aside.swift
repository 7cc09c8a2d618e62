import NodeCore

/// Blobs of superseded rows, readable until the blobs of the newer rows are here.
///
/// A rewritten segment has the same messages, except deleted ones. Its record comes first; until its blob arrives, if
/// ever, the messages are read from the old one. A blob is kept aside with the record that opens it; they are not part
/// of the set, and neither counted nor served.
extension ZoneStore {
    func setAside(arrival: Int64, _ record: Record, row: RowID) throws {
        try content?.blobSetAside(of: record)
        let put = statements.putAside
        put.bind(1, arrival)
        put.bind(2, Int64(row.lane))
        put.bind(3, record.slot.bytes)
        put.bind(4, record.encoded)
        try put.run()
        statements.detachBlob.bind(1, arrival)
        try statements.detachBlob.run()
        asideCount += 1
    }

    /// Drops the older blobs of a slot, since the blob of its latest row is here.
    func dropAside(lane number: Int, slot: Slot) throws {
        guard asideCount > 0 else { return }
        while let arrival = try aside(lane: number, slot: slot) { try removeAside(arrival: arrival) }
    }

    package func removeAside(arrival: Int64) throws {
        try content?.asideRemoved(arrival: arrival, of: try recordAside(of: arrival))
        for statement in [statements.deleteBlob, statements.deleteAside] {
            statement.bind(1, arrival)
            try statement.run()
        }
        asideCount -= 1
    }

    private func aside(lane number: Int, slot: Slot) throws -> Int64? {
        statements.asideOfSlot.bind(1, Int64(number))
        statements.asideOfSlot.bind(2, slot.bytes)
        defer { statements.asideOfSlot.reset() }
        return try statements.asideOfSlot.step() ? statements.asideOfSlot.int(0) : nil
    }

    /// Blobs kept aside in retired lanes, whose replacements may never come.
    package func asideOfRetired(limit: Int) throws -> [(arrival: Int64, record: Record)] {
        guard asideCount > 0 else { return [] }
        let query = statements.allAside
        defer { query.reset() }
        var found: [(arrival: Int64, record: Record)] = []
        while found.count < limit, try query.step() {
            let number = Int(query.int(1))
            guard lanes.indices.contains(number), lanes[number].isRetired,
                let record = try? Record(encoded: query.blob(2))
            else { continue }
            found.append((query.int(0), record))
        }
        return found
    }

    /// The record of a blob that is kept aside.
    func recordAside(of arrival: Int64) throws -> Record? {
        guard asideCount > 0 else { return nil }
        statements.asideRecord.bind(1, arrival)
        defer { statements.asideRecord.reset() }
        return try statements.asideRecord.step() ? try? Record(encoded: statements.asideRecord.blob(0)) : nil
    }

    /// Lends a blob that is kept aside, like `withHeld`.
    func withAside(arrival: Int64, _ body: (Record, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard asideCount > 0 else { return false }
        let query = statements.heldAside
        query.bind(1, arrival)
        defer { query.reset() }
        guard try query.step(), let record = try? Record(encoded: query.blob(0)) else { return false }
        try query.withBlob(1) { try body(record, $0) }
        return true
    }
}
