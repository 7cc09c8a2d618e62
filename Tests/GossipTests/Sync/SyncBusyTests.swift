import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A node without room says when to come back, and a node that hears this leaves it alone until then.
@Suite struct SyncBusyTests {
    @Test func oneSessionTooManyIsToldWhenToComeBack() throws {
        let node = try SyncBench(1)
        for number in 0..<UInt64(Limits.sessionsPerZone) { try node.open(SessionID(number)) }
        let extra = SessionID(1_000)
        try node.open(extra)
        #expect(node.closed[extra] == .tooManySessions)
        guard case .busy(let milliseconds)? = node.takeOutbox(extra).first else { throw BusyError.notSaid }
        #expect(milliseconds == 30_000)
        #expect(node.sync.sessions.count == Limits.sessionsPerZone)
    }

    @Test func beforeAndAfterHelloThePauseIsHeard() throws {
        let node = try SyncBench(1)
        let session = SessionID(1)
        try node.open(session)
        node.now = .zero + .seconds(5)
        try node.take(.busy(retryAfterMilliseconds: 30_000), on: session)
        #expect(node.closed[session] == .busy(until: .zero + .seconds(35)))
    }

    @Test func whoAsksForAPauseIsDialledAfterIt() throws {
        let bench = try SyncBench(1)
        let machine = NodeMachine(random: SeededRandom(seed: 4), now: .zero)
        machine.add(bench.zone, now: .zero)
        let address = SocketAddress(ipv4: 0x7f00_0001, port: 4_000)
        machine.onStatic([address], now: .zero)
        machine.endTurn(now: .zero + .seconds(1), wall: WallTime(milliseconds: 0))
        let session = SessionID(1)
        _ = machine.onOpened(
            session, place: bench.zone.handle, isInitiator: true, handshakeHash: SyncBench.hash, address: address,
            now: .zero + .seconds(1))
        machine.onMessage(
            Message.busy(retryAfterMilliseconds: 30_000).encoded, session: session, now: .zero + .seconds(1))
        machine.endTurn(now: .zero + .seconds(1), wall: WallTime(milliseconds: 0))
        _ = machine.takeActions()
        func dials(after seconds: Int) -> Int {
            machine.endTurn(now: .zero + .seconds(seconds), wall: WallTime(milliseconds: 0))
            return machine.takeActions().count { if case .dial = $0 { true } else { false } }
        }
        #expect(dials(after: 30) == 0 && dials(after: 32) == 1)
    }

    enum BusyError: Error { case notSaid }
}
