import NodeCore

/// Rows that a later one of their lane and slot replaced, or that do not count any more, with their blobs: of no set,
/// no list and no total, and are served only by their hash (docs/PROTOCOL.md, §5). They stay for seven days of
/// running time, and those that may count again until they do.
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
        /// Until the blob of the row that replaced it is here: till then the messages in its blob are read.
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

    /// How many are shown. Usually none, and then they cost nothing.
    package private(set) var shownCount = 0
    /// The running time since when the oldest is kept that is not shown.
    private var first: Duration?
    /// Bytes that count against a lane's share, for each lane that has rows here, by the lane's number.
    private var sizes: [Int: Int] = [:]
    private let insert, detachBlob, hideBlob, delete, deleteBlob: Statement
    private let oldest, lowest, sums, shown, shownOfSlot, between, ofBlob, withBlob, blobs, kept: Statement

    init(_ database: Database) throws {
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
        shown = try database.prepare("SELECT row, blob, rec FROM superseded WHERE shown IS NOT NULL ORDER BY id")
        shownOfSlot = try database.prepare(
            "SELECT blob FROM superseded WHERE shown = ? AND row BETWEEN ? AND ? ORDER BY id LIMIT 1")
        between = try database.prepare(
            "SELECT id, rec, blob, at FROM superseded WHERE row BETWEEN ? AND ? ORDER BY row")
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

    /// Counts again, at the start and after a rollback.
    func load() throws {
        (shownCount, sizes) = (0, [:])
        while try shown.step() { shownCount += 1 }
        while try sums.step() { sizes[Int(sums.int(0))] = Int(sums.int(1)) }
        try findFirst()
    }

    private func findFirst() throws {
        defer { oldest.reset() }
        first = try oldest.step() ? .milliseconds(oldest.int(4)) : nil
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
        insert.bind(1, row.value)
        insert.bind(2, since.heldMilliseconds)
        insert.bind(3, Int64(sizeBytes))
        insert.bind(4, blob)
        insert.bind(5, keeping == .shown ? record.slot.bytes : nil)
        insert.bind(6, keeping == .waiting ? 1 : 0)
        insert.bind(7, record.encoded)
        insert.bind(8, at.milliseconds)
        try insert.run()
        if let blob {
            detachBlob.bind(1, blob)
            try detachBlob.run()
        }
        switch keeping {
        case .shown: shownCount += 1
        case .waiting: sizes[row.lane, default: 0] += 0
        case .forAWhile:
            sizes[row.lane, default: 0] += sizeBytes
            if first == nil { try findFirst() }
        }
    }

    /// Its messages are no longer read.
    func hide(blob arrival: Int64) throws {
        hideBlob.bind(1, arrival)
        let found = try hideBlob.step() ? (RowID(value: hideBlob.int(0)), Int(hideBlob.int(1))) : nil
        hideBlob.reset()
        guard let (row, sizeBytes) = found else { return }
        shownCount -= 1
        sizes[row.lane, default: 0] += sizeBytes
        try findFirst()
    }

    /// Lets the oldest go while they take more than their share: those of the lane that has most, and those of the own
    /// lane only for others of it. Part of each commit, when all has been read that its changes need of them.
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

    /// The lane that has to let something go; nil if the share is kept.
    private func greediest(_ isOwn: Bool, own: Int) -> Int? {
        let counted = sizes.filter { ($0.key == own) == isOwn }
        guard counted.reduce(0, { $0 + $1.value }) > Limits.asideSizeBytes else { return nil }
        return counted.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Whether the time of some may be over.
    func isDue(at running: Duration) -> Bool { first.map { $0 + Limits.keptAside <= running } ?? false }

    func purge(at running: Duration) throws {
        try findFirst()
        while isDue(at: running), try drop(oldest) { try findFirst() }
    }

    /// - Parameter query: answers with the id, row, size and blob of that which goes.
    private func drop(_ query: Statement) throws -> Bool {
        guard try query.step() else {
            query.reset()
            return false
        }
        let (id, row, sizeBytes, blob) = (
            query.int(0), RowID(value: query.int(1)), Int(query.int(2)), query.optionalInt(3)
        )
        query.reset()
        try forget(id: id, row: row, sizeBytes: sizeBytes, blob: blob)
        return true
    }

    private func forget(id: Int64, row: RowID, sizeBytes: Int, blob: Int64?) throws {
        delete.bind(1, id)
        try delete.run()
        sizes[row.lane, default: 0] -= sizeBytes
        guard let blob else { return }
        deleteBlob.bind(1, blob)
        try deleteBlob.run()
    }

    /// A blob was damaged.
    func forget(blob arrival: Int64) throws {
        ofBlob.bind(1, arrival)
        let found =
            try ofBlob.step() ? (ofBlob.int(2), RowID(value: ofBlob.int(3)), Int(ofBlob.int(4))) : nil
        ofBlob.reset()
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

    /// Nil if it is gone, or rotted.
    func kept(id: Int64) throws -> Kept? {
        kept.bind(1, id)
        defer { kept.reset() }
        guard try kept.step(), let record = try? Record(encoded: kept.blob(0)) else { return nil }
        return Kept(
            record: record, row: RowID(value: kept.int(1)), at: WallTime(milliseconds: kept.optionalInt(6) ?? 0),
            blob: kept.optionalInt(2),
            keeping: kept.int(3) != 0 ? .shown : kept.int(4) != 0 ? .waiting : .forAWhile)
    }

    /// Takes out a row that is not shown.
    func take(id: Int64, withBlob: Bool) throws {
        kept.bind(1, id)
        let found =
            try kept.step()
            ? (RowID(value: kept.int(1)), kept.optionalInt(2), kept.int(4) != 0 ? 0 : Int(kept.int(5))) : nil
        kept.reset()
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
    func forEachArrival(lane: Int, _ body: ([UInt8], WallTime) throws -> Void) throws {
        try forEach(lane: lane, from: 0, through: Limits.highestSeq) { row in
            try body(row.blob(1), WallTime(milliseconds: row.optionalInt(3) ?? 0))
        }
    }

    private func forEach(
        lane: Int, from low: UInt64, through high: UInt64, _ body: (Statement) throws -> Void
    ) throws {
        guard hasAny else { return }
        let bounds = RowID.bounds(lane: lane, from: low, through: high)
        between.bind(1, bounds.low)
        between.bind(2, bounds.high)
        defer { between.reset() }
        while try between.step() { try body(between) }
    }

    /// The record of a blob, and whether that is shown.
    package func record(ofBlob arrival: Int64) throws -> (record: Record?, isShown: Bool)? {
        ofBlob.bind(1, arrival)
        defer { ofBlob.reset() }
        guard try ofBlob.step() else { return nil }
        return (try? Record(encoded: ofBlob.blob(0)), ofBlob.int(1) != 0)
    }

    /// The record of a blob from which messages are read.
    func record(ofShown arrival: Int64) throws -> Record? {
        guard shownCount > 0, let (record, isShown) = try record(ofBlob: arrival), isShown else { return nil }
        return record
    }

    /// The arrival of the earliest shown blob of a slot.
    func shown(lane: Int, slot: Slot) throws -> Int64? {
        guard shownCount > 0 else { return nil }
        let bounds = RowID.bounds(lane: lane, from: 0, through: Limits.highestSeq)
        shownOfSlot.bind(1, slot.bytes)
        shownOfSlot.bind(2, bounds.low)
        shownOfSlot.bind(3, bounds.high)
        defer { shownOfSlot.reset() }
        return try shownOfSlot.step() ? shownOfSlot.int(0) : nil
    }

    /// The first shown blobs of some lanes.
    func shown(limit: Int, ofLanes isMeant: (Int) -> Bool) throws -> [(arrival: Int64, record: Record)] {
        guard shownCount > 0 else { return [] }
        defer { shown.reset() }
        var found: [(arrival: Int64, record: Record)] = []
        while found.count < limit, try shown.step() {
            guard isMeant(RowID(value: shown.int(0)).lane), let record = try? Record(encoded: shown.blob(2)) else {
                continue
            }
            found.append((shown.int(1), record))
        }
        return found
    }

    /// The bytes of record and blob of an arrival, unchecked; nil if they are not here.
    func bytes(ofBlob arrival: Int64) throws -> (record: [UInt8], blob: [UInt8])? {
        withBlob.bind(1, arrival)
        defer { withBlob.reset() }
        return try withBlob.step() ? (withBlob.blob(0), withBlob.blob(1)) : nil
    }

    /// Lends record and blob of an arrival; false if they are not here. `body` must not ask for another.
    func withBlob(_ arrival: Int64, _ body: (Record, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        withBlob.bind(1, arrival)
        defer { withBlob.reset() }
        guard try withBlob.step(), let record = try? Record(encoded: withBlob.blob(0)) else { return false }
        try withBlob.withBlob(1) { try body(record, $0) }
        return true
    }

    /// The arrivals of those with blobs whose record is meant, the latest first. `isMeant` must not use the store.
    package func arrivals(where isMeant: (Record) -> Bool) throws -> [Int64] {
        defer { blobs.reset() }
        var found: [Int64] = []
        while try blobs.step() {
            if let record = try? Record(encoded: blobs.blob(1)), isMeant(record) { found.append(blobs.int(0)) }
        }
        return found
    }
}
