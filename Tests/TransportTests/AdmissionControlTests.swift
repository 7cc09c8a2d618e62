import NodeCore
import Testing

@testable import Transport

@Suite struct AdmissionControlTests {
    private func address(_ host: UInt32, port: UInt16 = 1000) -> SocketAddress {
        SocketAddress(ipv4: 0x0A00_0000 + host, port: port)
    }

    @Test func oneAddressTakesFourHandshakes() {
        var control = AdmissionControl()
        for port in 1...4 as ClosedRange<UInt16> { #expect(control.accept(from: address(1, port: port)) == nil) }
        #expect(control.accept(from: address(1, port: 5)) == .tooManyFromAddress)
        let mapped = SocketAddress("[::ffff:10.0.0.1]:6")
        #expect(mapped.map { control.accept(from: $0) } == .tooManyFromAddress)
        #expect(control.accept(from: address(2)) == nil)
        control.endHandshake(from: address(1))
        #expect(control.accept(from: address(1)) == nil)
        #expect(control.refused(.tooManyFromAddress) == 2)
    }

    @Test func allTogetherTakeThirtyTwoHandshakes() {
        var control = AdmissionControl()
        for host in 1...32 as ClosedRange<UInt32> { #expect(control.accept(from: address(host)) == nil) }
        #expect(control.accept(from: address(33)) == .tooManyHalfOpen)
        #expect(control.halfOpen == 32)
        for host in 1...32 as ClosedRange<UInt32> { control.endHandshake(from: address(host)) }
        #expect(control.halfOpen == 0)
        #expect(control.refused(.tooManyHalfOpen) == 1)
    }

    @Test func sessionsAreSixtyFour() {
        var control = AdmissionControl()
        for _ in 1...64 { #expect(control.establish() == nil) }
        #expect(control.establish() == .tooManySessions)
        #expect(control.accept(from: address(1)) == nil, "it is told why, which takes a handshake")
        #expect(!control.hasRoom)
        control.endSession()
        #expect(control.hasRoom)
        #expect(control.establish() == nil)
        #expect(control.refused(.tooManySessions) == 1)
    }

    @Test func aNodeMayAllowMore() {
        var capacity = AdmissionControl.Capacity()
        capacity.sessions = 65
        var control = AdmissionControl(capacity: capacity)
        for _ in 1...65 { #expect(control.establish() == nil) }
        #expect(control.establish() == .tooManySessions)
    }
}
