package import NodeCore

/// Fingerprints, and the parts of a lane that two nodes compare.
extension ZoneStore {
    /// Brings the fingerprints up to date with the rows: part of each commit. Rows that are found to have rotted are
    /// dropped.
    func settleFingerprints() throws {
        var report = ScrubReport()
        for (number, fingerprint, isDamaged) in try chunks.settle(rowKeys) {
            lanes[number].fingerprint = fingerprint
            if isDamaged { try mend(lane: number, &report) }
        }
        // Dropped rows are no longer hashed.
        for (number, fingerprint, _) in try chunks.settle(rowKeys) { lanes[number].fingerprint = fingerprint }
    }

    private func rowKeys(lane number: Int, chunk: UInt64) throws -> [RowKey] {
        let low = chunk * Limits.chunkSeqs
        let bounds = RowID.bounds(lane: number, from: low, through: low + Limits.chunkSeqs - 1)
        var last = RowID(value: bounds.low - 1)
        return try statements.recordsBetween.all(bounds.low, bounds.high) { row in
            last = try RowID(row, after: last)
            return RowKey(last, row)
        }.sorted()
    }

    /// The chunks from that of `low` to that of `high` as of the last commit, ascending, as far as they may be read:
    /// all up to the seq `through`.
    ///
    /// - Parameter rows: the work that may be done, in rows read.
    package func chunks(
        of id: LaneID, from low: UInt64, through high: UInt64, rows: UInt64 = .max
    ) throws -> (chunks: ArraySlice<Chunk>, through: UInt64) {
        scannedRows += 1
        guard let number = numbers[id], low <= high else { return ([], high) }
        let all = try chunks.chunks(of: number)[...]
        let found = all[all.place(of: low / Limits.chunkSeqs)..<all.place(of: high / Limits.chunkSeqs + 1)]
        let most = rows > UInt64(found.count) ? found.count : Int(max(rows, 1)) * Limits.chunksPerRow
        let read = found.prefix(most)
        scannedRows += UInt64(read.count / Limits.chunksPerRow)
        return (read, read.endIndex < found.endIndex ? found[read.endIndex].number * Limits.chunkSeqs - 1 : high)
    }

    /// The rows of a range as (seq, hash), ascending, as far as they may be read: all up to the seq `through`.
    ///
    /// - Parameter rows: how many may be read; more only if they stand at one seq.
    package func keys(
        of id: LaneID, from low: UInt64, through high: UInt64, rows: UInt64 = .max
    ) throws -> (keys: [RowKey], through: UInt64) {
        guard let number = numbers[id], low <= high else { return ([], high) }
        let bounds = RowID.bounds(lane: number, from: low, through: high)
        let query = statements.recordsBetween
        query.bind(1, bounds.low)
        query.bind(2, bounds.high)
        defer { query.reset() }
        var keys: [RowKey] = []
        var row = RowID(value: bounds.low - 1)
        while try query.step() {
            row = try RowID(query, after: row)
            if let last = keys.last, last.seq < row.seq, keys.count >= rows { return (keys.sorted(), row.seq - 1) }
            scannedRows += 1
            keys.append(RowKey(row, query))
        }
        return (keys.sorted(), high)
    }

    /// The encoded record of a key; nil if it is neither held nor aside, or has rotted. Then the lane is mended: a peer
    /// that lacks the row would refuse it, and ask again.
    package func row(of id: LaneID, seq: UInt64, hash: Bytes16) throws -> [UInt8]? {
        scannedRows += 1
        guard let number = numbers[id], seq <= Limits.highestSeq else { return nil }
        var held: [UInt8]?
        try forEachRow(lane: number, from: seq, through: seq) { _, encoded in
            if Record.hash(of: encoded).prefix == hash { held = encoded }
        }
        guard let held else {
            return try aside.rows(lane: number, seq: seq).map(\.record).first { $0.hash.prefix == hash }?.encoded
        }
        if let record = try? Record(encoded: held), (try? signatures.open(record)) != nil { return held }
        var report = ScrubReport()
        try mend(lane: number, &report)
        return nil
    }
}

/// A row's place in its lane: a forked lane can hold several at one seq.
package struct RowKey: Hashable, Comparable, Sendable {
    package let seq: UInt64
    package let hash: RecordHash

    package init(seq: UInt64, hash: RecordHash) {
        (self.seq, self.hash) = (seq, hash)
    }

    package static func < (one: RowKey, other: RowKey) -> Bool { (one.seq, one.hash) < (other.seq, other.hash) }
}

extension RowKey {
    /// - Parameter query: `recordsBetween`.
    fileprivate init(_ row: RowID, _ query: Statement) {
        self.init(seq: row.seq, hash: query.withBlob(1) { RecordHash(Blake2b.hash32($0)) })
    }
}

extension RecordHash {
    /// The first 16 bytes, by which messages name a record.
    package var prefix: Bytes16 { Bytes16(storage.w0, storage.w1) }
}
