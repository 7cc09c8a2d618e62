import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ProcessTests {
    /// The programs of the folder Examples, each with its own node.
    @Suite struct Examples {
        /// Starts a program that was built beside the tests, connected to a node.
        private func start(_ program: String, _ node: DrivenNode, _ arguments: String...) throws -> ChildProcess {
            // The pages about them do the same in a shell, which drops the end of the line.
            let scopes = [
                "score-example": "groups:read,groups:write",
                "cloudkit-example": "chat:read,chat:write,groups:read,groups:write",
            ][program, default: "chat:read,chat:write"]
            let token = try node.run(["token", "create", "--scope", scopes, "--quiet"]).dropLast()
            let folder = node.binary.path.dropLast("kachat-node".count)
            var command = Command(folder + program, ["--api", node.api ?? ""] + arguments)
            command.environment = ["KACHAT_TOKEN": String(token)]
            command.input = .pipe
            command.errorOutput = .discarded
            return try ChildProcess(command)
        }

        @Test func whatIsWrittenOnOneDeviceIsSeenOnTheOther() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let chats = try nodes.map { try start("chat-example", $0, "alice") }
            // Each has shown what there is, and listens.
            for chat in chats {
                _ = try chat.output?.first { $0.hasPrefix("-- ") && !$0.contains("alice") }
            }
            for (writer, text) in [(0, "hello from the first"), (1, "é🦊 \"back\"")] {
                chats[writer].write(text + "\n")
                for chat in chats { _ = try chat.output?.first { $0 == "me: \(text)" } }
            }
            // One program's node is gone for a while, which the program does not even notice.
            try nodes[1].kill()
            chats[0].write("are you there?\n")
            _ = try chats[0].output?.first { $0 == "me: are you there?" }
            for chat in chats { chat.write("/quit\n") }
            #expect(try chats[0].wait() == .exited(0))
            try nodes[1].start()
            let again = try start("chat-example", nodes[1], "alice")
            _ = try again.output?.first { $0 == "me: are you there?" }
            again.write("/search there\n")
            _ = try again.output?.first { $0 == "-- 1 found" }
            again.closeInput()
            #expect(try again.wait() == .exited(0))
        }

        /// A message that was deleted before it could be shown ends nothing.
        @Test func aMessageThatIsGoneIsPassedOver() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let chat = try start("chat-example", node, "alice")
            _ = try chat.output?.first { $0.hasPrefix("-- ") && !$0.contains("alice") }
            func add(_ digit: String) throws {
                let txid = String(repeating: digit, count: 64)
                let text = "{\"txid\":\"\(txid)\",\"conversationId\":\"alice\",\"contact\":\"alice\",\"direction\":"
                let rest = "\"received\",\"senderTs\":1103966040,\"body\":\"number \(digit)\"}"
                try node.run(["message", "add"], input: text + rest)
            }
            try add("1")
            _ = try chat.output?.first { $0.contains("number 1") }
            chat.signal(SIGSTOP)
            try add("2")
            try node.run(["message", "delete", String(repeating: "2", count: 64), "--yes"])
            try add("3")
            chat.signal(SIGCONT)
            _ = try chat.output?.first { $0.contains("number 3") || $0.contains("nothing more") }
            try add("4")
            _ = try chat.output?.first { $0.contains("number 4") }
            chat.write("/quit\n")
            #expect(try chat.wait() == .exited(0))
        }

        /// A model for views shows incoming messages, sends, and keeps older ones.
        @Test func aModelFollowsTheNode() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let talk = Talk(120, conversations: 1)
            let id = talk.messages[0].conversationID
            try node.run(["import", try fixture.file("chat", talk.lines)])
            let app = try start("observable-example", node, id)
            func wait(for text: String) throws { _ = try app.output?.first { $0.contains(text) } }
            try wait(for: " 50: ")
            app.write("/older\n")
            try wait(for: " 100: ")
            app.write("hello from the model\n")
            // Its conversation is open, so it is read; messages elsewhere are not.
            try wait(for: "(0)] 100: hello from the model")
            let txid = String(repeating: "9", count: 64)
            try node.run(
                ["message", "add"],
                input: "{\"txid\":\"\(txid)\",\"conversationId\":\"later\",\"contact\":\"x\",\"direction\":"
                    + "\"received\",\"senderTs\":4000000000,\"body\":\"b\"}\n")
            try wait(for: "[later (1), ")
            app.closeInput()
            #expect(try app.wait() == .exited(0))
        }

        /// The records of an app that used CloudKit are moved twice: the second time adds nothing.
        @Test func recordsOfCloudKitAreMoved() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let txids = (1...3).map { String(repeating: "\($0)", count: 64) }
            func message(_ number: Int, _ text: String) -> String {
                "{\"txId\":\"\(txids[number])\",\"conversationId\":\"alice\",\"contactAddress\":\"kaspa:a\","
                    + "\"isOutgoing\":false,\"sentAt\":\(1_700_000_000 + number).5,"
                    + "\"blockTime\":\(1_700_000_000 + number)000,\"text\":\"\(text)\"}"
            }
            let records = try fixture.file(
                "records",
                [
                    "{\"recordType\":\"Device\",\"name\":\"old phone\"}",
                    "{\"recordType\":\"ArchiveSegment\",\"messages\":[\(message(0, "first")),\(message(1, "second")),"
                        + "\(message(2, "Sent via another device"))]}",
                    "{\"recordType\":\"ReadMarker\",\"conversationId\":\"alice\",\"txId\":\"\(txids[0])\","
                        + "\"blockTime\":1700000000000}",
                    "{\"recordType\":\"Achievement\",\"recordName\":\"5d0c8a52-8a4f-4f0e-9d52-0000000000aa\","
                        + "\"category\":\"streaks\",\"value\":31,\"tier\":\"gold\",\"modifiedAt\":1700000000}",
                ])
            let expected = [
                "messages: 2 added, 0 known, 1 missing", "messages: 0 added, 3 known, 0 missing",
            ]
            for line in expected {
                let app = try start("cloudkit-example", nodes[0], records)
                _ = try app.output?.first { $0 == line }
                _ = try app.output?.first { $0 == "achievements: 1 here" }
                _ = try app.output?.first { $0 == "other devices in reach have all of it" }
                #expect(try app.wait() == .exited(0))
            }
            struct Row: Decodable {
                var messages: Int
                var unread: Int
                var placeholders: Int
            }
            let there = try nodes[1].object(Row.self, ["conversation", "show", "alice"])
            #expect(there.messages == 2 && there.unread == 1)
        }

        /// A node in the program's own process knows one address and looks for nobody.
        @Test func anAppWithANodeOfItsOwnSyncsWhileItIsInSight() throws {
            let fixture = try Fixture()
            let box = try fixture.started("box")[0]
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            var command = Command(
                String(box.binary.path.dropLast("kachat-node".count)) + "embedded-example",
                [fixture.folder.file("phone"), "alice", try #require(box.listen)])
            command.environment = ["KACHAT_PHRASE": phrase]
            command.input = .pipe
            command.errorOutput = .discarded
            let app = try ChildProcess(command)
            _ = try app.output?.first { $0 == "-- ready" }
            // Return alone sends nothing.
            app.write("\nhello from the phone\n")
            try fixture.wait("the box has the message") { try box.messageCount() == 1 }
            var said: String?
            // It has half a second, which may be too short on a busy machine.
            for _ in 0..<10 where said != "-- background: all is handed over" {
                if said != nil {
                    app.write("/foreground\n")
                    _ = try app.output?.first { $0 == "-- foreground" }
                    try fixture.wait("the phone is there") { try box.status().connectedDevices == 1 }
                }
                app.write("/background\n")
                said = try app.output?.first { $0.hasPrefix("-- background: ") }
            }
            #expect(said == "-- background: all is handed over")
            try fixture.wait("the phone is gone") { try box.status().connectedDevices == 0 }
            let txid = String(repeating: "ab", count: 32)
            let text = "{\"txid\":\"\(txid)\",\"conversationId\":\"alice\",\"contact\":\"alice\",\"direction\":"
            let rest = "\"received\",\"senderTs\":1103966040,\"body\":\"while you were away\"}"
            try box.run(["message", "add"], input: text + rest)
            try box.run(["flush"])
            app.write("/foreground\n")
            _ = try app.output?.first { $0 == "-- foreground" }
            _ = try app.output?.first { $0 == "while you were away" }
            app.write("/quit\n")
            #expect(try app.wait() == .exited(0))
        }

        @Test func aPostedScoreAppearsOnAFriendsBoard() throws {
            struct Invite: Decodable { var token: String }
            WholeDay.begin()
            let fixture = try Fixture()
            let anna = try fixture.started("anna")[0]
            let ben = try fixture.stranger()
            try ben.start()
            try anna.run(["group", "create", "Family"])
            try anna.run(["game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            let invite = try anna.object(Invite.self, ["group", "invite", "Family"]).token
            try ben.run(["group", "join", invite, "--name", "Ben", "--wait", "120"])
            try fixture.wait("the group's games are with both") {
                try ben.attempt(["game", "list"]).output.contains("Wordle")
            }
            let watching = try start("score-example", anna, "watch", "Family")
            _ = try watching.output?.first { $0 == "Family, this week" }
            let posting = try start("score-example", ben, "post", "Family", "Wordle", "3")
            _ = try posting.output?.first { $0 == "posted Wordle: 3" }
            _ = try posting.output?.first { $0.hasPrefix("1. Ben (you)  4 points") }
            #expect(try posting.wait() == .exited(0))
            _ = try watching.output?.first { $0.hasPrefix("1. Ben  4 points") }
            let wrong = try start("score-example", ben, "post", "Family", "Chess", "3")
            _ = try wrong.output?.first { $0.hasPrefix("score-example: ") }
            #expect(try wrong.wait() == .exited(1))
        }
    }
}
