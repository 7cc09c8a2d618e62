package import NodeCore

/// Detecting rot: chunks and blobs hashed again (docs/STORAGE.md, §8).
extension ZoneStore {
    /// The findings and repairs of a scrub so far.
    package struct ScrubReport: Sendable {
        package var rows = 0
        package var blobs = 0
        package var damagedRows = 0
        package var lanesDiffering = 0
        package var damagedBlobs = 0
        /// Indexes that were derived again.
        package var damagedIndexes = 0
        /// Queued messages that cannot be read: they existed only on this device.
        package var lostMessages = 0
    }

    /// The position at which a scrub continues.
    package struct ScrubCursor: Sendable {
        package var report = ScrubReport()
        var nextLane = 0
        /// The first seq of a chunk of that lane.
        var nextSeq: UInt64 = 0
        var afterArrival: Int64 = 0
        /// Nil until all rows and blobs are checked.
        var derived: DerivedCursor?

        package init() {}
    }

    /// Checks some rows, up to `blobs` blobs, or a part of what is derived from them: no step takes much longer than
    /// another, so that a node can do other things between them. True while there is more; commit after each step.
    package func scrub(_ cursor: inout ScrubCursor, blobs: Int = 64) throws -> Bool {
        if cursor.nextLane < lanes.count {
            if let next = try scrubRows(lane: cursor.nextLane, from: cursor.nextSeq, &cursor.report) {
                cursor.nextSeq = next
            } else {
                (cursor.nextLane, cursor.nextSeq) = (cursor.nextLane + 1, 0)
            }
            return true
        }
        if var derived = cursor.derived {
            try scrubDerived(&derived, &cursor.report)
            cursor.derived = derived
            return !derived.isAtEnd
        }
        for _ in 0..<blobs {
            guard let (arrival, row, blob) = try nextBlob(after: cursor.afterArrival) else {
                cursor.derived = DerivedCursor()
                return true
            }
            cursor.afterArrival = arrival
            cursor.report.blobs += 1
            try scrubBlob(arrival: arrival, row: row, blob, &cursor.report)
        }
        return true
    }

    /// Compares rows of a lane with what was hashed at the commits.
    ///
    /// - Parameter low: the first seq of a chunk.
    /// - Returns: the seq of the next chunk; nil at the lane's end, and if it was mended: then all of it was read.
    private func scrubRows(lane number: Int, from low: UInt64, _ report: inout ScrubReport) throws -> UInt64? {
        try settleFingerprints()
        let id = lanes[number].id
        var (rows, through) = try keys(of: id, from: low, through: Limits.highestSeq, rows: Limits.scrubbedRows)
        if through < Limits.highestSeq {
            // Only whole chunks can be compared; one of a forked lane may have more rows than are read in a step.
            let end = max((through + 1) / Limits.chunkSeqs, low / Limits.chunkSeqs + 1) * Limits.chunkSeqs - 1
            if end > through {
                rows = try keys(of: id, from: low, through: end).keys
            } else {
                rows.removeAll { $0.seq > end }
            }
            through = end
        }
        report.rows += rows.count
        let check = LaneCheck(self, lane: number)
        if try !check.areHashed(rows, from: low, through: through) || (low == 0 && !check.isSumOfChunks) {
            try mend(lane: number, &report)
            through = Limits.highestSeq
        }
        try scrubAbsentBlobs(lane: number, from: low, through: through, &report)
        return through == Limits.highestSeq ? nil : through + 1
    }

    /// Drops rows that cannot be read, or whose seal or signature is wrong. The lane then differs from the peers', and
    /// healing brings back the rows they have.
    func mend(lane number: Int, _ report: inout ScrubReport) throws {
        var unreadable: [RowID] = []
        var found: Set<UInt64> = []
        var count = 0
        try forEachRow(lane: number, from: 0, through: Limits.highestSeq) { row, encoded in
            if (try? Record(encoded: encoded)) == nil { unreadable.append(row) }
        }
        for (row, record) in try readableRows(lane: number) {
            if (try? signatures.open(record)) == nil {
                unreadable.append(row)
            } else {
                count += 1
                found.insert(row.seq / Limits.chunkSeqs)
            }
        }
        try begin()
        for row in unreadable { try forgetUnreadable(row: row) }
        wantedCount = Int(try statements.wantedCount.number())
        report.damagedRows += unreadable.count
        report.lanesDiffering += 1
        recordCount += count - lanes[number].rows
        lanes[number].rows = count
        try chunks.distrust(lane: number, found: found)
        lanes[number].highest = try highestSeq(lane: number)
        try recount(number)
        touch(number)
        content.rowsLost(in: lanes[number].id)
        mustSettle = true
        try addRepair("lane \(lanes[number].id.shortHex): rows were missing or damaged; healed from the next peer")
    }

