import NodeCore
import Testing

@testable import Transport

@Suite struct NetworkInterfaceTests {
    private static let wired: NetworkInterface.Flags = [.up, .running, .broadcast, .multicast]

    private func interface(
        _ name: String, _ flags: NetworkInterface.Flags = wired, index: UInt32 = 2
    ) -> NetworkInterface {
        NetworkInterface(index: index, name: name, flags: flags, ipv4: [], ipv6LinkLocal: [])
    }

    @Test func loopbackIsListed() throws {
        let list = try NetworkInterface.list()
        let loopback = try #require(list.first { $0.isLoopback })
        #expect(loopback.name == "lo" && loopback.index == 1)
        #expect(loopback.isUp && !loopback.isUsable)
        #expect(loopback.ipv4.first?.address == SocketAddress("127.0.0.1:0"))
        #expect(loopback.ipv4.first?.broadcast == SocketAddress("127.255.255.255:0"))
        #expect(list.map(\.index) == list.map(\.index).sorted())
    }

    @Test func networksOfOtherPeoplesDevicesAreUsable() {
        #expect(interface("eth0").isUsable)
        #expect(interface("wlp3s0").isUsable)
        #expect(interface("eth0", [.up, .running, .broadcast]).isUsable)
        for name in ["docker0", "veth12ab", "br-1234", "virbr0", "tun0", "tap0", "wg0"] {
            #expect(!interface(name).isUsable, "\(name)")
        }
        #expect(!interface("eth0", [.up, .broadcast, .multicast]).isUsable, "no cable")
        #expect(!interface("eth0", [.running, .broadcast, .multicast]).isUsable, "switched off")
        #expect(!interface("ppp0", Self.wired.union(.pointToPoint)).isUsable)
        #expect(!interface("lo", [.up, .running, .loopback, .multicast]).isUsable)
    }

    @Test func namesOverrideKinds() {
        let all = [
            interface("lo", [.up, .running, .loopback]), interface("eth0"), interface("veth0"),
            interface("eth1", [.up]),
        ]
        #expect(NetworkInterface.forBeacons(among: all).map(\.name) == ["eth0"])
        #expect(NetworkInterface.forBeacons(among: all, loopback: true).map(\.name) == ["lo", "eth0"])
        #expect(NetworkInterface.forBeacons(among: all, named: ["veth0", "eth1", "gone"]).map(\.name) == ["veth0"])
        let many = (1...30).map { interface("eth\($0)", index: UInt32($0)) }
        #expect(NetworkInterface.forBeacons(among: many).count == Limits.beaconInterfaces)
    }

    @Test func aChangeIsNoticedAtTheNextLook() throws {
        let start = MonotonicTime.zero
        var monitor = InterfaceMonitor(now: start)
        let first = [interface("eth0")]
        let second = [interface("eth0"), interface("eth1", index: 3)]
        #expect(try monitor.poll(now: start, list: { first }) == first)
        #expect(try monitor.poll(now: start + .seconds(1), list: { second }) == nil)
        #expect(monitor.deadline == start + Limits.interfacePollInterval)
        #expect(try monitor.poll(now: monitor.deadline, list: { second }) == second)
        #expect(try monitor.poll(now: monitor.deadline, list: { second }) == nil)
        #expect(monitor.interfaces == second)
    }
}
