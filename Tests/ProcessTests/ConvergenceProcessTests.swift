import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    @Suite struct Convergence {
        /// A real history: named by KACHAT_CHAT, or in a `data` folder of a folder beside the package.
        static let realChat: String? = {
            if let named = getenv("KACHAT_CHAT") { return String(cString: named) }
            let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            var found = glob_t()
            defer { globfree(&found) }
            let pattern = package.dropLast().joined(separator: "/") + "/*/data/chat-*.jsonl"
            guard glob(pattern, 0, nil, &found) == 0, let first = found.gl_pathv[0] else { return nil }
            return String(cString: first)
        }()

        @Test func threeDevicesAndAFourthOnGeneratedTalk() throws {
            let talk = Talk(3000, conversations: 120)
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
