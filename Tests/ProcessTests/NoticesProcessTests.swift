import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// `notices`: events that a person may want to know about, and the command that is run for each.
    @Suite struct Notices {
        private struct Line: Decodable {
            var kind: String
            var text: String
            var token: String
            var conversationId: String?
            var count: Int?
            var name: String?
            var rank: Int?
        }
        private struct Here: Decodable { var token: String }

        private func follow(_ node: DrivenNode, _ arguments: [String] = []) throws -> ChildProcess {
            let here = try node.object(Here.self, ["changes", "--since", "now"]).token
            let words = ["notices", "--since", here, "--follow", "--json"] + arguments
            return try ChildProcess(node.binary.command(home: node.home, words))
        }

        private func next(_ process: ChildProcess) throws -> Line {
            let text = try #require(try process.output?.next())
            return try DrivenNode.decode(Line.self, text[...], from: ["notices"])
        }

        private func message(_ number: Int, _ conversation: String, contact: String, direction: String = "received")
            -> String
        {
            let digits = String(number)
            let txid = String(repeating: "0", count: 64 - digits.count) + digits
            return """
                {"txid":"\(txid)","conversationId":"\(conversation)","contact":"\(contact)","direction":"\(direction)",\
                "senderTs":\(time(nil)),"body":"not for a notification"}

                """
        }

        @Test func aCommandIsRunForEachNewMessage() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let (told, trap) = (fixture.folder.file("told"), fixture.folder.file("trap"))
            let events = try follow(
                node, ["--exec", "printf '%s: %s\\n' \"$NOTICE_KIND\" \"$EVENT_TEXT\" >> '\(told)'; exit 3"])
            defer { events.stop() }
            // A name that others choose is not a command.
            try node.run(["message", "add"], input: message(1, "alice", contact: "$(touch \(trap))"))
            let first = try next(events)
            #expect(first.kind == "message" && first.conversationId == "alice" && first.count == 1)
            #expect(first.text == "New message from $(touch \(trap))")
            let said = String(decoding: try #require(FileTree.read(told)), as: UTF8.self)
            #expect(said == "message: \(first.text)\n")
            #expect(!FileTree.exists(trap))
            #expect(try events.errorOutput?.next() == "kachat-node: the command exited with status 3")

            // Sent, muted and old messages cause none; then a message does.
            try node.run(["message", "add"], input: message(2, "alice", contact: "alice", direction: "sent"))
            try node.run(["conversation", "set", "alice", "--muted", "on"])
            try node.run(["message", "add"], input: message(3, "alice", contact: "alice"))
            try node.run(["import", try fixture.file("old", Talk(50).lines)])
            try node.run(["conversation", "set", "bob", "--title", "Bob and I"])
            try node.run(["message", "add"], input: message(4, "bob", contact: "bob"))
            #expect(try next(events).text == "New message from Bob and I")
            // From a token on it works without a running node, and then ends.
            node.stop()
            let again = try node.objects(Line.self, ["notices", "--since", first.token, "--limit", "1"])
            #expect(again.map(\.conversationId) == ["bob"])
            #expect(try node.attempt(["notices", "--follow"]).status == .exited(3))
            #expect(try node.attempt(["notices", "--kind", "messages"]).errorOutput.contains("message"))
        }

        /// A hook ends with `notices`, and so does everything it has started.
        @Test(arguments: [SIGTERM, SIGINT]) func whoEndsEventsEndsItsCommand(number: Int32) throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let file = fixture.folder.file("pid")
            let events = try follow(node, ["--exec", "sleep 600 & echo $! > '\(file)'; wait"])
            try node.run(["message", "add"], input: message(1, "alice", contact: "alice"))
            var sleeper: pid_t?
            try fixture.wait("the command runs") {
                let text = FileTree.read(file).map { String(decoding: $0, as: UTF8.self) }
                sleeper = text.flatMap { pid_t($0.filter(\.isNumber)) }
                return sleeper != nil
            }
            let pid = try #require(sleeper)
            #expect(kill(pid, 0) == 0)
            events.signal(number)
            try fixture.wait("it has ended") {
                let stat = FileTree.read("/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) }
                // A zombie has ended: nobody has asked for its status yet.
                return stat.map { $0.contains(") Z ") } ?? true
            }
        }

        private struct Invite: Decodable { var token: String }

        @Test func whatAFriendPostsAndThatOneIsOvertaken() throws {
            WholeDay.begin()
            let (anna, ben) = (try Fixture(), try Fixture())
            let founder = try anna.started("anna")[0]
            let joiner = try ben.started("ben")[0]
            try founder.run(["group", "create", "Family"])
            try founder.run(["game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            try founder.run(["score", "post", "--game", "Wordle", "--score", "5"])
            let token = try founder.object(Invite.self, ["group", "invite", "Family"]).token
            try joiner.run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            let events = try follow(founder, ["--kind", "score", "--kind", "overtaken", "--kind", "message"])
            defer { events.stop() }
            // It has looked at the board once it reports something else.
            try founder.run(["message", "add"], input: message(1, "alice", contact: "alice"))
            #expect(try next(events).kind == "message")
            try ben.wait("Ben has the game") {
                try joiner.attempt(["score", "post", "--game", "Wordle", "--score", "2"]).status.isSuccess
            }
            // The board may have the result a turn before it is reported as posted.
            let told = [try next(events), try next(events)]
            #expect(told.first { $0.kind == "score" }?.name == "Ben")
            #expect(told.first { $0.kind == "overtaken" }?.rank == 2)
        }
    }
}
