import NodeCore

/// The messages of a group that apps gave one by one. Connected devices get them together, as soon as no more come.
struct ArchiveBurst {
    struct Row {
        var id: Int64
        var givenAt: MonotonicTime
        /// Upper bound of the payload.
        var bytes: Int
        /// It was sent from here; false as well where nobody knows any more.
        var isSent: Bool
    }

    /// In the order in which they were given.
    private(set) var rows: [Row] = []
    private(set) var bytes = 0

    mutating func add(_ row: Row) {
        let place = rows.lastIndex { $0.givenAt <= row.givenAt }.map { $0 + 1 } ?? 0
        rows.insert(row, at: place)
        bytes += row.bytes
    }

    /// Takes a row out, and tells when it was given; nil if it is not one of these.
    mutating func remove(_ id: Int64) -> MonotonicTime? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        bytes -= rows[place].bytes
        return rows.remove(at: place).givenAt
    }

    /// When it is over for the connected devices, the first of which came at `met`: after a pause, so that each of two
    /// that meet learns first what the other one has archived, and at the latest some seconds after its first message.
    ///
    /// - Parameter ofSent: of what was sent from here alone.
    /// - Returns: nil where there is nothing of that kind.
    func end(met: MonotonicTime, ofSent: Bool = false) -> MonotonicTime? {
        guard let first = rows.first(where: { $0.isSent || !ofSent })?.givenAt,
            let last = rows.last(where: { $0.isSent || !ofSent })?.givenAt
        else { return nil }
        return min(max(last, met) + Limits.burstPause, max(first, met) + Limits.burstAge)
    }
}
