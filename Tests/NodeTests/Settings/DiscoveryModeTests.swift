import NodeCore
import Testing
import Transport

@testable import Node

@Suite struct DiscoveryModeTests {
    private func interface(_ name: String, _ flags: NetworkInterface.Flags) -> NetworkInterface {
        NetworkInterface(index: 1, name: name, flags: flags, ipv4: [], ipv6LinkLocal: [])
    }

    @Test func whatTheUserNamedAndIsNotThereIsTold() throws {
        let all = [interface("eth0", [.up, .running, .broadcast]), interface("wlan0", [.broadcast])]
        let named = try DiscoveryMode("eth0,wlan0,usb0")
        let chosen = named.choose(among: all)
        #expect(chosen.map(\.name) == ["eth0"])
        #expect(named.missing(among: chosen) == ["wlan0", "usb0"])
        #expect(try DiscoveryMode("auto").missing(among: []).isEmpty)
        #expect(throws: NodeError.self) { try named.refuseUnknown(among: all) }
        // An interface that is down may come up.
        try DiscoveryMode("eth0,wlan0").refuseUnknown(among: all)
    }
}
