package import NodeCore

/// Blobs: stored in order of arrival, and wanted by rows that lack them.
extension ZoneStore {
    /// The result of storing a blob.
    package enum BlobOutcome: Sendable {
        case stored
        /// Its row was superseded meanwhile, or already has its blob.
        case notWanted
        /// The bytes do not match the hash in the record.
        case wrongHash
    }

    /// Stores the blob of a wanted row after checking its hash.
    ///
    /// - Parameter giver: the device that sent it.
    package func put(
        blob bytes: UnsafeRawBufferPointer, for wanted: WantedBlob, from giver: LaneID? = nil
    ) throws -> BlobOutcome {
        guard bytes.count == wanted.blob.sizeBytes, BlobHash(Blake2b.hash32(bytes)) == wanted.blob.hash else {
            return .wrongHash
        }
        try begin()
        return try store(bytes, row: wanted.row, of: wanted.record, from: .peer(giver)) ? .stored : .notWanted
    }

    /// Returns false and does nothing if the row is gone or has its blob.
    @discardableResult
    func store(
        _ bytes: UnsafeRawBufferPointer, row: RowID, of record: Record, from origin: RecordOrigin
    ) throws -> Bool {
        let giver =
            switch origin {
            case .own: record.lane
            case .peer(let lane): lane
            }
        let arrival = nextArrival
        try statements.setBlob.run(arrival, row.value)
        guard database.changes == 1 else { return false }
        nextArrival += 1
        statements.insertBlob.bind(1, arrival)
        statements.insertBlob.bind(2, row.value)
        statements.insertBlob.bind(3, borrowing: bytes)
        statements.insertBlob.bind(4, wall.milliseconds)
        statements.insertBlob.bind(5, giver.flatMap { numbers[$0] }.map { Int64($0) })
        try statements.insertBlob.run()
        wantedCount -= 1
        try content.blobAdded(bytes, arrival: arrival, of: record, from: origin)
        // From now on its messages are read from this one.
        while let older = try aside.shown(lane: row.lane, slot: record.slot) { try hideAside(arrival: older) }
        return true
    }

    /// How early to fetch a record's blob.
    package func priority(of record: Record) -> Int64 { (try? content.open(record))?.priority ?? 0 }

    /// The missing blobs with the highest priority; if `last` is given, only those below it.
    package func wanted(limit: Int, below last: WantedBlob? = nil) throws -> [WantedBlob] {
        let query = statements.wanted
        return try query.all(last?.priority ?? .max, last?.row.value ?? .max, Int64(limit)) { row in
            guard let record = try? Record(encoded: row.blob(2)), record.blob != nil else { return nil }
            let arrivedAt = row.optionalInt(3).map { WallTime(milliseconds: $0) }
            return WantedBlob(
                row: RowID(value: row.int(0)), record: record, priority: row.int(1), arrivedAt: arrivedAt)
        }
    }

    /// The missing blob of a held record; nil if the record is not held, or has its blob or none.
    package func wanted(_ record: Record) throws -> WantedBlob? {
        guard record.blob != nil, let number = numbers[record.lane], let row = try row(of: record, lane: number),
            try arrival(of: row) == nil
        else { return nil }
        return WantedBlob(row: row, record: record, priority: priority(of: record))
    }

    /// The record of the blob stored under an arrival; nil if either is gone.
    package func record(ofArrival arrival: Int64) throws -> Record? {
        try row(ofArrival: arrival).flatMap { try record(at: $0) }
    }

    /// Whether this device wrote, under its present key, the blob stored under an arrival.
    package func isOwn(arrival: Int64) throws -> Bool { try row(ofArrival: arrival)?.lane == ownNumber }

    func row(ofArrival arrival: Int64) throws -> RowID? {
        try statements.rowOfBlob.first(arrival) { RowID(value: $0.int(0)) }
    }

    /// The blob of a record as a peer names it, also of one kept aside. Its hash is always checked before it is served,
    /// since a damaged one would look like a lie of this node.
    package func blob(of id: LaneID, seq: UInt64, hashPrefix: UInt32) throws -> [UInt8]? {
        guard let number = numbers[id], seq <= Limits.highestSeq else { return nil }
        for (row, record) in try rows(lane: number, from: seq, through: seq) {
            guard let reference = record.blob, reference.hash.shortPrefix == hashPrefix else { continue }
            guard let arrival = try arrival(of: row) else { return nil }
            guard let bytes = try blob(arrival: arrival) else { return nil }
            if BlobHash(of: bytes) == reference.hash { return bytes }
            try markDamaged(row: row, arrival: arrival, record: record)
            return nil
        }
        for (record, arrival) in try aside.rows(lane: number, seq: seq) {
            guard let arrival, let reference = record.blob, reference.hash.shortPrefix == hashPrefix,
                let bytes = try blob(arrival: arrival)
            else { continue }
            // If it is damaged, the scrub lets it go.
            return BlobHash(of: bytes) == reference.hash ? bytes : nil
        }
        return nil
    }

    /// The stored bytes of an arrival, unchecked: the reader checks the seal inside.
    package func blob(arrival: Int64) throws -> [UInt8]? {
        try statements.blob.first(arrival) { $0.blob(0) }
    }

    /// The arrival number of the blob stored last.
    package var latestArrival: Int64 { nextArrival - 1 }

    package func arrival(of row: RowID) throws -> Int64? {
        try statements.blobOfRecord.first(row.value) { $0.optionalInt(0) }
    }

    /// Forgets a damaged blob, so that it is fetched from a peer again.
    func markDamaged(row: RowID, arrival: Int64, record: Record) throws {
        try begin()
        try content.blobRemoved(arrival: arrival, of: record)
        try statements.deleteBlob.run(arrival)
        try statements.clearBlob.run((try? content.open(record))?.priority ?? 0, row.value)
        wantedCount += 1
        try addRepair("blob of \(record.lane.hex.prefix(8)) seq \(record.seq) was damaged; wanted again from a peer")
    }
}

extension BlobHash {
    /// The first 4 bytes, big-endian: enough to identify a blob among those of one seq.
    package var shortPrefix: UInt32 { UInt32(truncatingIfNeeded: storage.w0 >> 32) }
}

/// A row whose blob is missing: together they are the resume state of a restore. A class, since lists of them are
/// sorted and cut.
package final class WantedBlob: Sendable {
    package let row: RowID
    package let record: Record
    /// Higher is fetched earlier: the time of the newest content, in seconds.
    package let priority: Int64
    /// When its row came here; nil if that is unknown.
    package let arrivedAt: WallTime?

    package init(row: RowID, record: Record, priority: Int64, arrivedAt: WallTime? = nil) {
        (self.row, self.record, self.priority, self.arrivedAt) = (row, record, priority, arrivedAt)
    }

    package var blob: BlobReference {
        guard let blob = record.blob else { preconditionFailure("invariant: only rows with a blob are wanted") }
        return blob
    }
}
