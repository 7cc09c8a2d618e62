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
            // The dialled node may hear the other's beacon a moment later.
            try fixture.wait("both know each other by beacon") {
                try nodes.allSatisfy { try $0.status().peers.first { $0.state == "connected" }?.foundBy == "beacon" }
            }
        }

        /// README's `--discovery lo` keeps a node on its machine, including its listener.
        @Test func onThisMachineOnly() throws {
            let fixture = try Fixture()
            let nodes = try ["one", "two"].map(fixture.node)
            for node in nodes {
                node.runArguments = ["--discovery", "lo", "--api", "127.0.0.1:0"]
                try node.start()
                #expect(node.listen?.hasPrefix("127.0.0.1:") == true)
            }
            try fixture.waitForConnections(nodes)
        }

        @Test func aStaticPeer() throws {
            let fixture = try Fixture()
            let (_, two, listen) = try Self.connectedByAddress(fixture)
            #expect(try two.status().peers.first?.foundBy == "static")
            #expect(try two.status().peers.first?.address == listen)
            let shown = try two.run(["peers"])
            #expect(shown.contains(listen) && shown.hasPrefix("one\t"), "\(shown)")
        }

        /// A peer that comes back on its former port is met again although nobody sends beacons.
        @Test func anAddressThatWorkedIsRemembered() throws {
            let fixture = try Fixture()
            let (one, two, _) = try Self.connectedByAddress(fixture)
            two.stop()
            two.runArguments = Self.withoutBeacons
            try two.start()
            try fixture.waitForConnections([one, two])
        }

        private static let withoutBeacons = ["--discovery", "off", "--listen", "127.0.0.1:0"]

        /// Two nodes, one of which was given the other's listening address.
        private static func connectedByAddress(
            _ fixture: Fixture
        ) throws -> (one: DrivenNode, two: DrivenNode, listen: String) {
            let (one, two) = (try fixture.node("one"), try fixture.node("two"))
            one.runArguments = withoutBeacons
            try one.start()
            let listen = try #require(one.listen)
            two.runArguments = withoutBeacons + ["--peer", listen]
            try two.start()
            try fixture.waitForConnections([one, two])
            return (one, two, listen)
        }
    }
}
