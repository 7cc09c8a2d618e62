package import NodeCore

/// Serving a lane: pages, the newest rows, and ranges for healing.
extension ZoneStore {
    /// The rows of a lane above `since`, up to the head and the limits. Stateless: the answer depends only on the
    /// question and the rows.
    ///
    /// Rows above the head were peeked at; a page that included them would claim the gap below them. A page's `through`
    /// never splits the rows of one seq; if they do not fit into one page, the next one continues at its cursor.
    package func page(
        of id: LaneID, since: UInt64, from cursor: RowID? = nil, rows maxRows: Int, sizeBytes maxBytes: Int
    ) throws -> Page {
        guard let number = numbers[id] else {
            return Page(rows: [], through: since, target: 0, isDone: true, cursor: RowID(value: 0))
        }
        let lane = lanes[number]
        let end = lane.head
        // The lane may have another number than when the cursor was made.
        let low = RowID.bounds(lane: number, from: since + 1, through: since + 1).low
        let first = max(cursor?.value ?? low, low)
        var page = Page(
            rows: [], through: since, target: lane.target, isDone: false, cursor: RowID(value: first))
        guard since < end else {
            page.isDone = true
            return page
        }
        let query = statements.recordsBetween
        query.bind(1, first)
        query.bind(2, RowID.bounds(lane: number, from: 0, through: end).high)
        defer { query.reset() }
        var sizeBytes = 0
        var last: RowID?
        while try query.step() {
            let row = RowID(value: query.int(0))
            if page.rows.count >= maxRows || sizeBytes >= maxBytes {
                page.cursor = row
                // All seqs below this row's are complete.
                page.through = max(since, row.seq - 1)
                return page
            }
            let encoded = query.blob(1)
            sizeBytes += encoded.count
            page.rows.append(encoded)
            last = row
        }
        page.through = end
        page.isDone = true
        page.cursor = last ?? page.cursor
        return page
    }

    /// The newest rows of a lane, the newest first.
    package func newest(of id: LaneID, count: Int) throws -> [[UInt8]] {
        guard let number = numbers[id] else { return [] }
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        let query = statements.newest
        query.bind(1, bounds.low)
        query.bind(2, bounds.high)
        query.bind(3, Int64(count))
        defer { query.reset() }
        var rows: [[UInt8]] = []
        while try query.step() { rows.append(query.blob(0)) }
        return rows
    }

    /// Sum and number of the rows in a range.
    package func sum(of id: LaneID, from low: UInt64, through high: UInt64) throws -> SetSum {
        if let known = knownSum(of: id, from: low, through: high) { return known }
        var sum = PartedSum(low: low, high: high, parts: 1)
        while try !add(to: &sum, of: id, rows: .max) {}
        return sum.whole
    }

    /// The same if no row has to be read: for a whole lane, or one that is not here.
    package func knownSum(of id: LaneID, from low: UInt64, through high: UInt64) -> SetSum? {
        guard let number = numbers[id], low <= high else { return SetSum() }
        return low == 0 && high >= lanes[number].highest ? lanes[number].sum : nil
    }

    /// Reads up to `rows` further rows into the sums of a range's parts. False if rows are left. Changes behind the
    /// cursor made in the meantime are not seen.
    package func add(to sum: inout PartedSum, of id: LaneID, rows: UInt64) throws -> Bool {
        guard let number = numbers[id], sum.low <= sum.high else { return true }
        let bounds = RowID.bounds(lane: number, from: sum.low, through: sum.high)
        let query = statements.recordsBetween
        // The lane may have a new number, and lower rows belong to another lane.
        query.bind(1, max(sum.cursor ?? bounds.low, bounds.low))
        query.bind(2, bounds.high)
        defer { query.reset() }
        var left = rows
        while try query.step() {
            let row = RowID(value: query.int(0))
            guard left > 0 else {
                sum.cursor = row.value
                return false
            }
            left -= 1
            scannedRows += 1
            sum.add(query.withBlob(1) { RecordHash(Blake2b.hash32($0)) }, at: row.seq)
        }
        return true
    }

    /// The rows of a range as (seq, hash), ascending. The caller keeps the range small.
    package func keys(of id: LaneID, from low: UInt64, through high: UInt64) throws -> [RowKey] {
        guard let number = numbers[id], low <= high else { return [] }
        var keys: [RowKey] = []
        try forEachRow(lane: number, from: low, through: high) { row, encoded in
            keys.append(RowKey(seq: row.seq, hash: Record.hash(of: encoded)))
        }
        return keys.sorted()
    }

    /// The same, or nil if there are more than `limit`: no more than that are read.
    package func keys(of id: LaneID, from low: UInt64, through high: UInt64, atMost limit: Int) throws -> [RowKey]? {
        guard let number = numbers[id], low <= high else { return [] }
        let bounds = RowID.bounds(lane: number, from: low, through: high)
        let query = statements.recordsBetween
        query.bind(1, bounds.low)
        query.bind(2, bounds.high)
        defer { query.reset() }
        var keys: [RowKey] = []
        while try query.step() {
            scannedRows += 1
            guard keys.count < limit else { return nil }
            keys.append(RowKey(seq: RowID(value: query.int(0)).seq, hash: Record.hash(of: query.blob(1))))
        }
        return keys.sorted()
    }

    /// The encoded record of a key; nil if it is not held.
    package func row(of id: LaneID, seq: UInt64, hashPrefix: UInt64) throws -> [UInt8]? {
        scannedRows += 1
        guard let number = numbers[id], seq <= Limits.highestSeq else { return nil }
        return try rows(lane: number, from: seq, through: seq)
            .first { $0.record.hash.prefix == hashPrefix }?.record.encoded
    }
}

/// A row's place in its lane: a forked lane can hold several at one seq.
package struct RowKey: Hashable, Comparable, Sendable {
    package let seq: UInt64
    package let hash: RecordHash

    package init(seq: UInt64, hash: RecordHash) {
        self.seq = seq
        self.hash = hash
    }

    package static func < (one: RowKey, other: RowKey) -> Bool { (one.seq, one.hash) < (other.seq, other.hash) }
}

extension RecordHash {
    /// The first 8 bytes, big-endian: enough to identify a record among those of one seq.
    package var prefix: UInt64 { storage.w0 }
}
