import NodeCore
import SyncState

/// The answer to one range of a peer's RANGES (docs/PROTOCOL.md, §9.3).
struct RangeAnswer {
    let lane: LaneID
    let range: RangeSum
    /// The work that may be done, in rows read. The peer asks again for the rest.
    let rows: UInt64

    /// The answer's messages; none if the range is equal.
    func messages(from store: ZoneStore) throws -> [Message] {
        if range.isOfChunks, let messages = try byChunks(store) { return messages }
        return try byRows(store)
    }

    /// The same if no row has to be read.
    private func byChunks(_ store: ZoneStore) throws -> [Message]? {
        let (chunks, through) = try store.chunks(of: lane, from: range.low, through: range.high, rows: rows)
        if through == range.high, Fingerprint(of: chunks) == range.fingerprint { return [] }
        let size = SyncState.Limits.chunkSeqs
        let width = (through - range.low) / size
        guard width > 0, !range.isLeaf(with: chunks.reduce(0) { $0 + UInt64($1.rows) }) else { return nil }
        return parts(of: chunks, step: (width / Limits.rangeSplit + 1) * size, through: through) {
            $0.number * size
        } sum: {
            (Fingerprint(of: $0), $0.reduce(0) { $0 + UInt64($1.rows) })
        }
    }

    private func byRows(_ store: ZoneStore) throws -> [Message] {
        let (keys, through) = try store.keys(
            of: lane, from: range.low, through: range.high, rows: min(rows, Limits.rowsPerAnswer))
        let left = rows - min(UInt64(keys.count), rows)
        try LaneCheck(store, of: lane)?.check(keys, from: range.low, through: through, reading: left)
        if !range.isOfChunks, through == range.high, Fingerprint(of: keys[...]) == range.fingerprint { return [] }
        // A range of several chunks has few keys, or had few a moment ago.
        if range.isLeaf(with: UInt64(keys.count)) || through == range.low || !range.isOfOneChunk {
            return [.keys(lane: lane, low: range.low, high: through, keys.map(KeyName.init))] + rest(after: through)
        }
        return parts(of: keys[...], step: (through - range.low) / Limits.rangeSplit + 1, through: through) {
            $0.seq
        } sum: {
            (Fingerprint(of: $0), UInt64($0.count))
        }
    }

    /// - Parameters:
    ///   - items: what is held of the range, ascending.
    ///   - step: how many seqs a part has.
    private func parts<Item>(
        of items: ArraySlice<Item>, step: UInt64, through: UInt64, seq: (Item) -> UInt64,
        sum: (ArraySlice<Item>) -> (Fingerprint, UInt64)
    ) -> [Message] {
        var left = items
        let parts = stride(from: range.low, through: through, by: Int(step)).map { low in
            let high = min(low + step - 1, through)
            let part = left.prefix { seq($0) <= high }
            left = left[part.endIndex...]
            let (fingerprint, count) = sum(part)
            return RangeSum(low: low, high: high, fingerprint: fingerprint, count: count)
        }
        return [.ranges(lane: lane, parts)] + rest(after: through)
    }

    private func rest(after through: UInt64) -> [Message] {
        through < range.high
            ? [.ranges(lane: lane, RangeSum.unread(from: through + 1, through: range.high))] : []
    }
}

extension RangeSum {
    /// A range is of whole chunks, or a part of one.
    static func isRange(from low: UInt64, through high: UInt64) -> Bool {
        let size = SyncState.Limits.chunkSeqs
        return low <= high && high <= SyncState.Limits.highestSeq
            && (low / size == high / size || low % size == 0 && high % size == size - 1)
    }

    /// The rows of these seqs, which were not read: of the rest of a chunk, of whole chunks, and of a part of the last.
    static func unread(from low: UInt64, through high: UInt64) -> [RangeSum] {
        let size = SyncState.Limits.chunkSeqs
        let borders =
            isRange(from: low, through: high) ? [] : [(low + size - 1) / size * size, (high + 1) / size * size]
        var starts = [low]
        for border in borders where border > starts[starts.count - 1] && border <= high { starts.append(border) }
        return zip(starts, starts.dropFirst().map { $0 - 1 } + [high]).map { low, high in
            RangeSum(low: low, high: high, fingerprint: nil, count: 0)
        }
    }

    fileprivate var isOfChunks: Bool {
        low % SyncState.Limits.chunkSeqs == 0 && (high + 1) % SyncState.Limits.chunkSeqs == 0
    }

    fileprivate var isOfOneChunk: Bool { low / SyncState.Limits.chunkSeqs == high / SyncState.Limits.chunkSeqs }

    /// Whether the rows of both ends are so few that they are named.
    fileprivate func isLeaf(with own: UInt64) -> Bool {
        own <= Limits.leafRows && count <= Limits.leafRows - own
    }
}

extension KeyName {
    init(_ key: RowKey) { self.init(seq: key.seq, hash: key.hash.prefix) }
}
