import SyncState
import TestScale
import Testing

@testable import Simulator

/// The disk itself, with a script of commits and checkpoints: SQLite's promises must hold on every honest disk, and a
/// lying one must be noticed.
@Suite("A disk that fails")
struct FaultDiskTests {
    /// Commits until the disk fails, then stops. Rows are long enough that a commit takes several pages.
    private struct Script {
        let disk: FaultDisk
        /// The rows whose commit was acknowledged.
        private(set) var acknowledged = 0
        private(set) var failure: DatabaseError?

        init(_ disk: FaultDisk, commits: Int = 12, synchronous: String = "FULL") {
            self.disk = disk
            do throws(DatabaseError) {
                let database = try disk.open(pageSizeBytes: 1_024)
                try database.execute("PRAGMA synchronous = \(synchronous)")
                try database.execute("CREATE TABLE IF NOT EXISTS t(n INTEGER PRIMARY KEY, v BLOB)")
                let insert = try database.prepare("INSERT INTO t VALUES(?, zeroblob(1500))")
                for number in 1...commits {
                    try database.begin()
                    insert.bind(1, Int64(number))
                    try insert.run()
                    try database.commit()
                    acknowledged = number
                    if number % 5 == 0 { try database.checkpoint() }
                }
            } catch {
                failure = error
            }
            disk.kill()
        }

        /// The rows after a restart; nil if the file is not a sound database.
        func found() throws -> Int? {
            disk.disarm()
            disk.revive()
            guard let (rows, highest) = try read() else { return nil }
            #expect(rows == highest, "a commit in the middle is missing")
            return rows
        }

        private func read() throws(DatabaseError) -> (rows: Int, highest: Int)? {
            do throws(DatabaseError) {
                let database = try disk.open(pageSizeBytes: 1_024)
                guard try database.quickCheck() == nil else { return nil }
                let tables = try database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 't'")
                guard try tables.step(), tables.int(0) == 1 else { return (0, 0) }
                let rows = try database.prepare("SELECT count(*), coalesce(max(n), 0) FROM t")
                guard try rows.step() else { return nil }
                return (Int(rows.int(0)), Int(rows.int(1)))
            } catch {
                guard error.isCorrupt else { throw error }
                return nil
            }
        }
    }

    /// The operations of the script on a disk without faults.
    private static let operations: Int = {
        let disk = FaultDisk(seed: 0)
        _ = Script(disk)
        return disk.operations
    }()

    @Test("After a power cut at any operation every acknowledged commit is there", arguments: 1...8)
    func powerCut(seed: Int) throws {
        var interrupted = 0
        for after in stride(from: seed % 4, to: Self.operations, by: TestScale.of(usual: 4, proof: 1)) {
            let disk = FaultDisk(seed: UInt64(seed * 10_000 + after))
            disk.arm(.powerCut, after: after)
            let script = Script(disk)
            #expect(disk.isDead)
            let found = try #require(try script.found(), "seed \(seed), operation \(after): damaged")
            // The last commit may be durable though it was not acknowledged.
            #expect((script.acknowledged...script.acknowledged + 1).contains(found), "seed \(seed), operation \(after)")
            if found > script.acknowledged { interrupted += 1 }
        }
        #expect(interrupted > 0, "no power cut fell between a commit and its acknowledgement")
    }

    /// Shows that the disk loses what was not synced, so that the test above can fail.
    @Test("Without syncs, commits or the database are lost", arguments: ["NORMAL", "OFF"])
    func unsynced(synchronous: String) throws {
        var (lost, damaged) = (0, 0)
        for after in 0..<Self.operations {
            let disk = FaultDisk(seed: UInt64(after))
            disk.arm(.powerCut, after: after)
            let script = Script(disk, synchronous: synchronous)
            if !disk.isDead { disk.cutPower() }
            let found = try script.found()
            if found == nil { damaged += 1 } else if found ?? 0 < script.acknowledged { lost += 1 }
        }
        #expect(lost > 0)
        #expect((damaged > 0) == (synchronous == "OFF"))
    }

    @Test("A failing operation is an error, and every acknowledged commit survives it and a later power cut")
    func errors() throws {
        for fault in [FaultDisk.Failure.readError, .writeError, .syncError] {
            var happened = 0
            for after in 0..<Self.operations {
                let disk = FaultDisk(seed: UInt64(after))
                disk.arm(fault, after: after)
                let script = Script(disk)
                happened += disk.count(of: fault)
                if disk.count(of: fault) == 0 { break }
                if after.isMultiple(of: 2) { disk.cutPower() }
                let found = try #require(try script.found(), "\(fault) at \(after): damaged")
                #expect(found >= script.acknowledged, "\(fault) at \(after)")
                #expect(script.failure?.isDiskFull != true)
            }
            #expect(happened > 3, "\(fault)")
        }
    }

