import NodeCore
import NodeModel
import Testing
import Transport

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct InterfaceProbeTests {
    private typealias Way = InterfaceProbe.Way

    @Test func oneWayThatWorksIsEnoughToBeFound() {
        let good = Way(way: .multicastIPv4, error: nil, hasReturned: true)
        let lost = Way(way: .broadcastIPv4, error: nil, hasReturned: false)
        let refused = Way(way: .multicastIPv6, error: "sendmsg: Network is down", hasReturned: false)
        #expect(InterfaceProbe.judge("eth0", [good]).state == .ok)
        #expect(InterfaceProbe.judge("eth0", [good, lost]).state == .warning)
        #expect(InterfaceProbe.judge("eth0", [lost, refused]).state == .failure)
        #expect(InterfaceProbe.judge("eth0", []).state == .failure)
        let text = InterfaceProbe.judge("eth0", [good, lost, refused]).text
        #expect(text.contains("multicast returns"))
        #expect(text.contains("broadcast leaves and does not return"))
        #expect(text.contains("Network is down"))
    }

    @Test func nothingIsSentWhereDiscoveryIsOff() {
        #expect(InterfaceProbe(mode: .off, clock: SystemClock()).checks().map(\.state) == [.ok])
        let nowhere = InterfaceProbe(mode: .named(["none-such0"]), clock: SystemClock()).checks()
        #expect(nowhere.map(\.state) == [.warning])
        #expect(nowhere.first?.text.hasPrefix("there is no interface none-such0; there are: ") == true)
    }
}