    private func readableRows(lane number: Int) throws -> [(RowID, Record)] {
        var found: [(RowID, Record)] = []
        try forEachRow(lane: number, from: 0, through: Limits.highestSeq) { row, encoded in
            if let record = try? Record(encoded: encoded) { found.append((row, record)) }
        }
        return found
    }

    private func forgetUnreadable(row: RowID) throws {
        if let arrival = try arrival(of: row) { try orphan(row, arrival: arrival) }
        try statements.deleteRecord.run(row.value)
    }

    private func scrubBlob(arrival: Int64, row: RowID, _ blob: [UInt8], _ report: inout ScrubReport) throws {
        guard row.value >= 0 else { return try scrubAside(arrival: arrival, blob, &report) }
        guard let record = try record(at: row) else { return try orphan(row, arrival: arrival) }
        guard try self.arrival(of: row) == arrival else {
            // The row came back while nobody knew that the blob was here.
            orphans[row] = arrival
            try begin()
            return try takeOrphan(row, of: record)
        }
        guard let reference = record.blob, BlobHash(of: blob) != reference.hash else { return }
        report.damagedBlobs += 1
        try markDamaged(row: row, arrival: arrival, record: record)
    }

    private func scrubAside(arrival: Int64, _ blob: [UInt8], _ report: inout ScrubReport) throws {
        let kept = try aside.record(ofBlob: arrival)
        guard let hash = kept?.record?.blob?.hash, BlobHash(of: blob) == hash else {
            // If it is shown, its replacement is already wanted.
            try begin()
            if kept?.isShown == true { try hideAside(arrival: arrival) }
            try aside.forget(blob: arrival)
            try statements.deleteBlob.run(arrival)
            report.damagedBlobs += 1
            return try addRepair("a blob that was kept aside was damaged")
        }
    }

    /// Finds rows whose blobs are not there: a lost log may leave the file between two commits.
    private func scrubAbsentBlobs(
        lane number: Int, from low: UInt64, through high: UInt64, _ report: inout ScrubReport
    ) throws {
        let absent = try database.prepare(
            """
            SELECT id, blob FROM record
            WHERE id BETWEEN ? AND ? AND blob IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = record.blob)
            """)
        let bounds = RowID.bounds(lane: number, from: low, through: high)
        for (row, arrival) in try absent.all(bounds.low, bounds.high, read: { (RowID(value: $0.int(0)), $0.int(1)) }) {
            guard let record = try record(at: row) else { continue }
            report.damagedBlobs += 1
            try markDamaged(row: row, arrival: arrival, record: record)
        }
    }

    /// Derived data is not healed from peers: it is derived again.
    private func scrubDerived(_ cursor: inout DerivedCursor, _ report: inout ScrubReport) throws {
        var mended = try content.mendDerived(&cursor)
        if cursor.isAtEnd { report.lostMessages = try content.countLost() }
        if try cursor.isAtEnd && !slots.isSound() { mended.append(try SlotCheck(self).derive()) }
        report.damagedIndexes += mended.count
        guard !mended.isEmpty else { return }
        try begin()
        for what in mended { try addRepair(what) }
    }

    /// Checks a blob that could not be opened; if it rotted, it is fetched again.
    package func verify(arrival: Int64) throws {
        guard let row = try row(ofArrival: arrival), let blob = try blob(arrival: arrival) else { return }
        var report = ScrubReport()
        try scrubBlob(arrival: arrival, row: row, blob, &report)
    }

    /// Stops reading from a blob whose row is lost, until the row is back.
    private func orphan(_ row: RowID, arrival: Int64) throws {
        orphans[row] = arrival
        try begin()
        try content.blobHidden(arrival: arrival, of: nil)
    }

    /// Number of blobs that are here and whose rows are found lost.
    package var orphanCount: Int { orphans.count }

    /// Takes the blob of a lost row that came back, if it is the one that the record names.
    func takeOrphan(_ row: RowID, of record: Record) throws {
        guard let arrival = orphans.removeValue(forKey: row), let blob = try blob(arrival: arrival) else { return }
        try statements.deleteBlob.run(arrival)
        guard BlobHash(of: blob) == record.blob?.hash else { return }
        _ = try blob.withUnsafeBytes { try store($0, row: row, of: record, from: .peer(nil)) }
    }

    func addRepair(_ what: String) throws { try statements.addRepair.run(wall.milliseconds, what) }

    /// The latest repairs, the newest first.
    package func repairs(limit: Int) throws -> [(at: WallTime, what: String)] {
        try statements.repairs.all(Int64(limit)) { row in
            (WallTime(milliseconds: row.int(0)), row.text(1))
        }
    }
}
