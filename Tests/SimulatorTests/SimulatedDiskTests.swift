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
                // Once dead, everything fails.
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
}