    /// A commit that does not wait for the disk may be lost, but must not take later ones with it. The failing sync may
    /// be a later commit's, or the log's when it is moved into the file.
    @Test("After a sync that failed, later acknowledged commits survive a power cut")
    func laterCommits() throws {
        var (happened, failed) = (0, 0)
        for seed in 0..<TestScale.of(usual: 300, proof: 3_000) {
            let disk = FaultDisk(seed: UInt64(seed))
            let database = try disk.open(pageSizeBytes: 1_024, checkpointBytes: 16 * 1_024)
            try database.execute("CREATE TABLE t(n INTEGER PRIMARY KEY, v BLOB)")
            disk.arm(.syncError, after: seed % 40)
            let insert = try database.prepare("INSERT INTO t VALUES(?, zeroblob(1500))")
            var acknowledged: Set<Int64> = []
            // The power fails some commits later, before the log is moved into the file automatically.
            var left = 2 + seed / 40 % 6
            for number in 1...40 as ClosedRange<Int64> where left > 0 {
                if disk.count(of: .syncError) > 0 { left -= 1 }
                let waits = number % 3 == 0
                do {
                    try database.setDurable(waits)
                    try database.begin()
                    insert.bind(1, number)
                    try insert.run()
                    try database.commit()
                    if waits { acknowledged.insert(number) }
                } catch {
                    failed += 1
                    database.rollback()
                }
            }
            happened += disk.count(of: .syncError)
            disk.cutPower()
            disk.revive()
            let found = try disk.open(pageSizeBytes: 1_024).prepare("SELECT n FROM t")
            while try found.step() { acknowledged.remove(found.int(0)) }
            #expect(acknowledged.isEmpty, "seed \(seed)")
        }
        // Failures in automatic moves are reported to nobody.
        #expect(failed > 0 && failed < happened, "\(failed) of \(happened)")
    }

    /// The part of the log that the file has by then is consistent only together with the log.
    @Test("So they do if the power goes while the log is moved into the file")
    func powerCutDuringTheMove() throws {
        var interrupted = 0
        for seed in 0..<TestScale.of(usual: 600, proof: 6_000) {
            let disk = FaultDisk(seed: UInt64(seed))
            let database = try disk.open(pageSizeBytes: 1_024)
            try database.execute("CREATE TABLE t(n INTEGER PRIMARY KEY, v BLOB, number INTEGER)")
            for row in 1...6 { try database.execute("INSERT INTO t VALUES(\(row), zeroblob(1500), 0)") }
            try database.checkpoint()
            disk.arm(.syncError, after: seed % 4)
            let update = try database.prepare("UPDATE t SET number = ?")
            var acknowledged: Int64 = 0
            for number in 1...14 as ClosedRange<Int64> where !disk.isDead {
                let failures = disk.count(of: .syncError)
                let waits = number % 3 == 0
                do {
                    try database.setDurable(waits)
                    try database.begin()
                    try update.run(number)
                    try database.commit()
                    if waits { acknowledged = number }
                } catch {
                    database.rollback()
                }
                if disk.count(of: .syncError) > failures { disk.arm(.powerCut, after: seed / 4 % 50) }
            }
            if disk.isDead { interrupted += 1 } else { disk.cutPower() }
            disk.disarm()
            disk.revive()
            let again = try disk.open(pageSizeBytes: 1_024)
            #expect(try again.quickCheck() == nil, "seed \(seed)")
            let found = try again.prepare("SELECT count(*), min(number), max(number) FROM t").first { row in
                (rows: row.int(0), first: row.int(1), last: row.int(2))
            }
            let (rows, first, last) = try #require(found)
            #expect(rows == 6 && first == last && first >= acknowledged, "seed \(seed): \(first) to \(last)")
        }
        #expect(interrupted > 0)
    }

    /// The next process reads from the system's memory what the sync lost, and writes after it.
    @Test("So they do if the process ended after the sync that failed")
    func laterCommitsOfTheNextProcess() throws {
        var failed = 0
        for seed in 0..<TestScale.of(usual: 100, proof: 1_000) {
            let disk = FaultDisk(seed: UInt64(seed))
            var acknowledged: Set<Int64> = []
            func commit(_ numbers: ClosedRange<Int64>) throws {
                let database = try disk.open(pageSizeBytes: 1_024)
                // The disk dies before the connection closes, which would move the log into the file.
                defer { withExtendedLifetime(database) { disk.kill() } }
                try database.execute("CREATE TABLE IF NOT EXISTS t(n INTEGER PRIMARY KEY, v BLOB)")
                let insert = try database.prepare("INSERT INTO t VALUES(?, zeroblob(1500))")
                for number in numbers {
                    try database.transaction {
                        insert.bind(1, number)
                        try insert.run()
                    }
                    acknowledged.insert(number)
                }
            }
            try commit(1...4)
            // The first syncs are those of the start, which moves the log it finds.
            disk.arm(.syncError, after: seed % 8)
            do {
                try commit(5...8)
            } catch {
                failed += 1
            }
            try commit(9...12)
            disk.cutPower()
            disk.revive()
            let found = try disk.open(pageSizeBytes: 1_024).prepare("SELECT n FROM t")
            while try found.step() { acknowledged.remove(found.int(0)) }
            #expect(acknowledged.isEmpty, "seed \(seed)")
        }
        #expect(failed > 0)
    }

