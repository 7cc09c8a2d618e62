import SyncState
import Testing

@testable import Simulator

@Suite("Simulated disk")
struct SimulatedDiskTests {
    @Test("A power cut between any two operations leaves what was committed, and nothing else")
    func powerCut() throws {
        for operations in 0..<12 {
            let disk = SimulatedDisk(seed: UInt64(operations), machine: 0)
            var database = try disk.open()
            try database.execute("CREATE TABLE t(v INTEGER)")
            disk.arm(after: operations)
            var committed = 0
            do {
                let insert = try database.prepare("INSERT INTO t VALUES(1)")
                for _ in 0..<2 {
                    try database.begin()
                    try insert.run()
                    try insert.run()
                    try database.commit()
                    committed += 2
                }
            } catch {
                #expect(disk.isDead)
                // Once it is dead, everything fails.
                #expect(throws: DatabaseError.self) { try database.execute("DELETE FROM t") }
            }
            #expect(disk.isDead == (operations < 8))
            disk.revive()
            database = try disk.open()
            let count = try database.prepare("SELECT count(*) FROM t")
            #expect(try count.step())
            #expect(count.int(0) == Int64(committed))
        }
    }

    @Test("What was mended is damaged again when the log with its mending is lost, also on a full disk (world 53373)")
    func lostMending() throws {
        let disk = SimulatedDisk(seed: 1, machine: 0, isFaulty: true)
        do {
            let database = try disk.open()
            try database.execute("CREATE TABLE record(id INTEGER PRIMARY KEY, rec BLOB)")
            try database.execute("INSERT INTO record VALUES(1, x'0102')")
        }
        #expect(try disk.rot(.row, draw: 0))
        var report = ZoneStore.ScrubCursor().report
        (report.damagedRows, report.lanesDiffering) = (1, 1)
        #expect(disk.damage.error(of: report) == nil)
        try disk.open().execute("DELETE FROM record")
        disk.damage.forget()
        #expect(disk.damage.error(of: report) != nil)
        disk.end()
        disk.isFull = true
        #expect(disk.loseLog())
        // Nobody made room for a log.
        #expect(disk.logBytes == 0)
        #expect(throws: DatabaseError.self) { try disk.open() }
        #expect(disk.damage.error(of: report) == nil)
        #expect(disk.damage.error(of: ZoneStore.ScrubCursor().report) != nil)
    }
}
