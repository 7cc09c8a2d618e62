import ChatTestKit
import SyncState
import Testing

/// A database that is released without being closed.
@Suite struct DatabaseRestTests {
    private func count(_ database: Database) throws -> Int64 {
        let query = try database.prepare("SELECT count(*) FROM t")
        #expect(try query.step())
        return query.int(0)
    }

    @Test func whatRestsIsOpenToOthersAndGoesOnWorking() throws {
        let home = TemporaryDatabase()
        let first = try home.open()
        try first.execute("CREATE TABLE t(a)")
        try first.execute("INSERT INTO t VALUES(1)")
        #expect(throws: DatabaseError.self) { try count(try home.open()) }

        try first.rest()
        try first.rest()
        #expect(first.isResting)
        try first.setDurable(false)
        try first.transaction { try first.execute("INSERT INTO t VALUES(2)") }
        try first.setDurable(true)
        do {
            let second = try home.open()
            #expect(try count(second) == 2)
            // The second one holds it now.
            #expect(throws: DatabaseError.self) { try first.execute("INSERT INTO t VALUES(3)") }
            #expect(throws: DatabaseError.self) { try first.wake() }
        }
        try first.wake()
        try first.wake()
        #expect(!first.isResting)
        try first.execute("INSERT INTO t VALUES(3)")
        #expect(try count(first) == 3)
        #expect(throws: DatabaseError.self) { try count(try home.open()) }
    }

    @Test func aStopAtRestLosesNothing() throws {
        let home = TemporaryDatabase()
        do {
            let first = try home.open()
            try first.execute("CREATE TABLE t(a)")
            try first.rest()
            try first.execute("INSERT INTO t VALUES(1)")
        }
        #expect(try count(try home.open()) == 1)
    }
}
