import NodeCore
import SyncState

/// The tables of a change feed and their queries.
struct ChangeStatements {
    static var migrations: [Migration] {
        [
            Migration(
                "change feed",
                sql: """
                    CREATE TABLE change_feed(id INTEGER PRIMARY KEY CHECK(id = 1), feed BLOB NOT NULL);
                    CREATE TABLE change(
                        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL, conversation TEXT,
                        count INTEGER NOT NULL, about BLOB NOT NULL);
                    CREATE TABLE change_held(id INTEGER PRIMARY KEY, groups BLOB NOT NULL);
                    """)
        ]
    }

    private let getFeed, setFeed, lowest, highest, insert, read, deleteBelow, tooOld, putHeld, getHeld: Statement
    private let clear, state, data: Statement
    let deleteHeld: Statement

    init(_ database: Database) throws {
        getFeed = try database.prepare("SELECT feed FROM change_feed")
        setFeed = try database.prepare("INSERT OR REPLACE INTO change_feed(id, feed) VALUES(1, ?)")
        lowest = try database.prepare("SELECT min(number) FROM change")
        highest = try database.prepare("SELECT max(number) FROM change")
        insert = try database.prepare("INSERT INTO change VALUES(?, ?, ?, ?, ?, ?)")
        read = try database.prepare(
            """
            SELECT number, at, kind, conversation, count, about FROM change WHERE number > ? ORDER BY number LIMIT ?
            """)
        deleteBelow = try database.prepare("DELETE FROM change WHERE number < ?")
        // The first one that is young enough, among those that one pruning may remove.
        tooOld = try database.prepare("SELECT number FROM change WHERE at >= ? ORDER BY number LIMIT 1")
        putHeld = try database.prepare("INSERT INTO change_held(groups) VALUES(?)")
        getHeld = try database.prepare("SELECT groups FROM change_held ORDER BY id")
        deleteHeld = try database.prepare("DELETE FROM change_held")
        clear = try database.prepare("DELETE FROM change")
        data = try database.prepare(
            "SELECT at FROM change WHERE kind <> \(ChangeKind.sync.rawValue) ORDER BY number DESC LIMIT 1")
        state = try database.prepare(
            "SELECT about FROM change WHERE kind = \(ChangeKind.sync.rawValue) ORDER BY number DESC LIMIT 1")
    }

    func feedID() throws -> Bytes16? {
        try getFeed.first { Bytes16(bytes: $0.blob(0)) }
    }

    func putFeed(_ id: Bytes16) throws { try setFeed.run(id.bytes) }

    /// The lowest number, or 1; and the highest, or 0.
    func bounds() throws -> (oldest: UInt64, latest: UInt64) {
        (try lowest.first { $0.isNull(0) ? nil : try $0.count(0) } ?? 1, try highest.first { try $0.count(0) } ?? 0)
    }

    func insert(_ group: ChangeGroup, number: UInt64, at: WallTime) throws {
        try insert.run(
            Int64(number), at.milliseconds, Int64(group.kind.rawValue), group.conversation, group.count, group.about)
    }

    /// Rows above `number`, ascending.
    func read(after number: UInt64, limit: Int, _ body: (UInt64, WallTime, ChangeGroup) -> Void) throws {
        try read.forEach(Int64(number), limit) { row in
            guard
                let group = ChangeGroup(
                    kind: row.int(2), conversation: row.optionalText(3), count: row.int(4), about: row.blob(5))
            else { throw StoreError.damaged("an entry of the change feed") }
            body(try row.count(0), WallTime(milliseconds: row.int(1)), group)
        }
    }

    /// Deletes rows below `first`, and the oldest ones that are older than `bound`; never the newest.
    func prune(below first: UInt64, newest: UInt64, olderThan bound: WallTime) throws {
        let young = try tooOld.first(bound.milliseconds) { try $0.count(0) } ?? newest
        try deleteBelow.run(Int64(max(first, young)))
    }

    /// Stores groups that wait for the end of a window.
    func hold(_ groups: [ChangeGroup]) throws {
        var writer = CBORWriter(capacity: 64 * groups.count)
        writer.writeArray(groups.count)
        for group in groups { group.write(to: &writer) }
        try putHeld.run(writer.bytes)
    }

    func heldGroups() throws -> [ChangeGroup] {
        var groups: [ChangeGroup] = []
        try getHeld.forEach(visit: { row in
            var reader = CBORReader(row.blob(0))
            for _ in 0..<(try reader.readArray(max: .max)) { groups.append(try ChangeGroup(from: &reader)) }
            try reader.finish()
        })
        return groups
    }

    /// The zone's state as last reported.
    func latestState() throws -> String? {
        try state.first { String(decoding: $0.blob(0), as: UTF8.self) }
    }

    /// When anything other than the zone's state was last reported.
    func latestData() throws -> WallTime? {
        try data.first { WallTime(milliseconds: $0.int(0)) }
    }

    func deleteAll() throws {
        try clear.run()
        try deleteHeld.run()
    }
}