    @Test("Looking needs no room, and leaves no transaction open", arguments: [false, true])
    func scratch(isNested: Bool) throws {
        let disk = FaultDisk(seed: 1)
        let database = try disk.open(pageSizeBytes: 1_024)
        try database.execute("CREATE TABLE t(v BLOB)")
        disk.setFull(true)
        if isNested { try database.begin() }
        let count = try database.prepare("SELECT count(*) FROM t")
        try database.scratch {
            try database.execute("INSERT INTO t VALUES(zeroblob(5000))")
            #expect(try count.step() && count.int(0) == 1)
            count.reset()
        }
        #expect(try count.step() && count.int(0) == 0)
        count.reset()
        #expect(database.inTransaction == isNested)
    }

    @Test("A full disk is told from a failing one, and takes more when there is room")
    func full() throws {
        let disk = FaultDisk(seed: 1)
        let database = try disk.open(pageSizeBytes: 1_024)
        try database.execute("CREATE TABLE t(v BLOB)")
        disk.setFull(true)
        do {
            try database.execute("INSERT INTO t VALUES(zeroblob(5000))")
            Issue.record("it fitted")
        } catch {
            #expect(error.isDiskFull)
        }
        disk.setFull(false)
        try database.execute("INSERT INTO t VALUES(zeroblob(5000))")
    }

    @Test("With a log from before and no room to move it, what only reads goes on")
    func fullAtTheStart() throws {
        let disk = FaultDisk(seed: 1)
        let earlier = try disk.open(pageSizeBytes: 1_024)
        try earlier.execute("CREATE TABLE t(v BLOB)")
        withExtendedLifetime(earlier) { disk.kill() }
        disk.setFull(true)
        let database = try disk.open(pageSizeBytes: 1_024)
        try database.transaction { try database.execute("SELECT * FROM t") }
        try database.scratch { try database.execute("INSERT INTO t VALUES(1)") }
        // Room that appears during a write comes too late for it.
        let error = #expect(throws: DatabaseError.self) {
            try database.transaction {
                disk.setFull(false)
                try database.execute("INSERT INTO t VALUES(1)")
            }
        }
        #expect(error?.isDiskFull == true)
        try database.transaction { try database.execute("INSERT INTO t VALUES(1)") }
    }

    @Test("A sync that lies loses an acknowledged commit at a power cut")
    func syncLie() throws {
        var lost = 0
        for after in 0..<24 {
            let disk = FaultDisk(seed: UInt64(after))
            disk.arm(.syncLie, after: after)
            let script = Script(disk, commits: 4)
            guard disk.count(of: .syncLie) > 0 else { continue }
            disk.cutPower()
            if try script.found() ?? 0 < script.acknowledged { lost += 1 }
        }
        #expect(lost > 0)
    }

    @Test("Part of a page that is read as zeros is found")
    func shortRead() throws {
        var found = 0
        for after in 0..<20 {
            let disk = FaultDisk(seed: UInt64(after))
            _ = Script(disk, commits: 10)
            disk.arm(.shortRead, after: after)
            do {
                let database = try disk.open(pageSizeBytes: 1_024)
                if try database.quickCheck() != nil { found += 1 }
            } catch {
                #expect(error.isCorrupt)
                found += 1
            }
        }
        #expect(found > 0)
    }

    @Test("Bits rot, a file is gone, an old copy comes back")
    func damage() throws {
        let disk = FaultDisk(seed: 3)
        var script = Script(disk, commits: 5)
        let old = disk.copy()
        let bytes = try #require(disk.bytes())
        disk.rot(at: 1_024 + 3, bits: 0x40)
        #expect(try #require(disk.bytes()) != bytes)
        #expect(try script.found() == nil)
        disk.kill()

        disk.restore(old)
        #expect(disk.bytes() == bytes)
        #expect(try script.found() == 5)
        disk.kill()

        let other = FaultDisk(seed: 4)
        other.restore(old)
        script = Script(other, commits: 3)
        #expect(script.failure?.primaryCode == 19, "the copy has those rows already")
        #expect(try script.found() == 5)

        #expect(disk.lose())
        disk.lose(FaultDisk.log)
        script = Script(disk, commits: 2)
        #expect(script.failure == nil)
        #expect(try script.found() == 2)
    }

    @Test("The same seed leaves the same bytes, another one others")
    func replay() throws {
        func left(_ seed: UInt64) -> [UInt8]? {
            let disk = FaultDisk(seed: seed)
            disk.arm(.powerCut, after: 60)
            _ = Script(disk, synchronous: "OFF")
            return disk.bytes()
        }
        #expect(left(1) == left(1))
        #expect(Set((1...6).map { left($0) }).count > 1)
    }
}
