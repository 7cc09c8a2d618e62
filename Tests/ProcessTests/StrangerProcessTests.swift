import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    @Suite struct Strangers {
        struct Refused: Decodable {
            struct Counts: Decodable {
                var strangers: Int
                var malformed: Int
                var timeouts: Int
                var aborted: Int
                var tooMany: Int
            }
            var refused: Counts
        }

        @Test func aNodeOfAnotherAccountIsRefused() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one")
            let stranger = try fixture.stranger()
            stranger.runArguments += ["--peer", try #require(nodes[0].listen)]
            try stranger.start()
            try fixture.wait("the stranger is refused") {
                try nodes[0].object(Refused.self, ["status"]).refused.strangers > 0
            }
            #expect(try nodes[0].status().connectedDevices == 0)
            #expect(try stranger.status().connectedDevices == 0)
        }

        /// Sixty-four addresses take all places for connections that have shown nothing, and reopen closed ones. A
        /// dripping connection keeps a place no longer than a silent one.
        @Test func silentAddressesKeepNoNewDeviceOut() throws {
            let fixture = try Fixture()
            let (one, two) = (try fixture.node("one"), try fixture.node("two"))
            one.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try one.start()
            let crowd = SilentCrowd(
                port: try #require(one.port), sources: (2...65).map { "127.0.0.\($0)" })
            defer { crowd.leave() }
            try fixture.wait("strangers have all places") {
                try one.object(Refused.self, ["status"]).refused.tooMany > 100
            }
            two.runArguments = one.runArguments + ["--peer", try #require(one.listen)]
            try two.start()
            try fixture.wait("the new device is connected") { try two.status().connectedDevices == 1 }
            try two.run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement([one, two], messages: 10)
            #expect(crowd.opened > 100, "they came back all the time")
        }

        @Test func whatIsNoNodeIsDroppedAndSyncGoesOn() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let port = try #require(nodes[0].port)
            var random = SampleRandom(seed: 12)

            let noise = try TCPProbe(port: port)
            #expect(noise.receive(upTo: 32).count == 32)
            _ = noise.send((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(noise.isClosed())

            let huge = try TCPProbe(port: port)
            _ = huge.send([0xFF, 0xFF] + [UInt8](repeating: 0, count: 100))
            #expect(huge.isClosed())

            let half = try TCPProbe(port: port)
            _ = half.send([UInt8](repeating: 7, count: 22))
            half.endSending()
            #expect(half.isClosed())

            let silent = try TCPProbe(port: port)
            var many: [TCPProbe] = []
            for _ in 0..<10 {
                // The kernel keeps a limited number for the node; of more at once, it delays some by a second and more.
                many += (0..<40).compactMap { _ in try? TCPProbe(port: port) }
                _ = try nodes[0].status()
            }

            let talk = Talk(200)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 200)
            #expect(silent.isClosed())
            withExtendedLifetime(many) {}
            let refused = try nodes[0].object(Refused.self, ["status"]).refused
            #expect(refused.malformed + refused.strangers >= 2)
            #expect(refused.aborted + refused.timeouts >= 1)
            #expect(refused.tooMany > 100)
        }
    }
}
