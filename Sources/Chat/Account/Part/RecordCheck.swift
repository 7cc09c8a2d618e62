import NodeCore
import SyncState

/// Compares what the parts keep with the records that are held: a log that was lost may have left the file between two
/// commits, with rows that no part took.
struct RecordCheck {
    private let context: AccountContext
    private let parts: AccountParts

    init(_ context: AccountContext, _ parts: AccountParts) { (self.context, self.parts) = (context, parts) }

    /// Checks some records, and takes once more what is not here.
    ///
    /// - Returns: what was repaired, in words.
    func check(_ cursor: inout DerivedCursor) throws -> [String] {
        var records: [Record] = []
        // Whole records are in memory, and each is opened.
        let last = try context.store.forEachRecord(
            after: RowID(value: cursor.place), limit: UInt64(SyncState.Limits.pageRows)
        ) { records.append($0) }
        if let last { cursor.place = last.value } else { cursor.end() }
        var mended: [String] = []
        let slots = SlotCheck(context.store)
        if try records.contains(where: { try !slots.finds($0) && slots.isInPlace($0) }) {
            mended.append(try slots.derive())
        }
        var missed = 0
        // What follows from a segment is the index of messages.
        for record in records where record.kind != .segment {
            guard let content = try? context.open(record), let part = parts.part(for: content),
                try !part.isTaken(opened: content, in: record.lane), try slots.isInPlace(record)
            else { continue }
            try part.held(opened: content, in: record.lane)
            missed += 1
        }
        guard missed > 0 else { return mended }
        // Values may be here whose rows are not.
        context.lostLanes.formUnion(context.store.vector.map(\.id))
        context.store.mustSettle = true
        return mended + ["what \(missed) records say was not here; taken from them again"]
    }
}
