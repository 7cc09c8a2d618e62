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
        defer { getFeed.reset() }
        return try getFeed.step() ? Bytes16(bytes: getFeed.blob(0)) : nil
    }

    func putFeed(_ id: Bytes16) throws {
        setFeed.bind(1, id.bytes)
        try setFeed.run()
    }

    /// The lowest number, or 1; and the highest, or 0.
    func bounds() throws -> (oldest: UInt64, latest: UInt64) {
        defer {
            lowest.reset()
            highest.reset()
        }
        _ = try lowest.step()
        _ = try highest.step()
        return (UInt64(lowest.optionalInt(0) ?? 1), UInt64(highest.int(0)))
    }

    func insert(_ group: ChangeGroup, number: UInt64, at: WallTime) throws {
        insert.bind(1, Int64(number))
        insert.bind(2, at.milliseconds)
        insert.bind(3, Int64(group.kind.rawValue))
        if let conversation = group.conversation { insert.bind(4, conversation) } else { insert.bindNull(4) }
        insert.bind(5, Int64(group.count))
        insert.bind(6, group.about)
        try insert.run()
    }

    /// Rows above `number`, ascending.
    func read(after number: UInt64, limit: Int, _ body: (UInt64, WallTime, ChangeGroup) -> Void) throws {
        read.bind(1, Int64(number))
        read.bind(2, Int64(limit))
        defer { read.reset() }
        while try read.step() {
            guard
                let group = ChangeGroup(
                    kind: read.int(2), conversation: read.optionalText(3), count: read.int(4), about: read.blob(5))
            else { throw StoreError.damaged("an entry of the change feed") }
            body(UInt64(read.int(0)), WallTime(milliseconds: read.int(1)), group)
        }
    }

    /// Deletes rows below `first`, and the oldest ones that are older than `bound`; never the newest.
    func prune(below first: UInt64, newest: UInt64, olderThan bound: WallTime) throws {
        tooOld.bind(1, bound.milliseconds)
        defer { tooOld.reset() }
        let young = try tooOld.step() ? UInt64(tooOld.int(0)) : newest
        deleteBelow.bind(1, Int64(max(first, young)))
        try deleteBelow.run()
    }

    /// Stores groups that wait for the end of a window.
    func hold(_ groups: [ChangeGroup]) throws {
        var writer = CBORWriter(capacity: 64 * groups.count)
        writer.writeArray(groups.count)
        for group in groups { group.write(to: &writer) }
        putHeld.bind(1, writer.bytes)
        try putHeld.run()
    }

    func heldGroups() throws -> [ChangeGroup] {
        defer { getHeld.reset() }
        var groups: [ChangeGroup] = []
        while try getHeld.step() {
            var reader = CBORReader(getHeld.blob(0))
            for _ in 0..<(try reader.readArray(max: .max)) { groups.append(try ChangeGroup(from: &reader)) }
            try reader.finish()
        }
        return groups
    }

    /// The zone's state as last reported.
    func latestState() throws -> String? {
        defer { state.reset() }
        return try state.step() ? String(decoding: state.blob(0), as: UTF8.self) : nil
    }

    /// When anything other than the zone's state was last reported.
    func latestData() throws -> WallTime? {
        defer { data.reset() }
        return try data.step() ? WallTime(milliseconds: data.int(0)) : nil
    }

    func deleteAll() throws {
        try clear.run()
        try deleteHeld.run()
    }
}
