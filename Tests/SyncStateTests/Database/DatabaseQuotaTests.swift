import ChatTestKit
import SyncState
import Testing

@Suite struct DatabaseQuotaTests {
    private func fill(_ database: Database, _ rows: Int) throws {
        let insert = try database.prepare("INSERT INTO t(b) VALUES(randomblob(8000))")
        for _ in 0..<rows { try insert.run() }
    }

    @Test func whatGoesBeyondTheBoundIsAFullDisk() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        #expect(try database.roomBytes() == nil)
        #expect(try !database.isAtItsBound())
        try database.setMost(bytes: 1_000_000)
        try fill(database, 20)
        #expect(try !database.isAtItsBound())
        do {
            try fill(database, 200)
            Issue.record("two megabytes went into one")
        } catch let error as DatabaseError {
            #expect(error.isDiskFull)
        }
        #expect(try database.isAtItsBound())
        #expect(try database.roomBytes().map { $0 < 100_000 } == true)
        // Deleting makes room, as does a higher bound.
        try database.execute("DELETE FROM t WHERE a > 10")
        #expect(try !database.isAtItsBound())
        try database.setMost(bytes: nil)
        try fill(database, 200)
        try database.setMost(bytes: 1_000_000)
        #expect(try database.roomBytes() == 0)
        #expect(throws: DatabaseError.self) { try fill(database, 10) }
    }

    @Test func whatWasRefusedIsNotTriedInTheSameRoom() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        try database.setMost(bytes: 1_000_000)
        try fill(database, 20)
        #expect(throws: DatabaseError.self) { try database.transaction { try fill(database, 200) } }
        #expect(try !database.isAtItsBound())
        try database.noteRefusal()
        #expect(try database.isAtItsBound())
        try database.scratch { try fill(database, 5) }
        try database.setMost(bytes: 1_000_000)
        #expect(try database.isAtItsBound())
        try database.execute("DELETE FROM t WHERE a > 15")
        #expect(try !database.isAtItsBound())
        try fill(database, 10)
        #expect(try database.isAtItsBound())
        try database.setMost(bytes: 1_100_000)
        #expect(try !database.isAtItsBound())
    }

    @Test func whatMakesRoomMayExceedTheBoundForOneTransaction() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        try database.setMost(bytes: 1_000_000)
        #expect(throws: DatabaseError.self) { try fill(database, 200) }
        for isKept in [true, false] {
            try database.exceedMost()
            try database.begin()
            try fill(database, 20)
            if isKept { try database.commit() } else { database.rollback() }
            #expect(throws: DatabaseError.self) { try database.transaction { try fill(database, 20) } }
        }
    }

    @Test func whatIsUndoneBehindAQueryIsNotBounded() throws {
        let home = TemporaryDatabase()
        let database = try home.open()
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        try database.setMost(bytes: 200_000)
        try database.scratch { try fill(database, 100) }
        #expect(throws: DatabaseError.self) { try fill(database, 100) }
    }
}
