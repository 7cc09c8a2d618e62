import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Bad input, and commands where they cannot work (docs/TESTING.md has the table of outcomes).
    @Suite struct Input {
        @Test func badLinesAreNamedAndTheOthersTaken() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let good = Talk(30).lines
            let bad = [
                "no json", "{\"txid\": \"00\"}", good[0].replacing(/"txid": ?"[0-9a-f]*/, with: "\"txid\": \"abcd"),
                good[0].replacing(/"direction": ?"[a-z]*/, with: "\"direction\": \"up"),
                good[0].replacing(/"senderTs": ?/, with: "\"senderTs\": -"),
                good[0].replacing(/"body": ?"/, with: "\"body\": \"" + String(repeating: "x", count: 65_537)),
            ]
            let path = try fixture.file("mixed", Array(good[..<10]) + bad + Array(good[10...]))
            for round in 0..<2 {
                let result = try node.attempt(["import", path])
                #expect(result.status == .exited(1))
                for line in 11...16 { #expect(result.errorOutput.contains("line \(line): ")) }
                #expect(result.errorOutput.contains("6 of 36 lines were refused"))
                #expect(result.output.contains(round == 0 ? "30 new" : "30 already here"))
                #expect(try node.messageCount() == 30)
            }
            try node.start()
            #expect(try node.attempt(["import", path]).status == .exited(1))
            #expect(try node.messageCount() == 30)
        }

        /// A thousand complaints would hide what is wrong with the file.
        @Test(arguments: [false, true])
        func aFileThatIsNoHistoryIsComplainedAboutBriefly(isRunning: Bool) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            if isRunning { try node.start() }
            let path = try fixture.file("novel", Array(repeating: "It was the best of times,", count: 5_000))
            let result = try node.attempt(["import", path])
            #expect(result.status == .exited(1))
            let complaints = result.errorOutput.split(separator: "\n")
            #expect(complaints.count == 13)
            #expect(complaints[9].contains("line 10: is not a JSON object"))
            #expect(complaints[10].contains("and 4,990 more: `--json` lists the first 1,000"))
            #expect(complaints[11].contains("import takes an archive, or a file with one message a line"))
            #expect(complaints[12].contains("5000 of 5000 lines were refused"))
            #expect(result.output.contains("5,000 lines: 0 new, 0 already here, 5,000 refused"))

            let machine = try node.attempt(["import", path, "--json"])
            #expect(machine.errorOutput.contains("line 1000: is not a JSON object"))
            #expect(!machine.errorOutput.contains("import takes"))
        }

        @Test func aWrongPhraseWritesNothing() throws {
            let fixture = try Fixture()
            let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
            let cases = [
                (words.replacing("sausage", with: "sausge"), "word 6, `sausge`"),
                (words + " legal", "12 or 24 words"),
                (words.replacing("yellow", with: "zoo"), "together they are not a phrase"),
            ]
            for (phrase, complaint) in cases {
                let node = DrivenNode(fixture.binary, name: "one", home: fixture.folder.file("none"))
                let result = try node.attempt(["init", "--phrase-file", "-"], input: phrase + "\n")
                #expect(result.status == .exited(1))
                #expect(result.errorOutput.contains(complaint))
                #expect(!FileTree.exists(node.home))
            }
        }

        @Test func aSecondNodeOnTheHomeIsRefused() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let second = try node.attempt(["run", "--discovery", "off", "--listen", "127.0.0.1:0"])
            #expect(second.status == .exited(1))
            #expect(second.errorOutput.contains("is in use by another kachat-node"))
            #expect(second.errorOutput.split(separator: "\n").count == 1)
            #expect(try node.status().account?.messages == 0)
            let listen = try #require(node.listen)
            let other = try fixture.node("two")
            let port = try other.attempt(["run", "--discovery", "off", "--listen", listen])
            #expect(port.status == .exited(1))
            #expect(port.errorOutput.contains("is in use: choose another with --listen"))
        }

        @Test func commandsSayWhatToRun() throws {
            let fixture = try Fixture()
            let nowhere = DrivenNode(fixture.binary, name: "none", home: fixture.folder.file("none"))
            for command in [["run"], ["status"], ["account", "phrase"], ["export"], ["peers"]] {
                let result = try nowhere.attempt(command)
                #expect(result.status == .exited(1))
                #expect(result.errorOutput.contains("`kachat-node --home \(nowhere.home) setup`"))
            }
            let node = try fixture.node("one")
            for command in [["peers"], ["sync", "--wait"]] {
                let result = try node.attempt(command)
                #expect(result.status == .exited(3))
                #expect(result.errorOutput.contains("run `kachat-node --home \(node.home) run`"))
            }
            #expect(try node.attempt(["init"]).status == .exited(1))
            #expect(try node.attempt(["stauts"]).status == .exited(2))
            #expect(try node.attempt(["message", "show", String(repeating: "0", count: 64)]).status == .exited(5))
            #expect(try node.attempt(["message", "list", "--conversation", "nobody"]).status == .exited(5))
            #expect(try node.attempt(["read", "mark", "nobody"]).status == .exited(5))
        }

        /// It asks first; and while another device is off, nobody can say that the message is gone there.
        @Test func aMessageIsDeletedOnceThatIsSaid() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            _ = try fixture.node("two")
            let talk = Talk(30)
            let message = talk.messages[0]
            let other = try #require(talk.messages.first { $0.conversationID != message.conversationID })
            try node.run(["import", try fixture.file("talk", talk.lines)])
            let asked = try node.attempt(["message", "delete", message.txidHex])
            #expect(asked.status == .exited(2) && asked.errorOutput.contains("run it with --yes"))
            #expect(try node.messageCount() == 30)
            let said = try node.run(["message", "delete", message.txidHex, "--yes"])
            #expect(said.contains("Deleted here; your other devices follow when they sync."))
            #expect(try node.messageCount() == 29)
            let all = try node.run(["conversation", "delete", other.conversationID, "--yes"])
            #expect(all.contains("deleted here; your other devices"), "\(all)")
        }

        @Test func whatOneDeviceDeletedAnotherBringsBack() throws {
            struct Line: Decodable {
                var txid: String?
                var conversationId: String
                var body: String?
            }
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(30)
            let message = talk.messages[0]
            let other = try #require(talk.messages.first { $0.conversationID != message.conversationID })
            try nodes[0].run(["import", try fixture.file("talk", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 30)
            try nodes[0].run(["message", "delete", message.txidHex, "--yes"])
            try fixture.waitForAgreement(nodes, messages: 29)
            try nodes[0].run(["conversation", "delete", other.conversationID, "--yes"])
            let left = try nodes[0].messageCount()
            try fixture.waitForAgreement(nodes, messages: left)
            let deleted = try nodes[1].objects(Line.self, ["message", "deleted"])
            #expect(deleted.map(\.txid) == [nil, message.txidHex])
            #expect(deleted.map(\.conversationId) == [other.conversationID, message.conversationID])
            #expect(deleted.last?.body == message.body)
            let said = try nodes[1].run(["message", "restore", message.txidHex])
            #expect(said == "Restored here; your other devices follow when they sync.\n")
            let again = try nodes[1].run(["message", "restore", message.txidHex])
            #expect(again.hasPrefix("Nothing came back: it was not deleted"))
            try nodes[1].run(["conversation", "restore", other.conversationID])
            try fixture.waitForAgreement(nodes, messages: 30)
            for node in nodes {
                #expect(try node.run(["message", "show", message.txidHex]).contains(message.body))
                #expect(try node.run(["message", "deleted"]).isEmpty)
            }
            #expect(
                try nodes[0].attempt(["message", "restore", String(repeating: "7", count: 64)]).status == .exited(5))
            #expect(try nodes[0].attempt(["conversation", "restore", other.conversationID]).status == .exited(5))
        }

        @Test func aPhraseThatOthersCanReadIsTold() throws {
            let fixture = try Fixture()
            _ = try fixture.node("one")
            let node = DrivenNode(fixture.binary, name: "two", home: fixture.folder.file("two"))
            let join = ["init", "--phrase-file", fixture.phraseFile]
            chmod(fixture.phraseFile, 0o644)
            let folder = fixture.folder.path
            chmod(folder, 0o755)
            let result = try node.attempt(join)
            #expect(result.status == .exited(0))
            #expect(result.errorOutput.contains("others on this machine can read \(fixture.phraseFile)"))
            // A file that nobody else can read, and one in a folder that nobody else can enter.
            for modes in [(0o600, 0o755), (0o644, 0o700)] as [(mode_t, mode_t)] {
                chmod(fixture.phraseFile, modes.0)
                chmod(folder, modes.1)
                FileTree.remove(node.home)
                #expect(try node.attempt(join).errorOutput.isEmpty)
            }
        }

        /// A folder that cannot be read is not known to be empty.
        @Test func aHomeThatCannotBeReadIsNotAMissingOne() throws {
            let fixture = try Fixture()
            let node = DrivenNode(fixture.binary, name: "one", home: try fixture.file("file", []) + "/home")
            let result = try node.attempt(["run"])
            #expect(result.status == .exited(1) && result.errorOutput.contains("identity: Not a directory"))
        }

        /// The command is pasted after `run … &`, so either may come first.
        @Test func aCommandAndAStartingNodeWaitForEachOther() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let path = try fixture.file("talk", Talk(200).lines)
            for round in 0..<6 {
                let script = round % 2 == 0 ? "\"$0\" import \"$1\" & exec " : "exec "
                var command = fixture.binary.command(home: node.home, [])
                command.arguments = [
                    "-c", script + "\"$0\" run --discovery off --listen 127.0.0.1:0 --api off", command.program, path,
                ]
                command.program = "/bin/sh"
                command.environment["KACHAT_HOME"] = node.home
                command.errorOutput = .file(node.logPath)
                let process = try ChildProcess(command)
                // It has the lock, or is about to get it.
                try fixture.wait("it has begun") {
                    FileTree.read(node.home + "/lock").map { String(decoding: $0, as: UTF8.self) } == "\(process.pid)\n"
                }
                #expect(try node.attempt(["sync"]).status == .exited(0), "\(node.log)")
                process.terminate()
                #expect(try process.wait() == .exited(0), "\(node.log)")
            }
        }

        @Test func aHomeThatCannotBeWritten() throws {
            let fixture = try Fixture()
            try FileTree.write([1], to: fixture.folder.file("file"))
            let node = DrivenNode(fixture.binary, name: "none", home: fixture.folder.file("file") + "/home")
            let result = try node.attempt(["init"])
            #expect(result.status == .exited(1))
            #expect(result.errorOutput.contains("cannot write to the home"))
        }

        @Test func aNodeAloneTimesOut() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let result = try node.attempt(["sync", "--wait", "--timeout", "0.3"])
            #expect(result.status == .exited(6))
        }

        /// The state with a device that is now away says nothing about later additions.
        @Test func aNodeThatIsAloneAgainTimesOut() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try nodes[0].run(["sync", "--wait", "--timeout", "60"])
            #expect(nodes[1].stop() == .exited(0))
            try fixture.wait("it is alone") { try nodes[0].status().peers.allSatisfy { $0.state != "connected" } }
            let path = try fixture.file("talk.jsonl", Talk(20, conversations: 2).lines)
            try nodes[0].run(["import", path])
            let result = try nodes[0].attempt(["sync", "--wait", "--timeout", "0.3"])
            #expect(result.status == .exited(6) && result.errorOutput.contains("no device of the account is in reach"))
        }
    }
}
