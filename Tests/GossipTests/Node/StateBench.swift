import Chat
import NodeCore
import SyncState

@testable import Gossip

/// A machine with one zone and one known address, and a peer that says what a test wants.
final class StateBench {
    let machine = NodeMachine(random: SeededRandom(seed: 4), now: .zero)
    let node: SyncBench
    var peer = ScriptedPeer(9)
    let address = SocketAddress(ipv4: 0x7f00_0001, port: 4_000)
    let session = SessionID(1)
    var now = MonotonicTime.zero

    init(knowsAddress: Bool = true) throws {
        node = try SyncBench(1)
        machine.add(node.zone, now: .zero)
        peer.ledger = node.zone.membership.records.digest
        if knowsAddress { machine.onStatic([address], now: .zero) }
        try pass(.zero)
    }

    var zone: PlaceID { node.zone.handle }
    var state: ZoneState { machine.state(of: zone, now: now) }
    var wall: WallTime { WallTime(milliseconds: 1_000_000) + (now - .zero) }
    var served: ServedZone {
        get throws {
            guard let served = machine.zone(zone) else { throw BenchError.noZone }
            return served
        }
    }

    func pass(_ duration: Duration) throws {
        now = now + duration
        machine.endTurn(now: now, wall: wall)
    }

    /// The number of times the address is dialled within a duration.
    func dials(within duration: Duration) throws -> Int {
        _ = machine.takeActions()
        try pass(duration)
        return machine.takeActions().count { if case .dial = $0 { true } else { false } }
    }

    func open() throws {
        try pass(.seconds(1))
        _ = machine.onOpened(
            session, place: zone, isInitiator: true, handshakeHash: SyncBench.hash, address: address, now: now)
        try pass(.zero)
    }

    func say(_ messages: Message...) throws {
        for message in messages { machine.onMessage(message.encoded, session: session, now: now) }
        try pass(.zero)
    }

    /// Shakes hands, and shows the same vector as the node.
    func agree() throws {
        try open()
        let entries = node.store.vector.map { VectorEntry($0) }
        try say(.hello(peer.hello(.responder)), .vector(scope: .whole, entries: entries))
    }

    func close() throws {
        machine.onClosed(session, isFault: false, now: now)
        try pass(.zero)
    }

    enum BenchError: Error { case noZone }
}
