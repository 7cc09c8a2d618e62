import NodeCore
import Testing

@testable import Gossip

@Suite struct AdmissionControlTests {
    private func address(_ host: UInt32, port: UInt16 = 1000) -> SocketAddress {
        SocketAddress(ipv4: 0x0A00_0000 + host, port: port)
    }

    /// Accepts a connection from that host, and returns the one that loses its place.
    private func connect(
        _ control: inout AdmissionControl, _ id: UInt64, from host: UInt32, isKnown: Bool = false
    ) -> UInt64? {
        control.accept(SessionID(id), from: address(host, port: UInt16(id % 50_000) + 1), isKnown: isKnown)?.number
    }

    private func establish(_ control: inout AdmissionControl, _ id: UInt64) -> Bool {
        control.establish(SessionID(id))
    }

    @Test func twoRoomsHaveSoManyPlaces() {
        var control = AdmissionControl()
        for id in 1...1_000 as ClosedRange<UInt64> {
            _ = connect(&control, id, from: UInt32(id), isKnown: id % 3 == 0)
            #expect(control.waiting <= 256 + 8)
        }
        #expect(control.waiting == 256 + 8)
        #expect(control.turnedAway == 1_000 - 264)
        for id in 1...1_000 as ClosedRange<UInt64> { _ = control.noteKey(SessionID(id)) }
        #expect(control.waiting == 32 + 8)
    }

    /// A node with few descriptors has small rooms, but never without a place.
    @Test func fewDescriptorsMakeSmallRooms() {
        for (descriptors, places) in [(0, 1 + 1), (8, 2 + 2), (40, 10 + 8), (1_000, 250 + 8), (5_000, 256 + 8)] {
            var control = AdmissionControl(capacity: .init(descriptors: descriptors))
            for id in 1...1_000 as ClosedRange<UInt64> {
                _ = connect(&control, id, from: UInt32(id), isKnown: id % 2 == 0)
            }
            #expect(control.waiting == places, "\(descriptors)")
        }
    }

