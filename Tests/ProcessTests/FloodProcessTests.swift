import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// Strangers on a network of their own flood a node while a new device of its account comes.
    @Suite struct Floods {
        @Test(
            .enabled(if: Network.canMakeNamespaces, "network namespaces need root, unshare(1) and ip(8)"),
            arguments: FloodedLAN.Flood.allCases)
        func aNewDeviceIsConnected(beside flood: FloodedLAN.Flood) throws {
            let fixture = try Fixture()
            let nodes = try ["one", "two"].map { try Network.inside(fixture, fixture.node($0), ["unshare", "-n"]) }
            let (one, two) = (nodes[0], nodes[1])
            try one.start()
            // The second one is there before the flood, but shows itself only in the middle of it.
            try two.start()
            try two.run(["pause"])
            let lan = FloodedLAN(
                try nodes.map { try #require($0.process?.pid) }, flood: flood, port: try #require(one.port))
            defer { lan.end() }
            try fixture.wait("the flood is on") {
                try lan.done > 500 && (flood != .datagrams || lan.hasRecorded)
            }
            let before = try lan.done
            try two.run(["resume"])
            try fixture.wait("the new device is connected") { try two.status().connectedDevices == 1 }
            try two.run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement([one, two], messages: 10)
            #expect(try lan.done > before)
        }
    }
}
