package import NodeCore

/// Rows, with their blobs, that a later row of their lane and slot replaced, or that no longer count. They are in no
/// set, list or total, and are served only by their hash (docs/PROTOCOL.md, §5). They stay for seven days of running
/// time, in a group while there is room; those that may count again stay until they do.
///
/// A rewritten segment has the same messages, except deleted ones. Its record comes first; until its blob arrives, if
/// ever, the old one is *shown*: the messages are read from it.
package final class SupersededRows {
    static var migration: Migration {
        // A blob kept by an earlier step has no seq: nobody finds it by its name.
        Migration(
            "superseded rows",
            sql: """
                CREATE TABLE superseded(
                    id INTEGER PRIMARY KEY,
                    row INTEGER NOT NULL,
                    since INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    blob INTEGER,
                    shown BLOB,
                    rec BLOB NOT NULL);
                CREATE INDEX superseded_row ON superseded(row);
                CREATE INDEX superseded_blob ON superseded(blob) WHERE blob IS NOT NULL;
                CREATE INDEX superseded_shown ON superseded(shown) WHERE shown IS NOT NULL;
                INSERT INTO superseded(row, since, size, blob, shown, rec)
                    SELECT lane << 51, 0, length(rec), blob, slot, rec FROM aside ORDER BY blob;
                DROP TABLE aside;
                """)
    }

    static var waitingMigration: Migration {
        Migration(
            "rows that wait",
            sql: """
                ALTER TABLE superseded ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX superseded_since ON superseded(since) WHERE shown IS NULL AND NOT waits;
                """)
    }

    /// How long a row is kept.
    enum Keeping: Hashable {
        /// For seven days of running time, or until others need the room.
        case forAWhile
        /// Until the blob of the row that replaced it is here: until then the messages in its blob are read.
        case shown
        /// Until its lane stands again, or the list arrives that may name it. It takes no room from others, since it is
        /// no more than was held before.
        case waiting
    }

    /// A row as it is kept.
    struct Kept {
        let record: Record
        let row: RowID
        /// When it came here.
        let at: WallTime
        /// The arrival of its blob, if that is here.
        let blob: Int64?
        let keeping: Keeping
    }

    /// The arrivals of the shown blobs, each with whether others lack its replacement, too, and it was waited for long
    /// enough.
    private var shownBlobs: [Int64: Bool] = [:]
    /// The running time at which the oldest row that is not shown was put aside.
    private var first: Duration?
    /// Bytes that count against a lane's share, for each lane that has rows here, by the lane's number.
    private var sizes: [Int: Int] = [:]
    private let database: Database
    private let insert, detachBlob, hideBlob, delete, deleteBlob: Statement
    private let oldest, lowest, sums, shown, shownOfSlot, between, waiting, ofBlob, withBlob, blobs, kept: Statement

    init(_ database: Database) throws {
        self.database = database
        insert = try database.prepare(
            "INSERT INTO superseded(row, since, size, blob, shown, waits, rec, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
        // A negative row, because a row stored later may get the number of the replaced one.
        detachBlob = try database.prepare("UPDATE blob SET record = -id WHERE id = ?")
        hideBlob = try database.prepare("UPDATE superseded SET shown = NULL WHERE blob = ? RETURNING row, size")
        delete = try database.prepare("DELETE FROM superseded WHERE id = ?")
        deleteBlob = try database.prepare("DELETE FROM blob WHERE id = ?")
        oldest = try database.prepare(
            "SELECT id, row, size, blob, since FROM superseded WHERE \(Self.isCounted) ORDER BY since, id LIMIT 1")
        lowest = try database.prepare(
            """
            SELECT id, row, size, blob FROM superseded WHERE row BETWEEN ? AND ? AND \(Self.isCounted)
            ORDER BY row LIMIT 1
            """)
        sums = try database.prepare("SELECT row >> 51, sum(iif(\(Self.isCounted), size, 0)) FROM superseded GROUP BY 1")
        shown = try database.prepare("SELECT row, blob, rec, since FROM superseded WHERE shown IS NOT NULL ORDER BY id")
        shownOfSlot = try database.prepare(
            "SELECT blob, since FROM superseded WHERE shown = ? AND row BETWEEN ? AND ? ORDER BY id LIMIT 1")
        between = try database.prepare(
            "SELECT id, rec, blob, at FROM superseded WHERE row BETWEEN ? AND ? ORDER BY row")
        waiting = try database.prepare(
            "SELECT 1 FROM superseded WHERE row BETWEEN ? AND ? AND waits AND since <= ? LIMIT 1")
        ofBlob = try database.prepare(
            "SELECT rec, shown IS NOT NULL, id, row, iif(waits, 0, size) FROM superseded WHERE blob = ?")
        withBlob = try database.prepare(
            "SELECT rec, data FROM superseded JOIN blob ON blob.id = superseded.blob WHERE superseded.blob = ?")
        blobs = try database.prepare("SELECT blob, rec FROM superseded WHERE blob IS NOT NULL ORDER BY id DESC")
        kept = try database.prepare(
            "SELECT rec, row, blob, shown IS NOT NULL, waits, size, at FROM superseded WHERE id = ?")
    }

    /// Rows that go after a while, and take a share of the room until then.
    private static let isCounted = "shown IS NULL AND NOT waits"

    /// How many are shown. Usually none, and then they cost nothing.
    package var shownCount: Int { shownBlobs.count }

    /// Counts again, at the start and after a rollback.
    func load() throws {
        (shownBlobs, sizes) = ([:], [:])
        try shown.forEach(visit: { shownBlobs[$0.int(1)] = false })
        try sums.forEach(visit: { sizes[Int($0.int(0))] = Int($0.int(1)) })
        try findFirst()
    }

    private func findFirst() throws {
        first = try oldest.first { .milliseconds($0.int(4)) }
    }

    // MARK: Keeping

    /// Keeps a row that is being removed.
    ///
    /// - Parameters:
    ///   - at: when it came here.
    ///   - blob: the arrival of its blob, if that is held.
    func add(
        _ record: Record, row: RowID, at: WallTime, blob: Int64?, _ keeping: Keeping, since: Duration
    ) throws {
        let sizeBytes = record.encoded.count + (blob == nil ? 0 : record.blob?.sizeBytes ?? 0)
        try insert.run(
            row.value, since.heldMilliseconds, Int64(sizeBytes), blob, keeping == .shown ? record.slot.bytes : nil,
            keeping == .waiting ? 1 : 0, record.encoded, at.milliseconds)
        if let blob { try detachBlob.run(blob) }
        switch keeping {
        case .shown: if let blob { shownBlobs[blob] = false }
        case .waiting: sizes[row.lane, default: 0] += 0
        case .forAWhile:
            sizes[row.lane, default: 0] += sizeBytes
            if first == nil { try findFirst() }
        }
    }

    /// Stops reading messages from a blob.
    func hide(blob arrival: Int64) throws {
        let found = try hideBlob.first(arrival) { (RowID(value: $0.int(0)), Int($0.int(1))) }
        guard let (row, sizeBytes) = found else { return }
        shownBlobs[arrival] = nil
        sizes[row.lane, default: 0] += sizeBytes
        try findFirst()
    }

    /// Drops the oldest rows while they take more than their share: among other devices' lanes, from the one that takes
    /// most; of this device's lane, only to make room for others of it. Part of each commit, after everything that its
    /// changes need of these rows was read.
    ///
    /// - Parameter own: the number of the lane that this device writes.
    func keepShares(own: Int) throws {
        for isOwn in [true, false] {
            while let lane = greediest(isOwn, own: own) {
                let bounds = RowID.bounds(lane: lane, from: 0, through: Limits.highestSeq)
                lowest.bind(1, bounds.low)
                lowest.bind(2, bounds.high)
                guard try drop(lowest) else { break }
            }
        }
    }

    /// Superseded rows never fill a small store: rows that count would have no room.
    private var shareBytes: Int {
        min(Limits.asideSizeBytes, database.mostBytes.map { $0 / Limits.quotaReserveShare } ?? .max)
    }

    /// The lane that has to drop something; nil if the share is kept.
    private func greediest(_ isOwn: Bool, own: Int) -> Int? {
        let counted = sizes.filter { ($0.key == own) == isOwn }
        guard counted.reduce(0, { $0 + $1.value }) > shareBytes else { return nil }
        return counted.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Whether the time of some rows may be over.
    func isDue(at running: Duration) -> Bool { first.map { $0 + Limits.keptAside <= running } ?? false }

    func purge(at running: Duration) throws {
        try findFirst()
        while isDue(at: running), try drop(oldest) { try findFirst() }
    }

    /// - Parameter query: answers with the id, row, size and blob of the one to drop.
    private func drop(_ query: Statement) throws -> Bool {
        let found = try query.first {
            ($0.int(0), RowID(value: $0.int(1)), Int($0.int(2)), $0.optionalInt(3))
        }
        guard let (id, row, sizeBytes, blob) = found else { return false }
        try forget(id: id, row: row, sizeBytes: sizeBytes, blob: blob)
        return true
    }

    private func forget(id: Int64, row: RowID, sizeBytes: Int, blob: Int64?) throws {
        try delete.run(id)
        sizes[row.lane, default: 0] -= sizeBytes
        guard let blob else { return }
        try deleteBlob.run(blob)
    }

    /// Forgets the row of a blob that was damaged.
    func forget(blob arrival: Int64) throws {
        let found = try ofBlob.first(arrival) { ($0.int(2), RowID(value: $0.int(3)), Int($0.int(4))) }
        if let (id, row, sizeBytes) = found {
            try forget(id: id, row: row, sizeBytes: sizeBytes, blob: arrival)
            try findFirst()
        }
    }

    // MARK: Judging again

    private var hasAny: Bool { !sizes.isEmpty || shownCount > 0 }

    /// The arrivals of the blobs of a lane's rows, in the order of the rows.
    package func arrivals(lane: Int) throws -> [Int64] {
        var arrivals: [Int64] = []
        try forEach(lane: lane, from: 0, through: Limits.highestSeq) { row in
            if let arrival = row.optionalInt(2) { arrivals.append(arrival) }
        }
        return arrivals
    }

    /// The ids of a lane's rows, in the order of the rows.
    func ids(lane: Int) throws -> [Int64] {
        var ids: [Int64] = []
        try forEach(lane: lane, from: 0, through: Limits.highestSeq) { ids.append($0.int(0)) }
        return ids
    }

    /// The row with this id; nil if it is gone, or rotted.
    func kept(id: Int64) throws -> Kept? {
        try kept.first(id) { row in
            guard let record = try? Record(encoded: row.blob(0)) else { return nil }
            return Kept(
                record: record, row: RowID(value: row.int(1)), at: WallTime(milliseconds: row.int(6)),
                blob: row.optionalInt(2),
                keeping: row.int(3) != 0 ? .shown : row.int(4) != 0 ? .waiting : .forAWhile)
        }
    }

    /// Takes out a row that is not shown.
    func take(id: Int64, withBlob: Bool) throws {
        let found = try kept.first(id) { row in
            (RowID(value: row.int(1)), row.optionalInt(2), row.int(4) != 0 ? 0 : Int(row.int(5)))
        }
        guard let (row, blob, sizeBytes) = found else { return }
        try forget(id: id, row: row, sizeBytes: sizeBytes, blob: withBlob ? blob : nil)
    }

    // MARK: Reading

    /// The records at a place of a lane, with the arrivals of their blobs.
    func rows(lane: Int, seq: UInt64) throws -> [(record: Record, blob: Int64?)] {
        var found: [(record: Record, blob: Int64?)] = []
        try forEach(lane: lane, from: seq, through: seq) { row in
            if let record = try? Record(encoded: row.blob(1)) { found.append((record, row.optionalInt(2))) }
        }
        return found
    }

    /// Visits the rows of a lane, encoded, each with when it came here.
    package func forEachArrival(lane: Int, _ body: ([UInt8], WallTime) throws -> Void) throws {
        try forEach(lane: lane, from: 0, through: Limits.highestSeq) { row in
            try body(row.blob(1), WallTime(milliseconds: row.optionalInt(3) ?? 0))
        }
    }

    private func forEach(
        lane: Int, from low: UInt64, through high: UInt64, _ body: (Statement) throws -> Void
    ) throws {
        guard hasAny else { return }
        let bounds = RowID.bounds(lane: lane, from: low, through: high)
        try between.forEach(bounds.low, bounds.high, visit: body)
    }

    /// The record of a blob, and whether that is shown.
    package func record(ofBlob arrival: Int64) throws -> (record: Record?, isShown: Bool)? {
        try ofBlob.first(arrival) { (try? Record(encoded: $0.blob(0)), $0.int(1) != 0) }
    }

    /// The record of a blob from which messages are read.
    func record(ofShown arrival: Int64) throws -> Record? {
        guard shownCount > 0, let (record, isShown) = try record(ofBlob: arrival), isShown else { return nil }
        return record
    }

    /// Whether rows of a lane that may count again were put aside by then.
    func holdsWaiting(lane: Int, since: Duration) throws -> Bool {
        let bounds = RowID.bounds(lane: lane, from: 0, through: Limits.highestSeq)
        return try waiting.first(bounds.low, bounds.high, since.heldMilliseconds) { _ in } != nil
    }

    /// The arrival of the earliest shown blob of a slot.
    func shown(lane: Int, slot: Slot) throws -> Int64? { try shown(lane: lane, slot: slot) { $0.int(0) } }

    private func shown<T>(lane: Int, slot: Slot, _ read: (Statement) throws -> T) throws -> T? {
        guard shownCount > 0 else { return nil }
        let bounds = RowID.bounds(lane: lane, from: 0, through: Limits.highestSeq)
        return try shownOfSlot.first(slot.bytes, bounds.low, bounds.high, read: read)
    }

    /// Notes that another device lacks the replacement of a slot's shown blob, too.
    ///
    /// - Returns: whether the blob has been shown so long that its replacement need not be waited for any more.
    func noteLack(lane: Int, slot: Slot, at running: Duration) throws -> Bool {
        let found = try shown(lane: lane, slot: slot) { ($0.int(0), Duration.milliseconds($0.int(1))) }
        guard let (arrival, since) = found, since + Limits.replacementPatience <= running else { return false }
        shownBlobs[arrival] = true
        return true
    }

    /// Whether a row has been shown for seven days, or others lack its replacement, too. Rows whose record rotted are
    /// left out: nothing could be done about them.
    func isReplacementOverdue(at running: Duration) throws -> Bool {
        try !shown(limit: 1, ofLanes: { _ in false }, at: running).isEmpty
    }

    private func isOverdue(_ row: Statement, at running: Duration) -> Bool {
        .milliseconds(row.int(3)) + Limits.keptAside <= running
    }

    /// The first shown blobs of some lanes, and of those shown for seven days or whose replacements others lack, too.
    func shown(
        limit: Int, ofLanes isMeant: (Int) -> Bool, at running: Duration
    ) throws -> [(arrival: Int64, record: Record)] {
        guard shownCount > 0 else { return [] }
        defer { shown.reset() }
        var found: [(arrival: Int64, record: Record)] = []
        while found.count < limit, try shown.step() {
            let isDue =
                isOverdue(shown, at: running) || shownBlobs[shown.int(1)] == true
                || isMeant(RowID(value: shown.int(0)).lane)
            guard isDue, let record = try? Record(encoded: shown.blob(2)) else { continue }
            found.append((shown.int(1), record))
        }
        return found
    }

    /// The bytes of record and blob of an arrival, unchecked; nil if they are not here.
    func bytes(ofBlob arrival: Int64) throws -> (record: [UInt8], blob: [UInt8])? {
        try withBlob.first(arrival) { ($0.blob(0), $0.blob(1)) }
    }

    /// Lends record and blob of an arrival; false if they are not here. `body` must not ask for another.
    func withBlob(_ arrival: Int64, _ body: (Record, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        try withBlob.lend(arrival, to: body)
    }

    /// Arrivals of rows with a blob whose record passes `isMeant`, latest first. `isMeant` must not use the store.
    package func arrivals(where isMeant: (Record) -> Bool) throws -> [Int64] {
        try blobs.all { row in
            guard let record = try? Record(encoded: row.blob(1)), isMeant(record) else { return nil }
            return row.int(0)
        }
    }
}

extension Statement {
    /// Lends a record and its blob, the columns of the row; false if there is none that can be read.
    func lend(_ arrival: Int64, to body: (Record, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        try first(arrival) { row in
            guard let record = try? Record(encoded: row.blob(0)) else { return nil }
            try row.withBlob(1) { try body(record, $0) }
            return true
        } ?? false
    }
}
