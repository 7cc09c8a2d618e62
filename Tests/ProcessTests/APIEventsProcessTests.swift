import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    @Suite struct APIEvents {
        /// The txid of a `message-added` event.
        private static func txid(_ event: EventReader.Event) -> String? {
            guard event.name == "message-added", let range = event.data.firstRange(of: "\"txid\":\"") else {
                return nil
            }
            return String(event.data[range.upperBound...].prefix(64))
        }

        @Test func whatComesIsToldAndAReaderGoesOnWhereItWas() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            var reader = try EventReader(app)
            let answer = try reader.answer()
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/event-stream")
            var told: [String] = []
            let talk = Talk(40, conversations: 3)
            for (index, line) in talk.lines.enumerated() {
                _ = try APIClient(node, token: app.token).send("POST", "/v1/messages", body: line)
                told += reader.next(within: .milliseconds(5)).compactMap(Self.txid)
                guard index % 5 == 4 else { continue }
                if index % 10 == 4 {
                    try node.kill()
                    try node.start()
                }
                // It continues after what it has seen, whether the reader or the node was gone.
                reader = try EventReader(try APIClient(node, token: app.token), lastID: reader.lastID)
            }
            try fixture.wait("the reader is told all") {
                told += reader.next().compactMap(Self.txid)
                return told.count >= talk.messages.count
            }
            #expect(told == talk.messages.map(\.txidHex))
        }

        @Test func aTokenOfAnotherStoreBringsAReset() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            let stranger = try fixture.stranger()
            try stranger.run(["message", "add"], input: Talk(1, conversations: 1).lines[0])
            struct Line: Decodable { var token: String }
            let foreign = try #require(try stranger.objects(Line.self, ["changes"]).last).token
            let reader = try EventReader(app, lastID: foreign)
            var events: [EventReader.Event] = []
            try fixture.wait("a reset comes") {
                events += reader.next()
                return !events.isEmpty
            }
            #expect(events.first?.name == "reset")
            #expect(events.first?.data.contains("\"code\":\"foreign-token\"") == true)
            #expect(events.first?.id != nil && events.first?.id != foreign)
            _ = try app.send("POST", "/v1/messages", body: Talk(1, conversations: 1).lines[0])
            try fixture.wait("the stream goes on") { reader.next().contains { $0.name == "message-added" } }
            #expect(try EventReader(app, since: "soon").answer().status == 400)
        }

        /// An app for scores hears of scores, and of no conversation.
        @Test func whoReadsGroupsAloneHearsOfGroupsAlone() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "groups:read")
            #expect(try APIClient(node, scopes: "chat:write").get("/v1/changes").code == "not-allowed")
            let reader = try EventReader(app, since: "0")
            try node.run(["message", "add"], input: Talk(1, conversations: 1).lines[0])
            try node.run(["flush"])
            try node.run(["group", "create", "Family"])
            var names: [String] = []
            try fixture.wait("the group is told of") {
                names += reader.next().map(\.name)
                return names.contains("group.joined")
            }
            #expect(Set(names).isSubset(of: ["here", "account", "sync", "group.joined", "group", "achievements"]))
            let changes = try app.get("/v1/changes").text
            #expect(changes.contains("\"group.joined\"") && !changes.contains("message"))
            #expect(try APIClient(node, scopes: "admin").get("/v1/changes").text.contains("\"message-added\""))
        }

        /// Ten of fifty readers never read: the others are told everything, and the node's memory keeps its bound.
        @Test func readersThatNeverReadHoldNobodyUp() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            // They are of five apps, each with a share of the streams.
            let apps = try (0..<4).map { _ in try APIClient(node, scopes: "chat:read") }
            let readers = try (0..<40).map { try EventReader(apps[$0 % apps.count], since: "0") }
            let deaf = try (0..<10).map { _ in
                // With a small window, the kernel takes little from the node for them.
                let probe = try TCPProbe(port: app.port, receiveBufferBytes: 4096)
                probe.send(Array(app.head("GET", "/v1/events?since=0").utf8))
                return probe
            }
            let before = try memoryBytes(node)
            // Each message is reported separately: 1,500 lines for 50 readers are 20 MB.
            let talk = Talk(TestScale.of(usual: 300, proof: 1_500), conversations: 50)
            let probe = try TCPProbe(port: app.port)
            for line in talk.lines {
                let body = Array(line.utf8)
                probe.send(Array(app.head("POST", "/v1/messages", bodyBytes: body.count).utf8) + body)
                #expect(!probe.receive(upTo: 1).isEmpty)
                _ = probe.receive(upTo: 65_536, within: .zero)
            }
            var told = readers.map { _ in 0 }
            try fixture.wait("forty readers are told all", within: .seconds(600)) {
                for (index, reader) in readers.enumerated() {
                    told[index] += reader.next(within: .milliseconds(1)).count { Self.txid($0) != nil }
                }
                return told.allSatisfy { $0 >= talk.messages.count }
            }
            #expect(told.allSatisfy { $0 == talk.messages.count })
            #expect(try memoryBytes(node) - before < 24 << 20)
            #expect(deaf.allSatisfy { $0.receive(upTo: 100, within: .milliseconds(10)).count == 100 })
            #expect(try app.get("/healthz").status == 200)
        }

        @Test func aRevokedTokenEndsItsStream() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let (app, id) = try APIClient.revocable(node, scopes: "chat:read")
            let probe = try TCPProbe(port: app.port)
            probe.send(Array(app.head("GET", "/v1/events").utf8))
            #expect(!probe.receive(upTo: 100).isEmpty)
            try node.run(["token", "revoke", id])
            var rest = ""
            try fixture.wait("the stream ends") {
                rest += String(decoding: probe.receive(within: .milliseconds(20)), as: UTF8.self)
                return rest.hasSuffix("0\r\n\r\n")
            }
        }

        private func memoryBytes(_ node: DrivenNode) throws -> Int {
            let pid = try #require(node.process?.pid)
            let status = try #require(FileTree.read("/proc/\(pid)/status"))
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS") }
            return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
        }
    }
}
