import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// Machines with few resources: a node has what it needs, and the rest waits.
    @Suite struct LowMeans {
        /// A device with only 32 descriptors serves and syncs. Its user is served all the time, even while others open
        /// more connections than it has descriptors, and new devices still get in.
        @Test func thirtyTwoDescriptors() throws {
            let fixture = try Fixture()
            let talk = Talk(600)
            let (one, small) = (try fixture.node("one"), try fixture.node("small"))
            small.limits.openFiles = 32
            try one.run(["import", try fixture.file("first", Array(talk.lines[..<200]))])
            for node in [one, small] { try node.start() }
            try fixture.waitForAgreement([one, small], messages: 200)
            let pid = try #require(small.process?.pid)
            print("a node with one account and one peer has \(FileTree.names(in: "/proc/\(pid)/fd").count) descriptors")

            let client = try APIClient(small, scopes: "chat:read")
            let ports = [try #require(small.port), client.port]
            let crowd = try ports.flatMap { port in try (0..<40).map { _ in try TCPProbe(port: port) } }
            for _ in 0..<10 { try small.run(["status"]) }
            try small.run(["import", try fixture.file("second", Array(talk.lines[200..<400]))])
            try fixture.waitForAgreement([one, small], messages: 400)
            let newcomer = try fixture.started("newcomer")[0]
            try fixture.wait("a new device is connected with it") { try small.status().connectedDevices == 2 }
            withExtendedLifetime(crowd) {}
            try newcomer.run(["import", try fixture.file("third", Array(talk.lines[400...]))])
            try fixture.waitForAgreement([one, small, newcomer], messages: 600)
            // Devices leave some descriptors for apps.
            #expect(try client.get("/v1/status").status == 200)
            #expect(!small.log.contains("store-failed"), "\(small.log)")
            #expect(small.log.contains("warning few-files: this process may have 32 files open"), "\(small.log)")
            #expect(!one.log.contains("few-files"))
        }

        /// A long history comes to a device limited to 64 MB of its own memory, and is read there.
        @Test func sixtyFourMegabytes() throws {
            let fixture = try Fixture()
            let talk = Talk(20_000, conversations: 60)
            let (one, small) = (try fixture.node("one"), try fixture.node("small"))
            small.limits.dataBytes = 64 << 20
            try one.run(["import", try fixture.file("chat", talk.lines)])
            for node in [one, small] { try node.start() }
            try fixture.waitForAgreement([one, small], messages: 20_000)
            #expect(try small.exportedTxids().count == 20_000)
            let client = try APIClient(small, scopes: "chat:read")
            let conversation = talk.messages[0].conversationID
            let paths = [
                "messages?conversation=\(conversation)&limit=500", "conversations", "search?words=the", "status",
            ]
            for path in paths {
                let answer = try client.get("/v1/\(path)")
                #expect(answer.status == 200, "\(path): \(answer.text.prefix(300))")
            }
            try small.run(["import", try fixture.file("more", Talk(100, seed: 8).lines)])
            try fixture.wait("what it adds is with the other") { try one.messageCount() == small.messageCount() }
            let pid = try #require(small.process?.pid)
            let memory = String(decoding: try #require(FileTree.read("/proc/\(pid)/status")), as: UTF8.self)
            for name in ["VmHWM", "RssAnon", "VmData"] {
                print(memory.split(separator: "\n").first { $0.hasPrefix(name) } ?? "no \(name)")
            }
        }
    }
}
