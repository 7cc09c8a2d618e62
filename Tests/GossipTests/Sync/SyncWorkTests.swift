import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Questions cost the asker: what a turn reads for peers is bounded in rows, however small the questions and however
/// much the sockets take.
@Suite struct SyncWorkTests {
    private static let rows: UInt64 = 6_000

    /// Rows of the node's own lane, each the only one at its seq.
    private func fill(_ bench: SyncBench, _ count: UInt64 = rows) throws {
        for number in 0..<count {
            let name = OpaqueName("thing \(number)")
            try bench.store.write(
                RecordMeta(type: .opaque, fields: name.encoded), slotName: name.slotName, kind: .immutable)
        }
        try bench.turn()
    }

    /// A question about one chunk of the lane, whose answer names 16 parts of it.
    private func question(_ lane: LaneID, _ number: UInt64) -> Message {
        let low = number % 5 * SyncState.Limits.chunkSeqs
        return .ranges(
            lane: lane,
            [
                RangeSum(
                    low: low, high: low + SyncState.Limits.chunkSeqs - 1, fingerprint: Fingerprint(Bytes16(1, number)),
                    count: Self.rows)
            ])
    }

    private func said(_ machine: NodeMachine) -> [(session: SessionID, message: Message)] {
        machine.takeActions().compactMap { action in
            guard case .send(let id, let bytes, _) = action, let message = try? Message(decoding: bytes) else {
                return nil
            }
            return (id, message)
        }
    }

    @Test func aTurnReadsNoMoreThanItsShare() throws {
        let bench = try StateBench()
        try fill(bench.node)
        try bench.agree()
        _ = said(bench.machine)
        let lane = bench.node.zone.lane
        for number in 0..<20 as Range<UInt64> {
            bench.machine.onMessage(question(lane, number).encoded, session: bench.session, now: bench.now)
        }
        var answered = 0 as UInt64
        var rests = 0
        for turn in 0..<40 where bench.machine.isServing(bench.session) {
            let before = bench.node.store.scannedRows
            try bench.pass(.zero)
            for _ in 0..<50 { bench.machine.produce(on: bench.session, budgetBytes: 512 << 10, now: bench.now) }
            let read = bench.node.store.scannedRows - before
            #expect(read <= Limits.servedRowsPerTurn, "turn \(turn)")
            for case .ranges(_, let parts) in said(bench.machine).map(\.message) {
                answered += parts.reduce(0) { $0 + $1.count }
                rests += parts.count { $0.fingerprint == nil }
            }
            // Nothing waits for a socket: the node returns to it by itself.
            if bench.machine.isServing(bench.session) { #expect(bench.machine.deadline == .zero) }
        }
        #expect(!bench.machine.isServing(bench.session))
        // At the end of a turn, what was read so far is the answer, and the peer may ask on.
        #expect(rests > 1 && rests < 20)
        #expect(answered > 10 * SyncState.Limits.chunkSeqs && answered < 20 * SyncState.Limits.chunkSeqs)
    }

    @Test func eachSessionHasItsPartOfATurn() throws {
        let bench = try StateBench()
        try fill(bench.node)
        try bench.agree()
        let other = SessionID(2)
        var peer = ScriptedPeer(10)
        peer.ledger = bench.peer.ledger
        _ = bench.machine.onOpened(
            other, place: bench.zone, isInitiator: false, handshakeHash: SyncBench.hash, address: bench.address,
            now: bench.now)
        bench.machine.onMessage(Message.hello(peer.hello()).encoded, session: other, now: bench.now)
        try bench.pass(.zero)
        _ = said(bench.machine)
        let lane = bench.node.zone.lane
        for number in 0..<20 as Range<UInt64> {
            bench.machine.onMessage(question(lane, number).encoded, session: bench.session, now: bench.now)
        }
        let range = RangeSum(low: 5, high: 1_000, fingerprint: Fingerprint(Bytes16(1, 1)), count: 900)
        bench.machine.onMessage(Message.ranges(lane: lane, [range]).encoded, session: other, now: bench.now)
        let before = bench.node.store.scannedRows
        try bench.pass(.zero)
        for id in [bench.session, other] {
            for _ in 0..<50 { bench.machine.produce(on: id, budgetBytes: 512 << 10, now: bench.now) }
        }
        #expect(bench.node.store.scannedRows - before <= Limits.servedRowsPerTurn)
        let answered = said(bench.machine).filter { if case .ranges = $0.message { true } else { false } }
        #expect(answered.count { $0.session == other } == 1)
        #expect(bench.machine.isServing(bench.session) && !bench.machine.isServing(other))
    }
}
