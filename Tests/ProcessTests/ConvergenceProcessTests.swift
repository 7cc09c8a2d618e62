import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    @Suite struct Convergence {
        /// A real history: named by KACHAT_CHAT, or for `make prove` in a `data` folder of a folder beside the package.
        static let realChat: String? = {
            if let named = getenv("KACHAT_CHAT") { return String(cString: named) }
            guard TestScale.proves else { return nil }
            let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            var found = glob_t()
            defer { globfree(&found) }
            let pattern = package.dropLast().joined(separator: "/") + "/*/data/chat-*.jsonl"
            guard glob(pattern, 0, nil, &found) == 0, let first = found.gl_pathv[0] else { return nil }
            return String(cString: first)
        }()

        @Test func threeDevicesAndAFourthOnGeneratedTalk() throws {
            let talk = Talk(TestScale.of(usual: 1_000, proof: 3_000), conversations: 120)
            let fixture = try Fixture()
            let path = try fixture.file("chat.jsonl", talk.lines)
            try converge(
                fixture, path, messages: talk.messages.count, conversations: talk.conversations, unread: talk.received)
        }

        @Test(.enabled(if: realChat != nil, "no real history: set KACHAT_CHAT=FILE.jsonl"))
        func threeDevicesAndAFourthOnARealHistory() throws {
            let path = try #require(Self.realChat)
            let lines = String(decoding: try #require(FileTree.read(path)), as: UTF8.self).split(separator: "\n")
            let received = lines.count { $0.contains("\"direction\": \"received\"") }
            let conversations = Set(lines.compactMap { $0.firstMatch(of: /"conversationId": "[^"]*"/)?.0 })
            try converge(
                Fixture(), path, messages: lines.count, conversations: conversations.count, unread: received)
        }

        private func converge(
            _ fixture: Fixture, _ path: String, messages: Int, conversations: Int, unread: Int
        ) throws {
            var nodes = try fixture.started("phone", "laptop", "tablet")
            for node in nodes { try node.run(["import", path, "--device", node.name], within: .seconds(600)) }
            try fixture.waitForAgreement(nodes, messages: messages, within: .seconds(600))

            let fourth = try fixture.node("fourth")
            try fourth.start()
            nodes.append(fourth)
            try fixture.waitForAgreement(nodes, messages: messages, within: .seconds(600))
            try fourth.run(["sync", "--wait", "--timeout", "150"])
            for node in nodes {
                let account = try #require(try node.status().account)
                #expect(account.conversations == conversations)
                #expect(account.unread == unread)
            }
            for node in nodes {
                try fixture.wait("\(node.name) is in sync") { try node.status().account?.state == "synced" }
            }
            let exports = try nodes.map { try $0.run(["export"]).split(separator: "\n").sorted() }
            #expect(Set(exports).count == 1)
            #expect(exports[0].count == messages)

            for node in nodes {
                #expect(node.stop() == .exited(0))
                try node.start()
                #expect(try node.messageCount() == messages)
            }
        }

        @Test("Messages sent in one second stand as they were added: after a restart, archived, elsewhere, exported")
        func messagesOfOneSecond() throws {
            struct Shown: Decodable {
                var txid: String
                var cursor: String
            }
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let txids = (0..<40).map { number in
                let hex = String(number * 29 % 40 + 16, radix: 16)
                return hex + String(repeating: "5", count: 62)
            }
            let lines = txids.map {
                #"{"txid":"\#($0)","conversationId":"c","contact":"c","direction":"sent","senderTs":1790000000,"#
                    + #""body":"\#($0)"}"#
            }
            func listed(_ node: DrivenNode) throws -> [String] {
                var found: [Shown] = []
                var place: [String] = []
                for _ in 0...txids.count {
                    let page = try node.objects(
                        Shown.self, ["message", "list", "--conversation", "c", "--limit", "7"] + place)
                    found += page
                    guard let last = page.last else { break }
                    place = ["--before", last.cursor]
                }
                return found.map(\.txid).reversed()
            }
            try nodes[0].run(["import", try fixture.file("first", Array(lines.prefix(15)))])
            try nodes[0].kill()
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("second", Array(lines.dropFirst(15).dropLast()))])
            try nodes[0].run(["message", "add"], input: lines[39])
            #expect(try listed(nodes[0]) == txids)
            try nodes[0].run(["flush"])
            try fixture.waitForAgreement(nodes, messages: 40)
            for node in nodes {
                #expect(try listed(node) == txids)
                try node.kill()
                try node.start()
                #expect(try listed(node) == txids)
            }
            let export = try fixture.file("export", [try nodes[1].run(["export"])])
            let stranger = try fixture.stranger()
            try stranger.run(["import", export])
            #expect(try listed(stranger) == txids)
        }

        @Test func aMarkOnOneDeviceReachesTheOthers() throws {
            let talk = Talk(60, conversations: 2)
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 60)
            let conversation = try #require(talk.messages.first { !$0.isSent }).conversationID
            let unread = talk.messages.count { !$0.isSent && $0.conversationID != conversation }
            try nodes[1].run(["read", "mark", conversation])
            #expect(try nodes[1].status().account?.unread == unread)
            try nodes[1].run(["read", "leave", conversation])
            try fixture.wait("the mark arrives") { try nodes[0].status().account?.unread == unread }
            struct Conversation: Decodable {
                var conversationId: String
                var unread: Int
                var lastReadBy: String?
            }
            let shown = try nodes[0].objects(Conversation.self, ["conversation", "list"])
            let marked = try #require(shown.first { $0.conversationId == conversation })
            #expect(marked.unread == 0)
            #expect(marked.lastReadBy == (try nodes[1].status().deviceId))
        }
    }
}
