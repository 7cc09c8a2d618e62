import NodeCore
import SyncState

/// The lists of rows whose blobs are here, and those of this device's own rows.
package final class ListsPart: AccountPart {
    typealias Content = RowList

    private let context: AccountContext
    private let putList, deleteList, ofHash, ofLane, over, highest: Statement
    /// Changes with each list that comes or goes.
    private(set) var revision: UInt64 = 0
    /// The list that names rows of a lane, as last asked for: rows come in their order.
    private var current: [LaneID: (rows: ClosedRange<UInt64>, names: [Bytes16])] = [:]
    /// The seq up to which the own lane's rows are listed, with that lane; nil while it is not known.
    private var listed: (lane: LaneID, through: UInt64)?

    init(_ context: AccountContext) throws {
        self.context = context
        try context.database.migrate(
            "lists",
            [
                Migration(
                    "lists",
                    sql: """
                        CREATE TABLE row_list(
                            arrival INTEGER PRIMARY KEY, hash BLOB NOT NULL, lane BLOB, first INTEGER, last INTEGER);
                        CREATE INDEX row_list_hash ON row_list(hash);
                        CREATE INDEX row_list_lane ON row_list(lane, first) WHERE lane IS NOT NULL;
                        """)
            ])
        putList = try context.database.prepare(
            "INSERT OR REPLACE INTO row_list(arrival, hash, lane, first, last) VALUES(?, ?, ?, ?, ?)")
        deleteList = try context.database.prepare("DELETE FROM row_list WHERE arrival = ?")
        ofHash = try context.database.prepare("SELECT arrival FROM row_list WHERE hash = ? LIMIT 1")
        ofLane = try context.database.prepare(
            "SELECT arrival FROM row_list WHERE lane = ? ORDER BY first DESC LIMIT \(Limits.shownLists)")
        over = try context.database.prepare(
            "SELECT first, last, arrival FROM row_list WHERE lane = ? AND first <= ? ORDER BY first DESC LIMIT 1")
        highest = try context.database.prepare("SELECT max(last) FROM row_list WHERE lane = ?")
    }

    // MARK: Writing

    /// Part of each commit: lists this device's rows as soon as they are enough for one, so that a new device need not
    /// check the signature of each.
    func listOwn() throws {
        let lane = context.lane
        var through = try listedThrough(lane)
        let head = context.store.own.head
        guard head >= through + UInt64(Limits.ownListRows) else { return }
        var names: [Bytes16] = []
        var lists: [(rows: ClosedRange<UInt64>, names: [Bytes16])] = []
        try context.store.forEachRow(lane: context.store.ownNumber, from: through + 1, through: head) { row, encoded in
            names.append(Record.hash(of: encoded).prefix)
            guard names.count == Limits.ownListRows else { return }
            lists.append((through + 1...row.seq, names.sorted()))
            (through, names) = (row.seq, [])
        }
        for list in lists { try write(RowList(rows: list.rows), RowList.blob(list.names[...])) }
    }

    private func listedThrough(_ lane: LaneID) throws -> UInt64 {
        if let listed, listed.lane == lane { return listed.through }
        let through = try highest.first(lane.bytes) { try $0.count(0) } ?? 0
        listed = (lane, through)
        return through
    }

    @discardableResult
    func write(_ list: RowList, _ blob: [UInt8]) throws -> Record {
        let record = try context.write(list, tag: context.random.identifier()) { _ in blob }
        try note(list, record)
        return record
    }

    // MARK: Reading

    /// Whether a list of its lane names a row.
    func names(_ record: Record) throws -> Bool {
        if current[record.lane]?.rows.contains(record.seq) != true {
            guard let list = try list(over: record.seq, of: record.lane) else { return false }
            if current.count >= Limits.openLists { current = [:] }
            current[record.lane] = list
        }
        return current[record.lane]?.names.holds(record.hash.prefix) ?? false
    }

    private func list(over seq: UInt64, of lane: LaneID) throws -> (rows: ClosedRange<UInt64>, names: [Bytes16])? {
        try over.first(lane.bytes, Int64(seq)) { row in
            let (first, last) = (try row.count(0), try row.count(1))
            guard first <= seq, seq <= last else { return nil }
            let names = try context.store.blob(arrival: row.int(2)).map(RowList.names) ?? []
            return (first...last, names)
        }
    }

    /// The records of a lane's lists of its own rows, the newest first.
    func records(of lane: LaneID) throws -> [[UInt8]] {
        try ofLane.all(lane.bytes) { try context.store.record(ofArrival: $0.int(0))?.encoded }
    }

    /// The names in the list that a Remove calls by its blob; nil if that is not here.
    func names(_ hash: BlobHash) throws -> [Bytes16]? {
        guard let arrival = try arrival(of: hash) else { return nil }
        return try context.store.blob(arrival: arrival).map(RowList.names)
    }

    func holds(_ hash: BlobHash) throws -> Bool { try arrival(of: hash) != nil }

    private func arrival(of hash: BlobHash) throws -> Int64? {
        try ofHash.first(hash.bytes) { $0.int(0) }
    }

    // MARK: Records

    func blobCame(_ blob: UnsafeRawBufferPointer, of record: Record) throws {
        if let list: RowList = context.read(record) { try note(list, record) }
    }

    /// Notes a list whose blob was stored just now.
    private func note(_ list: RowList, _ record: Record) throws {
        guard let hash = record.blob?.hash else { return }
        try putList.run(
            context.store.latestArrival, hash.bytes, list.rows.map { _ in record.lane.bytes },
            list.rows.map { Int64($0.lowerBound) }, list.rows.map { Int64($0.upperBound) })
        changed()
    }

    /// Handles a blob that is gone, of a list or of something else.
    func blobWent(arrival: Int64) throws {
        try deleteList.run(arrival)
        if context.database.changes > 0 { changed() }
    }

    private func changed() {
        revision += 1
        (current, listed) = ([:], nil)
    }

    func reload() { changed() }
}
