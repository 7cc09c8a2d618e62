import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// A node on its own small file system, which is full.
    @Suite struct FullDisk {
        /// The file system, mounted where only its keeper and processes that join it can see it.
        private struct Disk {
            let folder: String
            let keeper: ChildProcess
            var way: [String] { ["-m", "-t", "\(keeper.pid)"] }

            init(_ fixture: Fixture) throws {
                folder = fixture.folder.file("disk")
                try #require(mkdir(folder, 0o700) == 0)
                let words = "mount -t tmpfs -o size=8m tmpfs '\(folder)' && echo mounted && exec sleep 600"
                keeper = try ChildProcess(Command("unshare", ["-m", "sh", "-c", words]))
                _ = try keeper.output?.first { $0 == "mounted" }
            }

            func run(_ words: String) throws {
                let result = try Command("nsenter", way + ["sh", "-c", words]).run()
                try #require(result.status.isSuccess, "\(words): \(result.errorOutput)")
            }

            func fill() throws {
                try run("dd if=/dev/zero of='\(folder)/fill' bs=4096 2>/dev/null; test -s '\(folder)/fill'")
            }

            func empty() throws { try run("rm '\(folder)/fill'") }

            /// A node whose home is on it: its program is a script that first enters there.
            func node(_ fixture: Fixture, _ name: String) throws -> DrivenNode {
                let script = fixture.folder.file("on-disk-\(name)")
                let text = "#!/bin/sh\nexec nsenter \(way.joined(separator: " ")) '\(fixture.binary.path)' \"$@\"\n"
                try FileTree.write(Array(text.utf8), to: script)
                chmod(script, 0o700)
                let node = DrivenNode(NodeBinary(path: script), name: name, home: folder + "/" + name)
                try node.initialise(phraseFile: fixture.phraseFile)
                fixture.adopt(node)
                return node
            }
        }

        private struct Status: Decodable {
            struct Account: Decodable {
                var state: String
                var reason: String?
            }
            var accounts: [Account]
        }

        static let canMount =
            (try? Command("unshare", ["-m", "sh", "-c", "mount -t tmpfs tmpfs /tmp && nsenter --version"]).run())?
            .status.isSuccess == true

        private func account(_ node: DrivenNode) throws -> Status.Account {
            try node.object(Status.self, ["status"]).accounts[0]
        }

        @Test(
            .enabled(if: canMount, "a file system of its own needs root, unshare(1), nsenter(1) and mount(8)"),
            arguments: TestScale.of(usual: [true], proof: [false, true]))
        func aNodeStartsServesAndGoesOnWhenThereIsRoom(isKilled: Bool) throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let disk = try Disk(fixture)
            let two = try disk.node(fixture, "two")
            let talk = Talk(300)
            try one.start()
            try two.start()
            try two.run(["import", try fixture.file("first", Array(talk.lines[..<200]))])
            try fixture.waitForAgreement([one, two], messages: 200)
            let device = try two.status().deviceId
            if isKilled { try two.kill() } else { two.stop() }
            try one.run(["import", try fixture.file("rest", Array(talk.lines[200...]))])
            try disk.fill()

            // Without a node, the existing data can be read, and nothing is written.
            #expect(try two.exportedTxids().count == 200)
            let own = talk.lines[0].replacing(talk.messages[0].txidHex, with: String(repeating: "ab", count: 32))
            let refused = try two.attempt(["message", "add"], input: own + "\n")
            #expect(refused.status == .exited(1) && refused.errorOutput.contains("storage full"))

            try two.start()
            var full = try account(two)
            try fixture.wait("it says what is wrong") {
                full = try account(two)
                return full.reason?.contains("storage full: sync paused; make room for") == true
            }
            #expect(full.state == "waiting")
            #expect(try two.run(["conversation", "list"]).isEmpty == false)
            #expect(try two.exportedTxids().count == 200)
            #expect(try two.attempt(["message", "add"], input: own + "\n").errorOutput.contains("storage full"))

            try disk.empty()
            try fixture.waitForAgreement([one, two], messages: 300)
            try fixture.wait("nothing is wrong any more") { try account(two).reason == nil }
            try two.run(["message", "add"], input: own + "\n")
            try two.run(["flush"])
            try fixture.waitForAgreement([one, two], messages: 301)
            // It is still the same device, and the next start finds its guard in order.
            two.stop()
            try two.start()
            #expect(try two.status().deviceId == device)
            #expect(!two.log.contains("started-afresh"))
        }

        /// A copy must not be read as if it were the store itself.
        @Test(.enabled(if: canMount, "a file system of its own needs root, unshare(1), nsenter(1) and mount(8)"))
        func aCopyDoesNotStartThere() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let disk = try Disk(fixture)
            let two = try disk.node(fixture, "two")
            try two.run(["import", try fixture.file("first", Talk(50).lines)])
            try disk.run("cp -a '\(two.home)' '\(disk.folder)/copy' && rm -r '\(two.home)'")
            try disk.run("mv '\(disk.folder)/copy' '\(two.home)'")
            try disk.fill()
            #expect(throws: (any Error).self) { try two.start() }
            #expect(two.log.contains("storage full"))
            try disk.empty()
            try two.start()
            try one.start()
            try fixture.waitForAgreement([one, two], messages: 50)
            #expect(two.log.contains("started-afresh"))
        }

        @Test(.enabled(if: canMount, "a file system of its own needs root, unshare(1), nsenter(1) and mount(8)"))
        func aHomeThatCannotBeWrittenSaysWhy() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            func onReadOnlyDisk(_ arguments: String) throws -> (status: ProcessHarness.ExitStatus, text: String) {
                let result = try Command(
                    "unshare",
                    [
                        "-m", "sh", "-c",
                        "mount --bind '\(node.home)' '\(node.home)' && mount -o remount,ro,bind '\(node.home)' && "
                            + "exec '\(fixture.binary.path)' --home '\(node.home)' \(arguments)",
                    ]
                ).run()
                return (result.status, result.output + result.errorOutput)
            }
            for arguments in ["status", "flush", "run --discovery lo"] {
                let (status, text) = try onReadOnlyDisk(arguments)
                #expect(status == .exited(1) && text.contains("Read-only file system"), "\(arguments): \(text)")
            }
            let (status, text) = try onReadOnlyDisk("doctor --discovery lo")
            #expect(status == .exited(1) && text.contains("is on a read-only file system"), "\(text)")
            #expect(!text.contains("chown"))
        }
    }

    @Suite struct Hanging {
        /// A deliberate wait continues as long as the node lives. A command checks that after ten seconds.
        @Test(.enabled(if: TestScale.proves, "\(TestScale.provesOnly)")) func aCommandToANodeThatHangsEnds() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            node.process?.signal(SIGSTOP)
            let status = try node.attempt(["status"])
            node.process?.signal(SIGCONT)
            #expect(status.status == .exited(6) && status.errorOutput.contains("does not answer"))
            let waited = try node.attempt(["changes", "--since", "now", "--wait", "12"])
            #expect(waited.status == .exited(0))
        }

        /// A batch that does not fit leaves room when it is rolled back: the quota was still the cause.
        @Test func anImportThatTheQuotaRefusesNamesTheQuota() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            try node.run(["config", "set", "storage.quotaBytes", "1500000"])
            let body = String(repeating: "b", count: 800)
            let lines = (0..<5_000).map { number in
                """
                {"txid":"\(String(repeating: "a", count: 60))\(number + 1_000)","conversationId":"a","contact":"a",\
                "direction":"sent","senderTs":\(number),"body":"\(body)\(number)"}
                """
            }
            let result = try node.attempt(["import", try fixture.file("many", lines)])
            #expect(result.status == .exited(1))
            #expect(result.errorOutput.contains("the account's quota of 1.5 MB is used"), "\(result.errorOutput)")
            let kept = try node.messageCount()
            let told = result.output.replacing(",", with: "")
            #expect(kept > 0 && told.hasPrefix("\(kept) lines: \(kept) new"), "\(kept): \(told)")
            #expect(try !node.run(["status"]).contains("make room"))
        }
    }
}
