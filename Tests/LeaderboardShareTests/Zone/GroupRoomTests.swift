import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip
@testable import LeaderboardShare

/// All sessions of a node are taken when one more member comes.
@Suite("A group's places", .timeLimit(.minutes(30))) struct GroupRoomTests {
    private let anna: GroupBench
    private let machine: NodeMachine
    private let places = 4
    private var members: [String: GroupBench] = [:]

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 3)
        for (number, name) in ["ben", "mallory"].enumerated() {
            members[name] = try anna.admit(name, 2 + UInt8(number), with: token)
        }
        var capacity = AdmissionControl.Capacity()
        capacity.sessions = places
        machine = NodeMachine(random: SeededRandom(seed: 5), now: .zero, capacity: capacity)
        machine.add(anna.zone, now: .zero)
    }

    /// Another device of the member says HELLO and that it holds something else.
    private func come(_ name: String, device number: UInt8) throws {
        let id = SessionID(UInt64(number))
        let phone = try GroupBench(try #require(members[name]).zone.keys, number)
        try members[name]?.endorse(phone)
        _ = try anna.zone.membership.standing(of: phone.zone.lane, shown: phone.zone.vouchers)
        let context = Hello.Context(side: .initiator, zone: anna.zone.zone, handshakeHash: GroupBench.hash)
        let body = Hello.Body(
            lane: phone.zone.lane, instance: InstanceID(Bytes16(1, UInt64(number))), digest: ZoneDigest(.zero),
            ledger: anna.zone.membership.records.digest, port: 0)
        let hello = Hello(body, in: context, device: phone.zone.store.device.signing)
        _ = machine.onOpened(
            id, place: anna.zone.handle, isInitiator: false, handshakeHash: GroupBench.hash,
            address: SocketAddress(ipv4: 0x0A00_0009, port: 50_000), now: .zero)
        machine.onMessage(Message.hello(hello).encoded, session: id, now: .zero)
        machine.endTurn(now: .zero, wall: GroupBench.wall)
    }

    private func sessions() throws -> [UInt64] {
        try #require(machine.zone(anna.zone.handle)).sync.peers.map(\.session.number)
    }

    @Test("The person with most sessions in a group gives way, with as many devices as it likes")
    func member() throws {
        for number in 1...UInt8(places) { try come("mallory", device: number) }
        #expect(try sessions() == [1, 2, 3, 4])
        try come("ben", device: 11)
        #expect(try sessions() == [1, 2, 3, 11])
        try come("ben", device: 12)
        #expect(try sessions() == [1, 2, 11, 12])
        // A person who opens one more has the most, and loses one itself.
        try come("mallory", device: 5)
        #expect(try sessions() == [1, 5, 11, 12])
    }
}
