import SyncState
import Testing

@testable import Simulator

@Suite("Simulated disk")
struct SimulatedDiskTests {
    @Test("A power cut between any two operations leaves what was committed, and nothing else")
    func powerCut() throws {
        for operations in 0..<12 {
            let disk = try SimulatedDisk()
            try disk.database.execute("CREATE TABLE t(v INTEGER)")
            disk.arm(after: operations)
            var committed = 0
            do {
                let insert = try disk.database.prepare("INSERT INTO t VALUES(1)")
                for _ in 0..<2 {
                    try disk.database.begin()
                    try insert.run()
                    try insert.run()
                    try disk.database.commit()
                    committed += 2
                }
            } catch {
                #expect(disk.isDead)
                // Once dead, everything fails.
                #expect(throws: DatabaseError.self) { try disk.database.execute("DELETE FROM t") }
            }
            #expect(disk.isDead == (operations < 8))
            disk.revive()
            let count = try disk.database.prepare("SELECT count(*) FROM t")
            #expect(try count.step())
            #expect(count.int(0) == Int64(committed))
        }
    }
}
