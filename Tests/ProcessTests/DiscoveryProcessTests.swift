import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    @Suite struct Discovery {
        @Test func beaconsOnLoopback() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let peers = try nodes[0].status().peers.filter { $0.state == "connected" }
            #expect(peers.count == 1)
            #expect(peers.first?.deviceId == (try nodes[1].status().deviceId))
            // Who was dialled may hear the other's beacon a moment later.
            try fixture.wait("both know each other by beacon") {
                try nodes.allSatisfy { try $0.status().peers.first { $0.state == "connected" }?.foundBy == "beacon" }
            }
        }

        @Test func aStaticPeer() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let two = try fixture.node("two")
            one.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try one.start()
            let listen = try #require(one.listen)
            two.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0", "--peer", listen]
            try two.start()
            try fixture.waitForConnections([one, two])
            #expect(try two.status().peers.first?.foundBy == "static")
            #expect(try two.status().peers.first?.address == listen)
            let shown = try two.run(["peers"])
            #expect(shown.contains(listen))
        }

        /// A peer that comes back on the port it had is met again although nobody sends beacons.
        @Test func anAddressThatWorkedIsRemembered() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let two = try fixture.node("two")
            one.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try one.start()
            let listen = try #require(one.listen)
            two.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0", "--peer", listen]
            try two.start()
            try fixture.waitForConnections([one, two])
            two.stop()
            two.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try two.start()
            try fixture.waitForConnections([one, two])
        }
    }
}
