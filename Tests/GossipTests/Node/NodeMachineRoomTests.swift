import NodeCore
import SyncState
import Testing

@testable import Gossip

/// All sessions are taken, and one more device comes.
@Suite struct NodeMachineRoomTests {
    @Test func whoHasAgreedGivesWayOnce() throws {
        let bench = try StateBench()
        try bench.agree()
        #expect(bench.machine.dialer.longestSynced == [bench.session])
        _ = bench.machine.takeActions()
        #expect(bench.machine.makeRoom(now: bench.now) == bench.session)
        let said = bench.machine.takeActions().compactMap { action -> [UInt8]? in
            guard case .send(bench.session, let bytes, _) = action else { return nil }
            return bytes
        }
        #expect(said == [Message.busy(retryAfterMilliseconds: 30_000), .bye(.tooManySessions)].map(\.encoded))
        #expect(try bench.served.sync.peers.isEmpty)
        #expect(bench.machine.makeRoom(now: bench.now) == nil)
    }

    @Test func whoComparesOrFetchesStays() throws {
        let bench = try StateBench()
        try bench.open()
        #expect(bench.machine.makeRoom(now: bench.now) == nil)
        let entries = bench.node.store.vector.map { VectorEntry($0) }
        try bench.say(.hello(bench.peer.hello()), .vector(scope: .whole, entries: entries))
        let record = bench.peer.fact(1, blob: [UInt8](repeating: 1, count: 900))
        try bench.say(.have(since: 0, record: record.encoded))
        #expect(bench.machine.makeRoom(now: bench.now) == nil)
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
