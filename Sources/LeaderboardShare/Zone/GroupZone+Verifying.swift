import NodeCore
import SyncState

/// Checking a signature costs more than everything else that a restore does with a record, and the checks are
/// independent.
extension GroupZone {
    /// Checks the signatures of rows about to be stored, half of them on another thread. Bad ones, and bytes that are
    /// not a record, are left for `open` to refuse.
    package func prepare(_ rows: [[UInt8]]) {
        verified = []
        guard let worker, rows.count >= Limits.preparedRows else { return }
        let middle = rows.count / 2
        let (first, second) = (rows[..<middle], rows[middle...])
        let found = Lock<[RecordHash]>([])
        var mine: [RecordHash] = []
        worker.run(
            { mine = Self.signed(first) },
            and: {
                let theirs = Self.signed(second)
                found.withLock { $0 = theirs }
            })
        verified = Set(mine)
        verified.formUnion(found.withLock { $0 })
    }

    private static func signed(_ rows: ArraySlice<[UInt8]>) -> [RecordHash] {
        rows.compactMap { row in
            guard let record = try? Record(encoded: row), record.isSigned else { return nil }
            return record.hash
        }
    }

    /// True if the lane's key signed the record; checked earlier or now.
    func isSigned(_ record: Record) -> Bool {
        if !verified.isEmpty, verified.contains(record.hash) { return true }
        return record.isSigned
    }
}
