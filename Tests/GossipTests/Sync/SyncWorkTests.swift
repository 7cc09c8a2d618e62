import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Questions cost the asker: what a turn reads for peers is bounded in rows, however small the questions are and
/// however much the sockets take.
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

    /// A question for nearly all of a lane, whose answer tells 16 parts of it.
    private func question(_ lane: LaneID, _ number: UInt64 = 0) -> Message {
        .ranges(
            lane: lane,
            [RangeSum(low: 1, high: Self.rows * 2 + number, fingerprint: Fingerprint(Bytes16(1, 1)), count: Self.rows)])
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
        let held = bench.node.store.knownSum(of: lane, from: 0, through: SyncState.Limits.highestSeq)?.count
        var answers = 0
        // All is read once an answer, and the turns are few.
        for turn in 0..<40 where bench.machine.isServing(bench.session) {
            let before = bench.node.store.scannedRows
            try bench.pass(.zero)
            for _ in 0..<50 { bench.machine.produce(on: bench.session, budgetBytes: 512 << 10, now: bench.now) }
            let read = bench.node.store.scannedRows - before
            #expect(read <= Limits.servedRowsPerTurn, "turn \(turn)")
            for case .ranges(_, let parts) in said(bench.machine).map(\.message) {
                answers += 1
                #expect(parts.reduce(0) { $0 + $1.count } == held)
            }
            // Nothing waits for a socket: the node comes back to it by itself.
            if bench.machine.isServing(bench.session) { #expect(bench.machine.deadline == .zero) }
        }
        #expect(answers == 20)
        #expect(!bench.machine.isServing(bench.session))
    }

    @Test func eachSessionHasItsPartOfATurn() throws {
        let bench = try StateBench()
        try fill(bench.node)
        try bench.agree()
        let other = SessionID(2)
        var peer = ScriptedPeer(10)
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
        #expect(answered.map(\.session) == [other])
    }

    /// Where a turn ends makes no difference to what is said.
    @Test func answersAreTheSameHoweverTheyAreCut() throws {
        var answers: [[[UInt8]]] = []
        for rows in [1, 7, 100, .max] as [UInt64] {
            let bench = try SyncBench(1)
            try fill(bench, 300)
            var peer = ScriptedPeer(9)
            try peer.greet(bench, SessionID(1))
            _ = bench.takeOutbox(SessionID(1))
            let lane = bench.zone.lane
            let keys = try bench.store.keys(of: lane, from: 1, through: 250)
            let ranges = [(0, 400), (1, 1), (3, 30), (20, 290), (2, 1 << 43)].map { low, high in
                RangeSum(low: low, high: high, fingerprint: Fingerprint(Bytes16(2, 2)), count: 9)
            }
            try bench.take(
                [
                    .ranges(lane: lane, ranges), .keys(lane: lane, low: 1, high: 200, []),
                    .fetch(lane: lane, keys.map(KeyName.init)), .peek(lane: lane, count: 20),
                ], on: SessionID(1))
            for _ in 0..<20_000 where bench.sync.isServing(SessionID(1)) {
                try bench.produce(SessionID(1), rows: rows)
            }
            #expect(!bench.sync.isServing(SessionID(1)))
            let said = bench.takeOutbox(SessionID(1))
            // Rows may come in more messages; all else is the same, byte by byte.
            let sent = said.flatMap { message -> [[UInt8]] in
                if case .rows(let rows) = message { rows } else { [message.encoded] }
            }
            answers.append(sent)
        }
        #expect(answers[0].count > 300)
        for other in answers.dropFirst() { #expect(other == answers[0]) }
    }

    /// Rows that come while a range is read in parts stand behind the cursor, and in no sum: they are named all the
    /// same.
    @Test func rowsThatComeMeanwhileMakeNoAnswerTooLong() throws {
        let bench = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let id = SessionID(1)
        try peer.greet(bench, id)
        try bench.take(.rows((0..<40).map { peer.fact(20_000 + $0).encoded }), on: id)
        let range = RangeSum(low: 1, high: 1 << 43, fingerprint: Fingerprint(Bytes16(1, 1)), count: 0)
        try bench.take(.ranges(lane: peer.lane, [range]), on: id)
        try bench.produce(id, rows: 10)
        #expect(bench.sync.isServing(id))
        for start in stride(from: 1 as UInt64, to: 3_000, by: 100) {
            try bench.take(.rows((0..<100).map { peer.fact(start + $0).encoded }), on: id)
        }
        for _ in 0..<100 where bench.sync.isServing(id) { try bench.produce(id) }
        #expect(!bench.sync.isServing(id))
        for case .keys(_, _, _, let keys) in bench.takeOutbox(id) { #expect(keys.count <= Limits.keysPerMessage) }
        #expect(bench.sync.sessions[id] != nil)
    }
}
