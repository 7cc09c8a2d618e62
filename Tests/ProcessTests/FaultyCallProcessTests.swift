import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    /// The n-th call of a program that changes something on the disk fails, is torn, or is its last
    /// (`Tools/faulty-calls`). What was acknowledged is there afterwards, and what failed can be repeated.
    @Suite struct FaultyCalls {
        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func anImportLosesNothing() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(1_600)
            var given = 0
            let happened = try bench.sweep("import", stride(from: 1, to: .max, by: 5)) { attempt in
                let part = try #require(talk.messages.dropFirst(given).first)
                given += 1
                let file = try bench.fixture.file("part-\(attempt.index)", [part.jsonLine])
                try attempt.command(node.home, ["import", file], below: node.home, orSays: "no such answer")
            }
            #expect(happened >= 5)
            #expect(try node.exportedTxids() == Set(talk.messages.prefix(given).map(\.txidHex)))
            #expect(try node.scrub() == .clean, "after \(happened) faults")
        }

        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func aHomeThatIsMadeIsWhole() throws {
            let bench = try FaultBench()
            let message = try bench.fixture.file("message", [Talk(1).lines[0]])
            let happened = try bench.sweep("init", stride(from: 1, to: .max, by: 41)) { attempt in
                let node = bench.fixture.adopt(
                    "\(attempt.index)", home: bench.fixture.folder.file("home-\(attempt.index)"))
                try attempt.command(
                    node.home, ["init", "--name", "one"], below: node.home, orSays: "already has an identity")
                try node.run(["account", "phrase"])
                try node.run(["import", message])
                #expect(try node.exportedTxids().count == 1, attempt.comment)
                #expect(try node.scrub() == .clean, attempt.comment)
            }
            #expect(happened >= 5)
        }

        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func aBackupThatIsThereIsWhole() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            let expected = Set(talk.messages.map(\.txidHex))
            let happened = try bench.sweep("backup", stride(from: 1, to: .max, by: 13)) { attempt in
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
            #expect(try node.scrub() == .clean, "after \(happened) faults")
        }

        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func aHomeThatIsRestoredIsWhole() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            let file = bench.fixture.folder.file("backup")
            try node.run(["backup", file])
            let happened = try bench.sweep("restore", stride(from: 1, to: .max, by: 13)) { attempt in
                let copy = bench.fixture.adopt("copy", home: bench.fixture.folder.file("copy"))
                try attempt.command(
                    copy.home, ["restore", file], below: copy.home, orSays: "already has an identity")
                #expect(try copy.exportedTxids() == Set(talk.messages.map(\.txidHex)), attempt.comment)
                #expect(try copy.scrub() == .clean, attempt.comment)
                FileTree.remove(copy.home)
            }
            #expect(happened >= 5)
        }

        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func anArchiveThatIsThereIsWhole() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            let expected = Set(talk.messages.map(\.txidHex))
            let happened = try bench.sweep("export", stride(from: 1, to: .max, by: 11)) { attempt in
                let name = "archive-\(attempt.index)"
                let file = bench.fixture.folder.file(name)
                try attempt.command(
                    node.home, ["export", "--archive", file], below: bench.fixture.folder.path,
                    orSays: "already exists")
                let left = FileTree.names(in: bench.fixture.folder.path).filter { $0.hasPrefix(name) }
                #expect(left == [name], attempt.comment)
                let copy = bench.fixture.adopt("copy", home: bench.fixture.folder.file("copy"))
                try copy.initialise(phraseFile: bench.fixture.phraseFile)
                try copy.run(["import", file])
                #expect(try copy.exportedTxids() == expected, attempt.comment)
                for path in [copy.home, file] { FileTree.remove(path) }
            }
            #expect(happened >= 3)
            #expect(try node.scrub() == .clean, "after \(happened) faults")
        }

        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func anArchiveThatIsReadIsReadWhole() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(20)
            try node.run(["import", try bench.fixture.file("talk", talk.lines)])
            try node.run(["message", "delete", talk.messages[0].txidHex, "--yes"])
            let file = bench.fixture.folder.file("archive")
            let deleted = try bench.fixture.file("deleted", [talk.lines[0]])
            try node.run(["export", "--archive", file])
            let reader = try bench.fixture.node("two")
            let fresh = try RewoundHome(reader)
            let happened = try bench.sweep("import of an archive", stride(from: 1, to: .max, by: 37)) { attempt in
                try fresh.rewind()
                try attempt.command(reader.home, ["import", file], below: reader.home, orSays: "no such answer")
                let rest = Set(talk.messages.dropFirst().map(\.txidHex))
                #expect(try reader.exportedTxids() == rest, attempt.comment)
                // The deletion came too.
                try reader.run(["import", deleted])
                #expect(try reader.exportedTxids() == rest, attempt.comment)
                #expect(try reader.scrub() == .clean, attempt.comment)
            }
            #expect(happened >= 3)
        }

        /// A newer program runs its first command on an older one's home.
        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func anUpgradeLosesNothing() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(1_600)
            var given = 20
            try node.run(["import", try bench.fixture.file("talk", Array(talk.lines[..<given]))])
            let group = try node.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            try node.run(["game", "add", "Wordle", "--group", group, "--model", "lower-attempts"])
            try node.run(["score", "post", group, "--game", "Wordle", "--score", "3", "--date", "20250101"])
            let newest = try OlderSchema.steps(in: node)
            let happened = try bench.sweep("upgrade", stride(from: 1, to: .max, by: 41)) { attempt in
                #expect(try OlderSchema.restore(in: node) == 20)
                let part = try bench.fixture.file("part-\(attempt.index)", [talk.lines[given]])
                given += 1
                try attempt.command(node.home, ["import", part], below: node.home, orSays: "no such answer")
                #expect(
                    try node.exportedTxids() == Set(talk.messages.prefix(given).map(\.txidHex)), attempt.comment)
                #expect(try node.run(["score", "list", group, "--json"]).contains("20250101"), attempt.comment)
                #expect(try node.scrub() == .clean, attempt.comment)
                #expect(try OlderSchema.steps(in: node) == newest, attempt.comment)
            }
            #expect(happened >= 3)
        }

        /// A fault falls anywhere in its run, while it is given messages and told to delete some.
        @Test(.enabled(if: FaultBench.hasCompiler, "needs cc")) func aRunningNodeKeepsWhatItAcknowledged() throws {
            let bench = try FaultBench()
            let node = try bench.fixture.node("one")
            let talk = Talk(8_000)
            var (kept, deleted, given): (Set<String>, Set<String>, Int) = ([], [], 0)
            let happened = try bench.sweep("a running node", stride(from: 1, to: .max, by: 9)) { attempt in
                node.environment = attempt.environment(below: node.home)
                defer { node.stop() }
                // It may fail at its start; the commands then do the work themselves.
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
                #expect(try node.scrub() == .clean, attempt.comment)
            }
            #expect(happened >= 5 && kept.count + deleted.count >= happened)
            node.environment = [:]
            try node.start()
            #expect(try node.exportedTxids().isSuperset(of: kept))
        }
    }
}
