package import NodeCore

/// Checks a lane that differs from a peer's. A lost log may leave the file between two commits; comparing with the peer
/// then finds equal rows and settles nothing.
package struct LaneCheck {
    private let store: ZoneStore
    private let number: Int

    init(_ store: ZoneStore, lane number: Int) { (self.store, self.number) = (store, number) }

    /// Nil if nothing of the lane is here.
    package init?(_ store: ZoneStore, of id: LaneID) {
        guard let number = store.laneNumber(id) else { return nil }
        self.init(store, lane: number)
    }

    /// Mends the lane if the totals noted for it do not follow from its chunks.
    package func checkSums() throws {
        try store.settleFingerprints()
        if try !isSumOfChunks { try mend() }
    }

    /// Mends the lane if rows that were read of it are not those that were hashed. Of a chunk in parts, the first one
    /// does it.
    ///
    /// - Parameters:
    ///   - rows: all from `low` to `high`.
    ///   - more: how many others of the last chunk may be read.
    package func check(_ rows: [RowKey], from low: UInt64, through high: UInt64, reading more: UInt64) throws {
        let end = high | (Limits.chunkSeqs - 1)
        guard low % Limits.chunkSeqs == 0, end == high || more > 0 else { return }
        let id = store.lanes[number].id
        let (rest, through) = high < end ? try store.keys(of: id, from: high + 1, through: end, rows: more) : ([], end)
        guard through == end else { return }
        try store.settleFingerprints()
        if try !areHashed(rows + rest, from: low, through: end) { try mend() }
    }

    private func mend() throws {
        var report = ZoneStore.ScrubReport()
        try store.mend(lane: number, &report)
    }

    var isSumOfChunks: Bool {
        get throws {
            let lane = store.lanes[number]
            let all = try store.chunks(of: lane.id, from: 0, through: Limits.highestSeq).chunks
            return Fingerprint(of: all) == lane.fingerprint && all.reduce(0) { $0 + $1.rows } == lane.rows
        }
    }

    /// - Parameter rows: all from the seq `low`, the first of a chunk, to `high`, the last of one.
    func areHashed(_ rows: [RowKey], from low: UInt64, through high: UInt64) throws -> Bool {
        var found = FoundChunks()
        for row in rows { found.add(row) }
        found.finish()
        return try found.chunks[...] == store.chunks(of: store.lanes[number].id, from: low, through: high).chunks
    }
}

/// Makes the chunks of a lane from its rows.
private struct FoundChunks {
    private(set) var chunks: [Chunk] = []
    private var rows: [RowKey] = []

    /// - Parameter row: its seq is not below that of the row before.
    mutating func add(_ row: RowKey) {
        if let last = rows.last, last.chunk < row.chunk { finish() }
        rows.append(row)
    }

    /// Ends the last chunk.
    mutating func finish() {
        if let chunk = Chunk(rows.sorted()[...]) { chunks.append(chunk) }
        rows = []
    }
}