    /// A host with many connections displaces its own: the oldest of the address with the most.
    @Test func theGreediestAddressGivesItsOldest() {
        var capacity = AdmissionControl.Capacity()
        capacity.silent = 8
        var control = AdmissionControl(capacity: capacity)
        for id in 1...4 as ClosedRange<UInt64> { #expect(connect(&control, id, from: UInt32(id)) == nil) }
        for id in 11...14 as ClosedRange<UInt64> { #expect(connect(&control, id, from: 50) == nil) }
        #expect(connect(&control, 21, from: 60) == 11)
        #expect(connect(&control, 22, from: 61) == 12)
        // The newcomer counts for its host, from whatever port it comes and however its address is written.
        #expect(connect(&control, 23, from: 50) == 13)
        let mapped = SocketAddress("[::ffff:10.0.0.50]:6")
        #expect(mapped.flatMap { control.accept(SessionID(24), from: $0, isKnown: false) } == SessionID(14))
        // Two connections of one address are more than one of each other.
        #expect(connect(&control, 25, from: 62) == 23)
        // All have one now, so the oldest of all goes.
        #expect(connect(&control, 26, from: 63) == 1)
        #expect(control.turnedAway == 6)
        #expect(control.waiting == 8)
    }

    /// Sixty-four addresses open as many connections as they like: nobody who speaks at once loses its place.
    @Test(arguments: [1, 4, 16, 63, 64])
    func silentConnectionsKeepNobodyOut(addresses: UInt32) {
        var control = AdmissionControl()
        var next: UInt64 = 0
        func crowd() -> UInt64? {
            next += 1
            return connect(&control, next, from: 1 + UInt32(next) % addresses)
        }
        for _ in 0..<2_000 { _ = crowd() }
        #expect(control.waiting == 256)
        for newcomer in 0..<50 as Range<UInt64> {
            // Others may come in any number before its first message.
            let id = 1_000_000 + newcomer
            #expect(connect(&control, id, from: 9_000 + UInt32(newcomer)) != id)
            for _ in 0..<100 { #expect(crowd() != id) }
            #expect(control.noteKey(SessionID(id)) == nil)
            #expect(establish(&control, id))
            control.end(SessionID(id))
        }
    }

    /// The second room is for peers that hold a key, and has its own places: silence in the first takes none.
    @Test func silenceAfterTheKeyKeepsNobodyOut() {
        var control = AdmissionControl()
        for id in 1...200 as ClosedRange<UInt64> {
            _ = connect(&control, id, from: UInt32(id % 16))
            _ = control.noteKey(SessionID(id))
        }
        #expect(control.waiting == 32)
        #expect(connect(&control, 1_000, from: 99) == nil)
        let displaced = control.noteKey(SessionID(1_000))
        #expect(displaced != nil && displaced != SessionID(1_000))
        for id in 201...400 as ClosedRange<UInt64> {
            _ = connect(&control, id, from: UInt32(id % 16))
            #expect(control.noteKey(SessionID(id)) != SessionID(1_000))
        }
        #expect(establish(&control, 1_000))
    }

    /// However many addresses strangers have, they cannot take the places of peers that were met or heard.
    @Test func placesAreKeptForKnownAddresses() {
        var control = AdmissionControl()
        for id in 1...500 as ClosedRange<UInt64> { _ = connect(&control, id, from: UInt32(id)) }
        #expect(control.waiting == 256)
        for id in 501...508 as ClosedRange<UInt64> {
            #expect(connect(&control, id, from: UInt32(id), isKnown: true) == nil)
        }
        for id in 601...1_200 as ClosedRange<UInt64> {
            let displaced = connect(&control, id, from: UInt32(id))
            #expect(displaced.map { !(501...508).contains($0) } == true)
        }
        // The ninth is treated like the others.
        #expect(connect(&control, 2_000, from: 2_000, isKnown: true) != nil)
        // The same holds in the second room.
        for id in 601...1_200 as ClosedRange<UInt64> { _ = control.noteKey(SessionID(id)) }
        for id in 501...508 as ClosedRange<UInt64> { #expect(control.noteKey(SessionID(id)) == nil) }
        for id in 3_000...3_100 as ClosedRange<UInt64> {
            _ = connect(&control, id, from: UInt32(id))
            let displaced = control.noteKey(SessionID(id))?.number
            #expect(displaced.map { !(501...508).contains($0) } == true)
        }
        for id in 501...508 as ClosedRange<UInt64> { #expect(establish(&control, id)) }
    }

    @Test func whoEndsFreesItsPlace() {
        var capacity = AdmissionControl.Capacity()
        (capacity.silent, capacity.greeting, capacity.known) = (2, 2, 1)
        var control = AdmissionControl(capacity: capacity)
        for id in 1...3 as ClosedRange<UInt64> { _ = connect(&control, id, from: 1, isKnown: true) }
        #expect(control.noteKey(SessionID(2)) == nil)
        #expect(control.waiting == 3)
        for id in 1...3 as ClosedRange<UInt64> { control.end(SessionID(id)) }
        #expect(control.waiting == 0 && control.turnedAway == 0)
        for id in 4...6 as ClosedRange<UInt64> { #expect(connect(&control, id, from: 1, isKnown: true) == nil) }
        // A key from a session that is not waiting changes nothing.
        #expect(control.noteKey(SessionID(1)) == nil)
        #expect(control.waiting == 3)
    }

    @Test func sessionsAreSixtyFour() {
        var control = AdmissionControl()
        for id in 1...64 as ClosedRange<UInt64> { #expect(establish(&control, id)) }
        #expect(!control.hasRoom)
        #expect(!establish(&control, 99))
        #expect(connect(&control, 1_000, from: 1) == nil, "it is told why, which takes a handshake")
        control.end(SessionID(7))
        #expect(control.hasRoom)
        #expect(establish(&control, 99))
        #expect(control.turnedAway == 1)
    }

    @Test func aNodeMayAllowMore() {
        var capacity = AdmissionControl.Capacity()
        capacity.sessions = 65
        var control = AdmissionControl(capacity: capacity)
        for id in 1...65 as ClosedRange<UInt64> { #expect(establish(&control, id)) }
        #expect(!establish(&control, 99))
    }
}
