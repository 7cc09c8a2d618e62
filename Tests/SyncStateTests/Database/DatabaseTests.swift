import ChatTestKit
import ProcessHarness
import SyncState
import Testing

@Suite struct DatabaseTests {
    @Test func valuesComeBackAsTheyWent() throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB, c TEXT)")
        let insert = try database.prepare("INSERT INTO t VALUES(?, ?, ?)")
        insert.bind(1, 7)
        insert.bind(2, [1, 0, 255])
        insert.bind(3, "zwölf\u{0} 🐕")
        try insert.run()
        insert.bind(1, 8)
        insert.bind(2, [UInt8]())
        insert.bind(3, "")
        try insert.run()
        insert.bind(1, 9)
        insert.bindNull(2)
        insert.bindNull(3)
        try insert.run()
        #expect(database.changes == 1)
        #expect(database.lastInsertRowID == 9)

        let select = try database.prepare("SELECT a, b, c FROM t ORDER BY a")
        #expect(try select.step())
        #expect(select.int(0) == 7)
        #expect(select.blob(1) == [1, 0, 255])
        #expect(select.text(2) == "zwölf\u{0} 🐕")
        #expect(try select.step())
        #expect(!select.isNull(1) && select.blob(1).isEmpty)
        #expect(select.optionalText(2) == "")
        #expect(try select.step())
        #expect(select.isNull(1) && select.optionalText(2) == nil)
        #expect(try !select.step())
    }

    @Test("A file in which somebody hid a trigger or a view is refused, and its triggers would not run")
    func foreignSchema() throws {
        for hidden in [
            "CREATE TRIGGER evil AFTER INSERT ON t BEGIN DELETE FROM t; END", "CREATE VIEW v AS SELECT 1",
        ] {
            let home = TemporaryDatabase()
            do {
                let database = try home.open()
                try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")
                try database.execute(hidden)
                try database.execute("INSERT INTO t VALUES(1)")
                let count = try database.prepare("SELECT count(*) FROM t")
                #expect(try count.step() && count.int(0) == 1)
            }
            #expect(throws: DatabaseError.self) { try home.open() }
        }
    }

    /// The log that a killed process leaves is moved into the file, and not mistaken for a full disk.
    @Test func aLongLogIsTakenUp() throws {
        let (home, copy) = (TemporaryDatabase(), TemporaryDatabase())
        let database = try home.open()
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        for number in 1...100 { try database.execute("INSERT INTO t VALUES(\(number), randomblob(20000))") }
        for suffix in ["", "-wal"] {
            try FileTree.write(#require(FileTree.read(home.path + suffix)), to: copy.path + suffix)
        }
        #expect(try #require(FileTree.sizeBytes(of: copy.path + "-wal")) > 2_000_000)
        let again = try copy.open()
        #expect(FileTree.sizeBytes(of: copy.path + "-wal") == 0)
        try again.transaction { try again.execute("INSERT INTO t VALUES(101, x'00')") }
        #expect(try again.prepare("SELECT count(*) FROM t").number() == 101)
        #expect(try again.quickCheck() == nil)
    }

    @Test func settingsAreInForce() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        func pragma(_ name: String) throws -> String {
            let statement = try database.prepare("PRAGMA \(name)")
            _ = try statement.step()
            return statement.text(0)
        }
        #expect(try pragma("page_size") == "16384")
        #expect(try pragma("journal_mode") == "wal")
        #expect(try pragma("synchronous") == "2")
        // The database's own hook moves the log.
        #expect(try pragma("wal_autocheckpoint") == "0")
        try database.setDurable(false)
        #expect(try pragma("synchronous") == "1")
        try database.setDurable(true)
        #expect(try pragma("synchronous") == "2")
    }

    @Test func readingTakesOneViewAndGivesItUp() throws {
        struct Failure: Error {}
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE t(a)")
        let count = try database.prepare("SELECT count(*) FROM t")
        let found = try database.reading {
            #expect(database.inTransaction)
            _ = try count.step()
            return count.int(0)
        }
        // This also holds for a statement that was not run to its end, and when the closure throws.
        #expect(found == 0 && !database.inTransaction)
        count.reset()
        #expect(throws: Failure.self) { try database.reading { throw Failure() } }
        #expect(!database.inTransaction && database.rollbackCount == 0)
        // A transaction that is under way stays open.
        try database.begin()
        try database.execute("INSERT INTO t VALUES(1)")
        try database.reading { _ = try count.step() }
        #expect(database.inTransaction && count.int(0) == 1)
        try database.commit()
    }

    @Test func aSecondConnectionIsRefused() throws {
        let home = TemporaryDatabase()
        let first = try home.open()
        try first.execute("CREATE TABLE t(a)")
        #expect {
            let second = try home.open()
            try second.execute("CREATE TABLE u(a)")
        } throws: { error in
            (error as? DatabaseError)?.isBusy == true
        }
        try first.execute("INSERT INTO t VALUES(1)")
    }

    @Test func aFailedTransactionLeavesNothing() throws {
        struct Stop: Error {}
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a)")
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.execute("INSERT INTO t VALUES(1)")
                throw Stop()
            }
        }
        #expect(!database.inTransaction)
        #expect(database.rollbackCount == 1)
        let count = try database.prepare("SELECT count(*) FROM t")
        #expect(try count.step() && count.int(0) == 0)
    }

    @Test func whatWasCommittedIsThereAfterReopening() throws {
        let home = TemporaryDatabase()
        do {
            let database = try home.open()
            try database.execute("CREATE TABLE t(a)")
            try database.begin()
            try database.execute("INSERT INTO t VALUES(1)")
            try database.commit()
            try database.begin()
            try database.execute("INSERT INTO t VALUES(2)")
        }
        let database = try home.open()
        let sum = try database.prepare("SELECT sum(a) FROM t")
        #expect(try sum.step() && sum.int(0) == 1)
    }

    /// This holds for the file and those that SQLite puts beside it, whatever the process's mask.
    @Test func othersOnTheMachineCannotReadIt() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a)")
        for path in [home.path, home.path + "-wal"] { #expect(FileTree.mode(of: path) == 0o600) }
    }

    @Test func aFullDiskIsNamedSo() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a BLOB)")
        try database.execute("PRAGMA max_page_count = 8")
        let insert = try database.prepare("INSERT INTO t VALUES(?)")
        #expect {
            try database.transaction {
                for _ in 0..<20 {
                    insert.bind(1, [UInt8](repeating: 1, count: 16_000))
                    try insert.run()
                }
            }
        } throws: { error in
            (error as? DatabaseError)?.isDiskFull == true
        }
        #expect(!database.inTransaction)
        let count = try database.prepare("SELECT count(*) FROM t")
        #expect(try count.step() && count.int(0) == 0)
    }

    @Test func errorsSayTheStatement() throws {
        let database = try Database(path: ":memory:")
        #expect {
            _ = try database.prepare("SELECT nonsense FROM nowhere")
        } throws: { error in
            (error as? DatabaseError)?.sql == "SELECT nonsense FROM nowhere"
        }
        #expect(throws: DatabaseError.self) { try Database(path: "/nonexistent/folder/file.db") }
    }

    @Test func whatIsNoDatabaseIsCorrupt() throws {
        #expect(DatabaseError(code: 11, message: "").isCorrupt)
        #expect(DatabaseError(code: 26, message: "").isCorrupt)
        #expect(DatabaseError(code: 778, message: "", systemError: 28).isDiskFull)
        #expect(!DatabaseError(code: 778, message: "", systemError: 5).isDiskFull)
    }
}
