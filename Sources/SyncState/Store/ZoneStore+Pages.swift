package import NodeCore

/// Serving a lane: pages, and the newest rows.
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
            let row = try RowID(query, after: last ?? RowID(value: first - 1))
            if page.rows.count >= maxRows || sizeBytes >= maxBytes {
                page.cursor = row
                // All seqs below this row's are complete.
                page.through = max(since, row.seq - 1)
                return page
            }
            last = row
            let encoded = query.blob(1)
            guard Self.isOneItem(encoded) else { continue }
            sizeBytes += encoded.count
            page.rows.append(encoded)
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
        return try statements.newest.all(bounds.low, bounds.high, count) { $0.blob(0) }.filter(Self.isOneItem)
    }

    /// False for a row that rotted so that it would spoil those beside it in a message. A peer that lacks it asks for
    /// it by its hash, and then it is mended.
    private static func isOneItem(_ encoded: [UInt8]) -> Bool {
        var reader = CBORReader(encoded)
        return (try? reader.skip()) != nil && reader.remaining == 0
    }
}

/// A piece of a lane in ascending order of seq.
package struct Page: Sendable {
    /// Canonical records, ascending.
    package var rows: [[UInt8]]
    /// After taking the rows, the receiver has everything up to here that the sender has.
    package var through: UInt64
    /// The highest seq that the sender knows to exist.
    package var target: UInt64
    /// Whether `through` is the sender's head.
    package var isDone: Bool
    /// The start of the next page of the same answer.
    package var cursor: RowID
}
