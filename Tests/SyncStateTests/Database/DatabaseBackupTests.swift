import ChatTestKit
import NodeCore
import TestScale
import Testing

@testable import SyncState

@Suite struct DatabaseBackupTests {
    private func rows(_ database: Database) throws -> [String] {
        let query = try database.prepare("SELECT id || ':' || hex(data) FROM item ORDER BY id")
        var rows: [String] = []
        while try query.step() { rows.append(query.text(0)) }
        return rows
    }

    /// The copy has everything committed between two steps, before and after its place, and nothing else.
    @Test(arguments: 0..<TestScale.of(usual: 3, proof: 10) as Range<UInt64>) func aCopyOfWhatIsInUse(seed: UInt64)
        throws
    {
        let (home, other) = (TemporaryDatabase(), TemporaryDatabase())
        let database = try home.open()
        var random = SeededRandom(seed: seed)
        try database.execute("CREATE TABLE item(id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
        let put = try database.prepare("INSERT OR REPLACE INTO item(id, data) VALUES(?, ?)")
        func write(_ id: Int64) throws {
            put.bind(1, id)
            put.bind(2, random.bytes(3_000))
            try put.run()
        }
        for id in 0..<Int64(300) { try write(id) }
        do {
            let backup = try DatabaseBackup(of: database, to: other.path)
            var steps = 0
            while try backup.step(pages: 3) {
                steps += 1
                try #require(steps < 200)
                let progress = backup.progress
                #expect(progress.remaining < progress.pages)
                try database.begin()
                for _ in 0..<4 { try write(Int64.random(in: 0..<400, using: &random)) }
                // One transaction is rolled back, and the copy starts over without any of it.
                if steps == 5 { database.rollback() } else { try database.commit() }
                if steps % 5 == 0 { try database.checkpoint() }
            }
            #expect(steps > 10)
        }
        let copy = try other.open()
        #expect(try rows(copy) == rows(database))
        let check = try copy.prepare("PRAGMA integrity_check")
        #expect(try check.step() && check.text(0) == "ok")
    }

    @Test func aCopyThatIsLeftHarmsNothing() throws {
        let (home, other) = (TemporaryDatabase(), TemporaryDatabase())
        let database = try home.open()
        try database.execute("CREATE TABLE item(id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
        var backup: DatabaseBackup? = try DatabaseBackup(of: database, to: other.path)
        #expect(backup?.progress.pages == 0)
        backup = nil
        try database.execute("INSERT INTO item VALUES(1, x'01')")
        #expect(try rows(database) == ["1:01"])
        #expect(throws: DatabaseError.self) { try DatabaseBackup(of: database, to: "/nonexistent/folder/file") }
    }
}
