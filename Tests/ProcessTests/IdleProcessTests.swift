import Chat
import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// An idle node takes no turns: nothing else would show a deadline that is never met. The bound is wide, since it
    /// should catch a loop and measures nothing.
    @Suite struct Idle {
        @Test func aNodeAloneRests() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("chat", Talk(200).lines)])
            try node.start()
            try expectRest(node, fixture)
        }

        @Test func twoThatHoldTheSameRest() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(200)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: talk.messages.count)
            for node in nodes { try expectRest(node, fixture) }
        }

        /// Placeholders whose body nobody has, and blobs that no device gives, while the device that lacks them is
        /// connected and after it is gone.
        @Test func whatNobodyHasCostsNoTurns() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            for number in 10..<30 {
                let txid = String(repeating: "\(number)", count: 32)
                try node.run(["message", "hint", "--txid", txid, "--conversation", "bob"])
            }
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            var peer: LyingPeer<AccountZone>? = try LyingPeer(port: try #require(node.port), phrase: phrase)
            try peer?.giveRecordsWithoutBlobs(30)
            try fixture.wait("it wants them") {
                peer?.listen(for: .milliseconds(50))
                peer?.lackAll()
                return try node.status().account.map { $0.wantedBlobs == 30 && $0.placeholders == 20 } == true
            }
            for _ in 0..<20 {
                peer?.listen(for: .milliseconds(50))
                peer?.lackAll()
            }
            try expectRest(node, fixture)
            #expect(try node.status().connectedDevices == 1)
            peer = nil
            try fixture.wait("it is alone") { try node.status().connectedDevices == 0 }
            try expectRest(node, fixture)
            #expect(try node.status().account?.wantedBlobs == 30)
        }

        private func expectRest(
            _ node: DrivenNode, _ fixture: Fixture, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let pid = try #require(node.process?.pid)
            // The node first finishes what it has begun: beacons, index, the first look for peers. A loop never ends.
            try fixture.wait("\(node.name) uses less than half of a core", sourceLocation: sourceLocation) {
                let before = try Self.processorSeconds(pid)
                usleep(1_000_000)
                return try Self.processorSeconds(pid) - before < 0.5
            }
        }

        /// User and system time so far: fields 14 and 15 of /proc/PID/stat (proc(5)), counted after the name, which may
        /// contain blanks.
        private static func processorSeconds(_ pid: Int32) throws -> Double {
            let text = String(decoding: try #require(FileTree.read("/proc/\(pid)/stat")), as: UTF8.self)
            let fields = try #require(text.split(separator: ")").last).split(separator: " ")
            let ticks = try #require(Double(fields[11])) + #require(Double(fields[12]))
            return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
}
