import NodeCore
import Testing

@testable import Gossip

@Suite struct AdmissionControlTests {
    private func address(_ host: UInt32, port: UInt16 = 1000) -> SocketAddress {
        SocketAddress(ipv4: 0x0A00_0000 + host, port: port)
    }

    private func connect(
        _ control: inout AdmissionControl, _ id: UInt64, from address: SocketAddress, isKnown: Bool = false
    ) -> AdmissionControl.Outcome { control.accept(SessionID(id), from: address, isKnown: isKnown) }

    @Test func oneAddressTakesFourHandshakes() {
        var control = AdmissionControl()
        for id in 1...4 { #expect(connect(&control, UInt64(id), from: address(1)) == .taken) }
        let mapped = SocketAddress("[::ffff:10.0.0.1]:6")
        #expect(mapped.map { connect(&control, 5, from: $0) } == .takenInPlaceOf(SessionID(1)))
        #expect(connect(&control, 6, from: address(2)) == .taken)
        #expect(control.halfOpen == 5)
        for id in 2...5 { control.noteKey(SessionID(UInt64(id))) }
        #expect(connect(&control, 7, from: address(1)) == .refused(.tooManyFromAddress))
        control.end(SessionID(2))
        #expect(connect(&control, 8, from: address(1)) == .taken)
        #expect(control.refused(.tooManyFromAddress) == 2)
    }

    @Test func allTogetherTakeThirtyTwoHandshakes() {
        var control = AdmissionControl()
        for id in 1...200 as ClosedRange<UInt64> {
            _ = connect(&control, id, from: address(UInt32(id % 50)), isKnown: id % 3 == 0)
            #expect(control.halfOpen <= 32)
        }
        #expect(control.halfOpen == 32)
        #expect(control.refused(.tooManyHalfOpen) == 168)
    }

    /// Sixteen addresses hold all that strangers can have, and come back at once whenever one is closed.
    @Test func silentConnectionsKeepNobodyOut() {
        var control = AdmissionControl()
        var next: UInt64 = 0
        func crowd(_ host: UInt32) -> AdmissionControl.Outcome {
            next += 1
            return connect(&control, next, from: address(host))
        }
        for round in 0..<64 as Range<UInt32> { _ = crowd(1 + round % 16) }
        #expect(control.halfOpen == 24)
        #expect(connect(&control, 10_000, from: address(99)) != .refused(.tooManyHalfOpen))
        for round in 0..<1_000 as Range<UInt32> {
            #expect(crowd(1 + round % 16) != .takenInPlaceOf(SessionID(10_000)))
        }
        control.end(SessionID(10_000))
    }

    /// The address that has most gives, there the one that has shown nothing, and of such the oldest.
    @Test func theGreediestAddressGives() {
        var control = AdmissionControl()
        for id in 1...20 as ClosedRange<UInt64> { _ = connect(&control, id, from: address(UInt32(id))) }
        for id in 21...24 as ClosedRange<UInt64> { _ = connect(&control, id, from: address(50)) }
        control.noteKey(SessionID(21))
        #expect(connect(&control, 25, from: address(60)) == .takenInPlaceOf(SessionID(22)))
        #expect(connect(&control, 26, from: address(61)) == .takenInPlaceOf(SessionID(23)))
        #expect(connect(&control, 27, from: address(62)) == .takenInPlaceOf(SessionID(24)))
        // All have one now: the oldest, and not of who has shown a key.
        control.noteKey(SessionID(1))
        #expect(connect(&control, 28, from: address(63)) == .takenInPlaceOf(SessionID(2)))
        // Who wants a second one would be the greediest.
        #expect(connect(&control, 29, from: address(63)) == .takenInPlaceOf(SessionID(28)))
    }

    /// However many addresses strangers have, they do not get at the places of those who were seen.
    @Test func placesAreKeptForAddressesThatWereSeen() {
        var control = AdmissionControl()
        for id in 1...500 as ClosedRange<UInt64> { _ = connect(&control, id, from: address(UInt32(id))) }
        #expect(control.halfOpen == 24)
        for id in 501...508 as ClosedRange<UInt64> {
            #expect(connect(&control, id, from: address(UInt32(id)), isKnown: true) == .taken)
        }
        for id in 601...900 as ClosedRange<UInt64> { _ = connect(&control, id, from: address(UInt32(id))) }
        for id in 501...508 as ClosedRange<UInt64> { control.end(SessionID(id)) }
        #expect(control.halfOpen == 24)
    }

    @Test func sessionsAreSixtyFour() {
        var control = AdmissionControl()
        for id in 1...64 as ClosedRange<UInt64> { #expect(control.establish(SessionID(id)) == nil) }
        #expect(control.establish(SessionID(99)) == .tooManySessions)
        #expect(connect(&control, 1, from: address(1)) == .taken, "it is told why, which takes a handshake")
        #expect(!control.hasRoom)
        control.end(SessionID(7))
        #expect(control.hasRoom)
        #expect(control.establish(SessionID(99)) == nil)
        #expect(control.refused(.tooManySessions) == 1)
    }

    @Test func aNodeMayAllowMore() {
        var capacity = AdmissionControl.Capacity()
        capacity.sessions = 65
        var control = AdmissionControl(capacity: capacity)
        for id in 1...65 as ClosedRange<UInt64> { #expect(control.establish(SessionID(id)) == nil) }
        #expect(control.establish(SessionID(99)) == .tooManySessions)
    }
}
