import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// Commands give the same answers with a running node and without one.
    @Suite struct Commands {
        struct Shown: Decodable, Equatable {
            var txid: String
            var body: String
            var read: Bool
            var status: String
            var acceptingDaaScore: UInt64?
            var senderTs: UInt64
        }

        @Test(arguments: [false, true]) func messagesComeBackAsTheyWere(isRunning: Bool) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            if isRunning { try node.start() }
            let txid = String(repeating: "5a", count: 32)
            let line = """
                {"txid":"\(txid)","conversationId":"bo b","contact":"bob","direction":"received","senderTs":1700000000,
                 "blockTime":1700000000123,"acceptingDaaScore":4611686018427387,"body":"grüße \\"🦊\\"\\n2"}
                """
            try node.run(["message", "add"], input: line)
            let shown = try node.object(Shown.self, ["message", "show", txid])
            #expect(shown.body == "grüße \"🦊\"\n2")
            #expect(shown.acceptingDaaScore == 4_611_686_018_427_387)
            #expect(shown.status == "confirmed")
            #expect(!shown.read)
            #expect(try node.objects(Shown.self, ["message", "list", "--conversation", "bo b"]) == [shown])
            try node.run(["flush"])
            #expect(try node.object(Shown.self, ["message", "show", txid]) == shown)
            try node.run(["read", "mark", "bo b"])
            #expect(try node.object(Shown.self, ["message", "show", txid]).read)
            #expect(try node.status().account?.unread == 0)
            let bad = try node.attempt(["message", "add"], input: "{\"txid\":1}")
            #expect(bad.status == .exited(1))
            #expect(bad.errorOutput.contains("`txid` must be a text"))
        }

        /// Each line says who is speaking, and what others wrote stays text in it.
        @Test(arguments: [false, true]) func complaintsLookTheSameWhoeverMakesThem(isRunning: Bool) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            if isRunning { try node.start() }
            let title = "Fam\u{202E}ily"
            let cases = [
                (["message", "add"], "{}"), (["import", "-"], "no line\n"), (["message", "show", "x"], ""),
                (["read", "mark", "nobody"], ""), (["account", "default", title], ""), (["nonsense"], ""),
            ]
            for (command, input) in cases {
                let result = try node.attempt(command, input: input)
                #expect(!result.status.isSuccess)
                #expect(result.errorOutput.hasPrefix("kachat-node: "))
                #expect(!result.errorOutput.contains("\u{202E}"))
                let lines = result.errorOutput.split(separator: "\n")
                #expect(lines.allSatisfy { $0.hasPrefix("kachat-node: ") || $0.hasPrefix("usage: ") }, "\(lines)")
            }
        }

        /// Names that Unicode considers equal belong to two conversations.
        @Test func lookAlikesAreExplainedApart() throws {
            struct Explained: Decodable {
                struct Share: Decodable { var messages: Int }
                var messages: Int
                var segments: [Share]
            }
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let names = ["caf\u{E9}", "caf\u{E9}", "cafe\u{301}"]
            let lines = names.enumerated().map { number, name in
                let txid = String(repeating: "0", count: 63) + "\(number)"
                return #"{"txid":"\#(txid)","conversationId":"\#(name)","contact":"x","direction":"sent","senderTs":1,"#
                    + #""body":"x"}"#
            }
            try node.run(["import", "-"], input: lines.joined(separator: "\n") + "\n")
            for (name, count) in [(names[0], 2), (names[2], 1)] {
                let explained = try node.object(Explained.self, ["explain", name])
                #expect(explained.messages == count)
                #expect(explained.segments.map(\.messages) == [count])
            }
        }

        @Test func pagesFollowTheCursor() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let talk = Talk(500, conversations: 3)
            try node.run(["import", try fixture.file("chat", talk.lines)])
            let conversation = SampleConversation.busiest(talk)
            let whole = try node.objects(
                ListedMessage.self, ["message", "list", "--conversation", conversation, "--limit", "1000"])
            var paged: [String] = []
            var cursor: String?
            repeat {
                let page = try node.objects(
                    ListedMessage.self,
                    ["message", "list", "--conversation", conversation, "--limit", "37"]
                        + (cursor.map { ["--before", $0] } ?? []))
                paged += page.map(\.txid)
                cursor = page.count == 37 ? page.last?.cursor : nil
            } while cursor != nil
            #expect(paged == whole.map(\.txid))
            #expect(Set(paged).count == talk.messages.count { $0.conversationID == conversation })
            let bad = try node.attempt(["message", "list", "--conversation", conversation, "--before", "rubbish!"])
            #expect(bad.status == .exited(2))
            #expect(bad.errorOutput == "kachat-node: --before must be the `cursor` of a message or a page\n")
        }

        /// One message at the first moment of each day from 2023-11-15, by its score; the last three are in no block.
        @Test func aListBeginsAtATime() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let lines = (0..<300).map { day in
                let time = 1_700_006_400 + day * 86_400
                let chain = day < 297 ? ",\"blockTime\":\(time)000,\"acceptingDaaScore\":\(5_000 + day * day)" : ""
                return "{\"txid\":\"\(String(repeating: "0", count: 60))\(1_000 + day)\",\"conversationId\":\"alice\","
                    + "\"contact\":\"alice\",\"direction\":\"sent\",\"senderTs\":\(time),\"body\":\"\(day)\"\(chain)}\n"
            }
            try node.run(["import", "-"], input: lines.joined())
            func list(_ until: String, _ more: String...) throws -> [String?] {
                try node.objects(
                    ListedMessage.self, ["message", "list", "alice", "--until", until, "--limit", "2"] + more
                ).map(\.body)
            }
            #expect(try list("2023-11-25") == ["10", "9"])
            #expect(try list("2023-11-24T23:59:59Z") == ["9", "8"])
            #expect(try list("2023-11-15") == ["0"])
            #expect(try list("2023-11-14").isEmpty)
            #expect(try list("2024-09-07") == ["297", "296"])
            #expect(try list("2030-01-01") == ["299", "298"])
            let first = try #require(
                node.objects(ListedMessage.self, ["message", "list", "alice", "--until", "2023-11-25", "--limit", "1"])
                    .first)
            #expect(try list("2024-01-01", "--before", #require(first.cursor)) == ["9", "8"])
            #expect(try node.attempt(["message", "list", "alice", "--until", "soon"]).status == .exited(2))
        }

        @Test func anExportIsAnImport() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let talk = Talk(1000, conversations: 30)
            try one.run(["import", try fixture.file("chat", talk.lines)])
            let exported = try one.run(["export"])
            let other = try fixture.stranger()
            try other.run(["import", "-"], input: exported)
            #expect(try other.run(["export"]) == exported)
        }

        @Test func theHomeIsPrivateAndTheNodeStopsCleanly() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            try node.run(["message", "add"], input: Talk(1).lines[0])
            #expect(node.stop() == .exited(0))
            struct Status: Decodable {
                struct Account: Decodable {
                    var queued: Int
                    var segments: Int
                }
                var state: String
                var accounts: [Account]
            }
            let status = try node.object(Status.self, ["status"])
            #expect(status.state == "stopped")
            #expect(status.accounts[0].queued == 0)
            #expect(status.accounts[0].segments == 1)
            #expect(!FileTree.exists(node.home + "/node.sock"))
        }
    }
}

enum SampleConversation {
    static func busiest(_ talk: Talk) -> String {
        let groups = Dictionary(grouping: talk.messages, by: \.conversationID)
        return groups.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? ""
    }
}
