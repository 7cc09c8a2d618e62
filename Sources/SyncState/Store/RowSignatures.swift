package import NodeCore

/// The signatures of rows that come from outside. Each is checked once: a row that is stored was checked.
///
/// A check costs more than everything else that a restore does with a row, and the checks are independent: those of a
/// message's rows are made on two threads, before the rows are stored one by one.
package final class RowSignatures {
    private let zone: ZoneID
    /// Checks half of the signatures on another thread; set by the owner of threads.
    package weak var worker: (any PairWorker)?
    /// Rows of the message that is being stored.
    private var checked: Set<RecordHash> = []

    init(zone: ZoneID) {
        self.zone = zone
    }

    /// Checks the signatures of rows about to be stored. Wrong ones, and bytes that are not a record, are left for the
    /// store to refuse.
    package func prepare(_ rows: [[UInt8]]) {
        checked = []
        guard let worker, rows.count >= Limits.preparedRows else { return }
        let middle = rows.count / 2
        let (first, second, zone) = (rows[..<middle], rows[middle...], zone)
        let found = Lock<[RecordHash]>([])
        var mine: [RecordHash] = []
        worker.run(
            { mine = Self.signed(first, in: zone) },
            and: {
                let theirs = Self.signed(second, in: zone)
                found.withLock { $0 = theirs }
            })
        checked = Set(mine)
        checked.formUnion(found.withLock { $0 })
    }

    private static func signed(_ rows: ArraySlice<[UInt8]>, in zone: ZoneID) -> [RecordHash] {
        rows.compactMap { row in
            guard let record = try? Record(encoded: row), record.isSigned(in: zone) else { return nil }
            return record.hash
        }
    }

    /// The content of a record that comes from outside, or that may have rotted.
    func open(_ record: Record, _ content: any ZoneContent) throws(RecordRejection) -> any RecordContent {
        let opened = try content.open(record)
        // After the seal, which is cheaper to check.
        guard isSigned(record) else { throw .notAuthentic }
        return opened
    }

    /// True if the lane's key signed the record; checked with its message or now.
    private func isSigned(_ record: Record) -> Bool {
        if !checked.isEmpty, checked.contains(record.hash) { return true }
        return record.isSigned(in: zone)
    }
}
