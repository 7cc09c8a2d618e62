import ChatTestKit
import SyncState
import Testing

@Suite struct MigrationTests {
    private let first = Migration("create", sql: "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(1)")
    private let second = Migration("add b", sql: "ALTER TABLE t ADD COLUMN b INTEGER NOT NULL DEFAULT 5")

    @Test func anOlderFileIsBroughtForward() throws {
        let home = TemporaryDatabase()
        do {
            let database = try home.open()
            try database.migrate("store", [first])
        }
        let database = try home.open()
        try database.migrate("store", [first, second])
        try database.migrate("store", [first, second])
        let sum = try database.prepare("SELECT sum(a + b), count(*) FROM t")
        #expect(try sum.step() && sum.int(0) == 6 && sum.int(1) == 1)
    }

    @Test func aNewerFileIsRefusedUntouched() throws {
        let database = try Database(path: ":memory:")
        try database.migrate("store", [first, second])
        #expect {
            try database.migrate("store", [first])
        } throws: { error in
            guard let error = error as? DatabaseError else { return false }
            let newer = error.newerSchema
            return newer?.component == "store" && newer?.found == 2 && newer?.known == 1
                && error.message.contains("update kachat-node")
        }
    }

    @Test func componentsAreCountedApart() throws {
        let database = try Database(path: ":memory:")
        try database.migrate("store", [first, second])
        try database.migrate("chat", [Migration("create", sql: "CREATE TABLE u(a)")])
        try database.execute("INSERT INTO u VALUES(1)")
    }

    @Test func aFailedStepLeavesTheFileAsItWas() throws {
        let database = try Database(path: ":memory:")
        #expect(throws: DatabaseError.self) {
            try database.migrate("store", [first, Migration("broken", sql: "CREATE TABLE t(a)")])
        }
        try database.migrate("store", [first])
    }
}
