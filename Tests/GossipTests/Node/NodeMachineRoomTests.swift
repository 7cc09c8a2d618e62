import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// All sessions are taken when one more device comes.
@Suite struct NodeMachineRoomTests {
    private static let newcomer = SessionID(99)

    /// A session on which a device of the zone says hello and that it holds the same.
    private func meet(
        _ bench: StateBench, _ number: UInt8, in zone: AccountZone, account: AccountSigner
    ) throws -> SessionID {
        let id = SessionID(UInt64(number))
        var peer = ScriptedPeer(number, account: account)
        peer.ledger = zone.membership.records.digest
        _ = bench.machine.onOpened(
            id, place: zone.handle, isInitiator: false, handshakeHash: SyncBench.hash,
            address: SocketAddress(ipv4: 0x7f00_0001, port: 5_000 + UInt16(number)), now: bench.now)
        let entries = zone.store.vector.map { VectorEntry($0) }
        for message in [Message.hello(peer.hello()), .vector(scope: .whole, entries: entries)] {
            bench.machine.onMessage(message.encoded, session: id, now: bench.now)
        }
        try bench.pass(.seconds(1))
        return id
    }

    /// A member of one zone has any number of keys there.
    @Test func nobodyOfOneZonePushesTheDevicesOfAnotherOut() throws {
        let bench = try StateBench()
        try bench.agree()
        let account = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 8, count: 64)))
        let other = try SyncBench(2, account: account)
        bench.machine.add(other.zone, now: bench.now)
        let crowd = try (20..<23).map { try meet(bench, $0, in: other.zone, account: account) }
        #expect(bench.machine.dialer.longestSynced == [bench.session] + crowd)
        let own = try meet(bench, 30, in: bench.node.zone, account: SyncBench.account)
        #expect(bench.machine.makeRoom(for: own, now: bench.now) == crowd[0])
        let stranger = try meet(bench, 23, in: other.zone, account: account)
        #expect(bench.machine.makeRoom(for: stranger, now: bench.now) == crowd[1])
        #expect(try bench.served.sync.peers.count == 2)
    }

    @Test func whoHasAgreedGivesWayOnce() throws {
        let bench = try StateBench()
        try bench.agree()
        #expect(bench.machine.dialer.longestSynced == [bench.session])
        _ = bench.machine.takeActions()
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == bench.session)
        let said = bench.machine.takeActions().compactMap { action -> [UInt8]? in
            guard case .send(bench.session, let bytes, _) = action else { return nil }
            return bytes
        }
        #expect(said == [Message.busy(retryAfterMilliseconds: 30_000), .bye(.tooManySessions)].map(\.encoded))
        #expect(try bench.served.sync.peers.isEmpty)
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == nil)
    }

    @Test func whoComparesOrFetchesStays() throws {
        let bench = try StateBench()
        try bench.open()
        _ = bench.machine.onOpened(
            Self.newcomer, place: bench.zone, isInitiator: false, handshakeHash: SyncBench.hash,
            address: bench.address, now: bench.now)
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == nil)
        let entries = bench.node.store.vector.map { VectorEntry($0) }
        try bench.say(.hello(bench.peer.hello(.responder)), .vector(scope: .whole, entries: entries))
        let record = bench.peer.fact(1, blob: [UInt8](repeating: 1, count: 900))
        try bench.say(.have(since: 0, record: record.encoded))
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == nil)
    }

    /// A device that asks without end, and comes as several runs, keeps nobody out.
    @Test func ofADeviceWithSeveralSessionsTheLatestGivesWay() throws {
        let bench = try StateBench()
        try bench.open()
        let next = SessionID(2)
        for id in [next, Self.newcomer] {
            _ = bench.machine.onOpened(
                id, place: bench.zone, isInitiator: true, handshakeHash: SyncBench.hash, address: bench.address,
                now: bench.now)
        }
        for id in [bench.session, next] {
            bench.machine.onMessage(
                Message.hello(bench.peer.hello(.responder)).encoded, session: id, now: bench.now)
        }
        try bench.pass(.zero)
        #expect(try bench.served.sync.peers.map(\.session) == [bench.session, next])
        #expect(bench.machine.dialer.longestSynced.isEmpty)
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == next)
        #expect(bench.machine.makeRoom(for: Self.newcomer, now: bench.now) == nil)
    }

    @Test func aLockedNodeMeetsNobody() throws {
        let bench = try StateBench()
        try bench.agree()
        bench.machine.setLocked(true, now: bench.now, wall: bench.wall)
        try bench.pass(.zero)
        #expect(bench.state == .locked)
        #expect(try bench.served.sync.peers.isEmpty)
        #expect(bench.machine.doors.isEmpty)
        #expect(try bench.dials(within: .seconds(120)) == 0)
        bench.machine.setLocked(false, now: bench.now, wall: bench.wall)
        #expect(try bench.dials(within: .seconds(120)) == 1)
    }
}
