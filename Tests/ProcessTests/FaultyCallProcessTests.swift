import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    /// The n-th call of a program that changes something on the disk fails, is torn, or is its last
    /// (`Tools/faulty-calls`). What it acknowledged is there afterwards, and what failed can be repeated.
    @Suite struct FaultyCalls {
        private static let source =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            + "/Tools/faulty-calls/faulty.c"
        static let hasCompiler = (try? Command("cc", ["--version"]).run().status.isSuccess) == true

        private enum Fault: String, CaseIterable {
            /// Before the call; in the middle of a write.
            case kill, tear
            /// Once, with EIO or ENOSPC.
            case fail, full
        }

        /// A program under the library, which is to fail at one call.
        private struct Attempt {
            /// From 0 on, in the order of the sweep.
            let index: Int
            let fault: Fault
            let call: Int
            private let bench: Bench

            init(_ index: Int, _ fault: Fault, at call: Int, _ bench: Bench) {
                (self.index, self.fault, self.call, self.bench) = (index, fault, call, bench)
            }

            var comment: Comment { "\(fault) at call \(call)" }

            /// - Parameter folder: what is changed elsewhere does not count.
            func environment(below folder: String) -> [String: String] {
                [
                    "LD_PRELOAD": bench.library, "KACHAT_FAULT_FOLDER": folder + "/", "KACHAT_FAULT_AT": "\(call)",
                    "KACHAT_FAULT": fault.rawValue, "KACHAT_FAULT_MARK": bench.mark,
                ]
            }

            func command(_ home: String, _ arguments: [String], below folder: String) throws -> CommandResult {
                var command = bench.fixture.binary.command(home: home, arguments)
                command.environment.merge(environment(below: folder)) { $1 }
                return try command.run(within: Deadline.patience)
            }

            /// The command fails; then, without the fault, it succeeds, or says that it had been done.
            func command(_ home: String, _ arguments: [String], below folder: String, orSays done: String) throws {
                guard try !command(home, arguments, below: folder).status.isSuccess else { return }
                let again = try bench.fixture.binary.command(home: home, arguments).run(within: Deadline.patience)
                #expect(
                    again.status.isSuccess || again.errorOutput.contains(done),
                    "\(comment): \(again.errorOutput.suffix(500))")
            }
        }

        private struct Bench {
            let fixture: Fixture
            let library: String
            /// The file that is made when a fault happens.
            let mark: String

            init() throws {
                fixture = try Fixture()
                (library, mark) = (fixture.folder.file("faulty.so"), fixture.folder.file("happened"))
                let made = try Command("cc", ["-O1", "-shared", "-fPIC", "-o", library, FaultyCalls.source, "-ldl"])
                    .run()
                try #require(made.status.isSuccess, "\(made.errorOutput)")
            }

            /// Each n-th call in turn, until there are no more.
            ///
            /// - Parameters:
            ///   - what: is swept, for the count that is printed.
            ///   - step: of n, in `make test`; the faults take turns there, and are all tried in `make prove`.
            /// - Returns: how many faults happened.
            func sweep(_ what: String, step: Int, _ body: (Attempt) throws -> Void) throws -> Int {
                var (call, index, happened) = (1, 0, 0)
                while true {
                    let before = happened
                    for fault in TestScale.of(
                        usual: [Fault.allCases[index % Fault.allCases.count]], proof: Fault.allCases)
                    {
                        FileTree.remove(mark)
                        try body(Attempt(index, fault, at: call, self))
                        index += 1
                        if FileTree.exists(mark) { happened += 1 }
                    }
                    guard happened > before else { break }
                    call += TestScale.of(usual: step, proof: 1)
                }
                print("\(what): \(happened) faults, up to call \(call)")
                return happened
            }

            /// What lies in the home is whole.
            func expectSound(_ node: DrivenNode, _ comment: Comment) throws {
                struct Report: Decodable {
                    var damagedRows, damagedBlobs, damagedIndexes, lanesDiffering, lostMessages: Int
                }
                let report = try node.object(Report.self, ["scrub"])
                let found = [
                    report.damagedRows, report.damagedBlobs, report.damagedIndexes, report.lanesDiffering,
                    report.lostMessages,
                ]
                #expect(found == [0, 0, 0, 0, 0], comment)
            }
        }

        @Test(.enabled(if: hasCompiler, "needs cc")) func anImportLosesNothing() throws {
            let bench = try Bench()
            let node = try bench.fixture.node("one")
            let talk = Talk(1_600)
            var given = 0
            let happened = try bench.sweep("import", step: 3) { attempt in
                let part = try #require(talk.messages.dropFirst(given).first)
                given += 1
                let file = try bench.fixture.file("part-\(attempt.index)", [part.jsonLine])
                try attempt.command(node.home, ["import", file], below: node.home, orSays: "no such answer")
            }
            #expect(happened >= 5)
            #expect(try node.exportedTxids() == Set(talk.messages.prefix(given).map(\.txidHex)))
            try bench.expectSound(node, "after \(happened) faults")
        }

        @Test(.enabled(if: hasCompiler, "needs cc")) func aHomeThatIsMadeIsWhole() throws {
            let bench = try Bench()
            let message = try bench.fixture.file("message", [Talk(1).lines[0]])
            let happened = try bench.sweep("init", step: 29) { attempt in
                let node = bench.fixture.adopt(
                    "\(attempt.index)", home: bench.fixture.folder.file("home-\(attempt.index)"))
                try attempt.command(
                    node.home, ["init", "--name", "one"], below: node.home, orSays: "already has an identity")
                try node.run(["account", "phrase"])
                try node.run(["import", message])
                #expect(try node.exportedTxids().count == 1, attempt.comment)
                try bench.expectSound(node, attempt.comment)
            }
            #expect(happened >= 5)
        }

        @Test(.enabled(if: hasCompiler, "needs cc")) func aBackupThatIsThereIsWhole() throws {
            let bench = try Bench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            let expected = Set(talk.messages.map(\.txidHex))
            let happened = try bench.sweep("backup", step: 9) { attempt in
                let name = "backup-\(attempt.index)"
                let file = bench.fixture.folder.file(name)
                try attempt.command(
                    node.home, ["backup", file], below: bench.fixture.folder.path, orSays: "already exists")
                let left = FileTree.names(in: bench.fixture.folder.path).filter { $0.hasPrefix(name) }
                #expect(left == [name], attempt.comment)
                let copy = bench.fixture.adopt("copy", home: bench.fixture.folder.file("copy"))
                try copy.run(["restore", file])
                #expect(try copy.exportedTxids() == expected, attempt.comment)
                for path in [copy.home, file] { FileTree.remove(path) }
            }
            #expect(happened >= 5)
            try bench.expectSound(node, "after \(happened) faults")
        }

        @Test(.enabled(if: hasCompiler, "needs cc")) func aHomeThatIsRestoredIsWhole() throws {
            let bench = try Bench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            let file = bench.fixture.folder.file("backup")
            try node.run(["backup", file])
            let happened = try bench.sweep("restore", step: 9) { attempt in
                let copy = bench.fixture.adopt("copy", home: bench.fixture.folder.file("copy"))
                try attempt.command(
                    copy.home, ["restore", file], below: copy.home, orSays: "already has an identity")
                #expect(try copy.exportedTxids() == Set(talk.messages.map(\.txidHex)), attempt.comment)
                try bench.expectSound(copy, attempt.comment)
                FileTree.remove(copy.home)
            }
            #expect(happened >= 5)
        }

        /// From its start to its end, while it is given messages and is told to delete some.
        @Test(.enabled(if: hasCompiler, "needs cc")) func aRunningNodeKeepsWhatItAcknowledged() throws {
            let bench = try Bench()
            let node = try bench.fixture.node("one")
            let talk = Talk(8_000)
            var (kept, deleted, given): (Set<String>, Set<String>, Int) = ([], [], 0)
            let happened = try bench.sweep("a running node", step: 5) { attempt in
                node.environment = attempt.environment(below: node.home)
                defer { node.stop() }
                // It may fail at its start; what it is told then, the commands do themselves.
                try? node.start()
                for _ in 0..<2 {
                    let message = try #require(talk.messages.dropFirst(given).first)
                    given += 1
                    let file = try bench.fixture.file("part", [message.jsonLine])
                    if try node.attempt(["import", file]).status.isSuccess { kept.insert(message.txidHex) }
                }
                if let old = kept.min(), try node.attempt(["message", "delete", old]).status.isSuccess {
                    kept.remove(old)
                    deleted.insert(old)
                }
                node.stop()
                let held = try node.exportedTxids()
                #expect(held.isSuperset(of: kept), attempt.comment)
                #expect(held.isDisjoint(with: deleted), attempt.comment)
                try bench.expectSound(node, attempt.comment)
            }
            #expect(happened >= 5 && kept.count + deleted.count >= happened)
            node.environment = [:]
            try node.start()
            #expect(try node.exportedTxids().isSuperset(of: kept))
        }
    }
}
