import NodeCore
import SyncState
import Testing

@testable import Gossip
@testable import LeaderboardShare

/// All sessions of a node are taken, and one more member comes.
@Suite("A group's places", .timeLimit(.minutes(30))) struct GroupRoomTests {
    private let anna: GroupBench
    private let machine: NodeMachine
    private let places = 4

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invite()
        for (number, name) in ["ben", "mallory"].enumerated() {
            _ = try anna.admit(name, 2 + UInt8(number), with: token)
        }
        var capacity = AdmissionControl.Capacity()
        capacity.sessions = places
        machine = NodeMachine(random: SeededRandom(seed: 5), now: .zero, capacity: capacity)
        machine.add(anna.zone, now: .zero)
    }

    /// A device of the member says HELLO, and that it holds something else.
    private func come(_ name: String, device number: UInt64) throws {
        let id = SessionID(number)
        let member = Ed25519.KeyPair(seed: GroupBench.seed(name))
        let device = Ed25519.KeyPair(seed: GroupBench.seed("\(name) \(number)"))
        let context = Hello.Context(side: .initiator, zone: anna.zone.zone, handshakeHash: GroupBench.hash)
        let body = Hello.Body(
            lane: LaneID(device.publicKey), instance: InstanceID(Bytes16(1, number)), digest: ZoneDigest(.zero), port: 0
        )
        let hello = Hello(body, in: context, device: device) { MemberID(member.publicKey).bytes + member.sign($0) }
        _ = machine.onOpened(
            id, place: anna.zone.handle, isInitiator: false, handshakeHash: GroupBench.hash,
            address: SocketAddress(ipv4: 0x0A00_0009, port: 50_000), now: .zero)
        machine.onMessage(Message.hello(hello).encoded, session: id, now: .zero)
        machine.endTurn(now: .zero, wall: GroupBench.wall)
    }

    private func sessions() throws -> [UInt64] {
        try #require(machine.zone(anna.zone.handle)).sync.peers.map(\.session.number)
    }

    @Test("Who has most sessions in a group gives way, with as many devices as it likes")
    func member() throws {
        for number in 1...UInt64(places) { try come("mallory", device: number) }
        #expect(try sessions() == [1, 2, 3, 4])
        try come("ben", device: 11)
        #expect(try sessions() == [1, 2, 3, 11])
        try come("ben", device: 12)
        #expect(try sessions() == [1, 2, 11, 12])
        // Whoever comes with one more has most, and loses one itself.
        try come("mallory", device: 5)
        #expect(try sessions() == [1, 5, 11, 12])
    }
}
