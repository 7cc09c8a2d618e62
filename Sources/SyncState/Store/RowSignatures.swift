package import NodeCore

/// The signatures of rows that come from outside. Each is checked once: a row that is stored was checked. A row that a
/// signed list names needs no check.
///
/// A check costs more than everything else that a restore does with a row, and the checks are independent: those of a
/// message's rows are made on two threads.
package final class RowSignatures {
    private let zone: ZoneID
    weak var content: (any ZoneContent)?
    /// Checks half of the signatures on another thread; set by the owner of threads.
    package weak var worker: (any PairWorker)?
    /// The rows of the message that is being stored, until one of them has to be checked.
    private var expected: [[UInt8]] = []
    /// Those of them whose signatures are valid.
    private var checked: Set<RecordHash> = []

    init(zone: ZoneID) {
        self.zone = zone
    }

    /// Announces rows that are about to be stored, one after the other.
    package func expect(_ rows: [[UInt8]]) { (expected, checked) = (rows, []) }

    /// The content of a record that comes from outside, or that may have rotted.
    func open(_ record: Record) throws -> any RecordContent {
        guard let content else { preconditionFailure("invariant: the store has its content") }
        let opened = try content.open(record)
        // The signature comes after the seal, which is cheaper to check.
        guard try content.rules.isListed(record) || isSigned(record) else {
            throw RecordRejection.notAuthentic
        }
        return opened
    }

    private func isSigned(_ record: Record) -> Bool {
        checkExpected()
        if !checked.isEmpty, checked.contains(record.hash) { return true }
        return record.isSigned(in: zone)
    }

    /// Wrong ones, and bytes that are not a record, are left for the store to refuse.
    private func checkExpected() {
        let rows = expected
        expected = []
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
}
