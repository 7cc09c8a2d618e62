import Chat
import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A malicious peer with the account's keys: nothing traps, nothing grows without bound, nothing bad is stored, and the
/// others' sync continues.
@Suite struct SyncHostilityTests {
    private static let bad = SessionID(1)
    private static let good = SessionID(2)

    /// Checks that a message still goes both ways between the victim and an honest node.
    private func checkAlive(_ victim: SyncBench, _ honest: SyncBench, session: SessionID = SessionID(90)) throws {
        try victim.accept("from the victim", seed: 501)
        try honest.accept("from the honest one", seed: 502)
        try victim.meet(honest, session)
        #expect(try victim.zone.chat.stats().messages == honest.zone.chat.stats().messages)
        #expect(try victim.zone.chat.stats().messages >= 2)
        #expect(victim.store.digest == honest.store.digest)
        #expect(victim.sync.freshStarts.isEmpty)
    }

    // MARK: Greeting

    @Test func aHelloMustBeSignedForThisSession() throws {
        for number in 0..<4 {
            let victim = try SyncBench(1)
            var peer = ScriptedPeer(9)
            var hello = peer.hello()
            switch number {
            case 0: hello.deviceSignature[5] ^= 1
            case 1: hello.proof = [1]
            case 2: hello = peer.hello(.initiator, [UInt8](repeating: 4, count: 32))
            default: hello.body.lane = LaneID(Bytes32(0, 0, 0, 0))
            }
            try victim.open(Self.bad)
            try victim.take(.hello(hello), on: Self.bad)
            #expect(victim.isViolation(Self.bad))
            #expect(victim.sync.sessions.isEmpty)
        }
    }

    @Test func aSecondHelloEndsTheSession() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        try victim.take(.hello(peer.hello()), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    @Test func nothingButHelloIsTakenFirst() throws {
        for message in MessageTests.samples {
            if case .hello = message { continue }
            let victim = try SyncBench(1)
            try victim.open(Self.bad)
            try victim.take(message, on: Self.bad)
            #expect(victim.closed[Self.bad] != nil)
        }
    }

    @Test func whoDoesNotGreetIsDropped() throws {
        let victim = try SyncBench(1)
        for number in 0..<150 { try victim.open(SessionID(UInt64(number + 1))) }
        #expect(victim.sync.sessions.count == Limits.sessionsPerZone)
        #expect(victim.closed[SessionID(UInt64(Limits.sessionsPerZone + 1))] == .tooManySessions)
        // They have three seconds to say HELLO.
        try victim.pass(.milliseconds(2_999))
        #expect(victim.sync.sessions.count == Limits.sessionsPerZone)
        try victim.pass(.milliseconds(1))
        #expect(victim.sync.sessions.isEmpty)
        try checkAlive(victim, SyncBench(2), session: SessionID(200))
    }

    @Test func stormsOfSmallMessages() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        _ = victim.takeOutbox(Self.bad)
        try victim.take([Message](repeating: .ping, count: 10_000), on: Self.bad)
        #expect(victim.takeOutbox(Self.bad).count == Limits.pongsPerTurn)
        try victim.take([Message](repeating: .bye(.shutdown), count: 1_000), on: Self.bad)
        #expect(victim.closed[Self.bad] == .peerLeft(.shutdown))
        #expect(victim.takeOutbox(Self.bad).isEmpty)
        try checkAlive(victim, SyncBench(2))
    }

    // MARK: Records

    @Test func pagesMustBeAskedFor() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        let row = peer.fact(1).encoded
        try victim.take(.page(lane: peer.lane, through: 1, target: 1, isDone: true, rows: [row]), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        #expect(victim.store.lane(peer.lane) == nil)
        try checkAlive(victim, SyncBench(2))
    }

    @Test func aPageClaimsNoMoreThanItBrings() throws {
        for through in [UInt64(1) << 43, SyncState.Limits.highestSeq, .max] {
            let victim = try SyncBench(1)
            let honest = try SyncBench(2)
            var peer = ScriptedPeer(9)
            try peer.greet(victim, Self.bad, [peer.entry(5)])
            let rows = [peer.fact(3).encoded, peer.fact(2).encoded]
            try victim.take(
                .page(lane: peer.lane, through: through, target: .max, isDone: true, rows: rows), on: Self.bad)
            #expect(victim.store.lane(peer.lane)?.head == 3)
            #expect(victim.store.lane(peer.lane)?.target == 3)
            try checkAlive(victim, honest)
            #expect(honest.store.lane(peer.lane)?.head == 3)
        }
    }

    /// The victim's own lane is claimed to be longer: a mere claim causes no fresh start and no endless questions.
    @Test func aHeadWithoutRecordsMakesNobodyStartAfresh() throws {
        let victim = try SyncBench(1)
        let honest = try SyncBench(2)
        try victim.accept("one", seed: 1)
        var peer = ScriptedPeer(9)
        let other = LaneID(Bytes32(8, 8, 8, 8))
        let far = SyncState.Limits.highestSeq
        try peer.greet(victim, Self.bad, [peer.entry(far, lane: victim.zone.lane), peer.entry(far, lane: other)])
        var asked = 0
        try victim.pass(Limits.peekPatience)
        for _ in 0..<50 {
            for case .pull(let lane, _, _) in victim.takeOutbox(Self.bad) {
                asked += 1
                try victim.take(.page(lane: lane, through: far, target: far, isDone: true, rows: []), on: Self.bad)
            }
        }
        #expect(asked == 2)
        #expect(victim.closed[Self.bad] == nil)
        #expect(victim.store.lane(other) == nil)
        try checkAlive(victim, honest)
        #expect(victim.store.own.head < 10)
    }

    @Test func anEndlessAnswerIsRefused() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad, [peer.entry(100)])
        try victim.take(.page(lane: peer.lane, through: 0, target: 0, isDone: false, rows: []), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    @Test func badRecordsAreCountedAndTheGoodOnesKept() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        var stranger = ScriptedPeer(10, account: AccountSigner(seed: Secret(bytes: [UInt8](repeating: 8, count: 64))))
        try peer.greet(victim, Self.bad, [peer.entry(9)])
        let fact = peer.fact(2)
        // Everything is right except its signature.
        let forged = Record(header: fact.header, blob: nil, sealedMeta: fact.sealedMeta)
        let name = OpaqueName("named otherwise")
        let foreign = peer.record(
            3, RecordMeta(type: .opaque, fields: name.encoded), slot: "opaque.somebody else", kind: .immutable)
        let wrongKind = peer.record(
            4, RecordMeta(type: .opaque, fields: name.encoded), slot: name.slotName, kind: .register)
        let noFields = peer.record(5, RecordMeta(type: .readMarker, fields: [1, 2]), slot: "read.c1", kind: .register)
        let elsewhere = peer.fact(6, by: ScriptedPeer(11).device)
        let good = peer.fact(7)
        let rows = [
            forged.encoded, foreign.encoded, wrongKind.encoded, noFields.encoded, elsewhere.encoded,
            stranger.fact(1).encoded, [0x80], good.encoded,
        ]
        try victim.take(.page(lane: peer.lane, through: 9, target: 9, isDone: true, rows: rows), on: Self.bad)
        #expect(victim.sync.counters.recordsRejected == 7)
        #expect(victim.store.recordCount == 1)
        #expect(try victim.store.holds(good))
        #expect(victim.store.lane(peer.lane)?.head == 7)
        #expect(victim.closed[Self.bad] == nil)
        for _ in 0..<3 { try victim.take(.rows([[UInt8]](repeating: forged.encoded, count: 30)), on: Self.bad) }
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    @Test func aRefusedAnnouncementMovesNothing() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        let fact = peer.fact(SyncState.Limits.highestSeq)
        let forged = Record(header: fact.header, blob: nil, sealedMeta: peer.random.bytes(60))
        try victim.take(.have(since: 0, record: forged.encoded), on: Self.bad)
        #expect(victim.store.lane(peer.lane)?.head ?? 0 == 0)
        try victim.take(.have(since: .max, record: peer.fact(SyncState.Limits.highestSeq).encoded), on: Self.bad)
        #expect(victim.store.lane(peer.lane)?.head == 0)
        try victim.take(.have(since: 0, record: [0x01]), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    @Test func seqsAtTheirLimits() throws {
        let victim = try SyncBench(1)
        let honest = try SyncBench(2)
        var peer = ScriptedPeer(9)
        let far = SyncState.Limits.highestSeq
        try peer.greet(victim, Self.bad, [peer.entry(far)])
        try victim.pass(Limits.peekPatience)
        let beyond = peer.fact(far + 1)
        let least = peer.fact(0)
        let rows = [peer.fact(1), peer.fact(far), beyond, least].map(\.encoded)
        try victim.take(.page(lane: peer.lane, through: far, target: far, isDone: true, rows: rows), on: Self.bad)
        #expect(victim.store.lane(peer.lane)?.head == far)
        #expect(victim.sync.counters.recordsRejected == 2)
        // It asks about the very end in every possible way.
        let range = RangeSum(low: 0, high: far, fingerprint: Fingerprint(.zero), count: .max)
        try victim.take(
            [
                .pull(lane: peer.lane, since: far, pages: .max), .pull(lane: peer.lane, since: 0, pages: 0),
                .peek(lane: peer.lane, count: .max), .ranges(lane: peer.lane, [range]),
                .ranges(lane: peer.lane, [RangeSum(low: far, high: far, fingerprint: Fingerprint(.zero), count: 0)]),
                .keys(lane: peer.lane, low: 0, high: far, [KeyName(seq: far, hash: .zero)]),
                .fetch(lane: peer.lane, [KeyName(seq: .max, hash: .zero), KeyName(seq: 0, hash: .zero)]),
                .want(.recent, [WantGroup(lane: peer.lane, blobs: [BlobName(seq: .max, hashPrefix: .max)])]),
            ], on: Self.bad)
        for _ in 0..<20 { try victim.produce(Self.bad) }
        #expect(!victim.sync.isServing(Self.bad))
        #expect(victim.closed[Self.bad] == nil)
        try victim.take(.vector(scope: .update, entries: [peer.entry(far + 1)]), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, honest)
    }

    @Test func aHeadIsNotAboveItsTarget() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad, [peer.entry(3, target: 4)])
        #expect(victim.closed[Self.bad] == nil)
        try victim.take(.vector(scope: .update, entries: [peer.entry(5, target: 4)]), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    @Test func lanesWithoutRecordsTakeNoPlace() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let lanes = (0..<4_096).map { LaneID(Bytes32(7, 7, 7, UInt64($0))) }
        try peer.greet(victim, Self.bad)
        for start in stride(from: 0, to: lanes.count, by: 512) {
            let entries = lanes[start..<start + 512].map { peer.entry(9, lane: $0) }
            try victim.take(.vector(scope: start == 3_584 ? .whole : .part, entries: entries), on: Self.bad)
        }
        for case .pull(let lane, _, _) in victim.takeOutbox(Self.bad) {
            try victim.sync.received(
                Message.page(lane: lane, through: 9, target: 9, isDone: true, rows: []).encoded, on: Self.bad,
                now: victim.now)
        }
        try victim.turn()
        #expect(victim.closed[Self.bad] == nil)
        #expect(victim.store.vector.count <= 1)
        try victim.take(.vector(scope: .update, entries: [peer.entry(1)]), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }

    private static func device(_ number: Int) -> DeviceKeys {
        DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: 9, count: 32)),
            tag: Bytes16(7, UInt64(number)))
    }

    /// Rows of lanes that nobody let in take no place, which is nobody's fault. A peer that brings more lanes than a
    /// device can hold is disconnected.
    @Test func lanesThatNobodyLetInTakeNoPlace() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        let lanes = victim.store.numbers.count
        func bring(_ lanes: Range<Int>) throws {
            for number in lanes {
                let row = peer.fact(1, by: Self.device(number)).encoded
                try victim.sync.received(Message.rows([row]).encoded, on: Self.bad, now: victim.now)
            }
            try victim.turn()
        }
        try bring(0..<SyncState.Limits.lanes)
        #expect(victim.closed[Self.bad] == nil)
        #expect(victim.sync.counters.rejections[.notYet] == UInt64(SyncState.Limits.lanes))
        try bring(SyncState.Limits.lanes..<SyncState.Limits.lanes + 2)
        #expect(victim.isViolation(Self.bad))
        #expect(victim.store.recordCount == 0 && victim.store.numbers.count == lanes)
    }

    // MARK: Questions

    @Test func listsBeyondTheirLimits() throws {
        let lane = ScriptedPeer(9).lane
        let range = RangeSum(low: 5, high: 4, fingerprint: Fingerprint(.zero), count: 0)
        let long = RangeSum(low: 0, high: 9, fingerprint: Fingerprint(.zero), count: 0)
        let keys = [KeyName](repeating: KeyName(seq: 1, hash: .zero), count: 2_049)
        let peer = ScriptedPeer(9)
        func name(_ seq: UInt64) -> KeyName { KeyName(seq: seq, hash: .zero) }
        let messages: [Message] = [
            .ranges(lane: lane, [range]), .ranges(lane: lane, [RangeSum](repeating: long, count: 17)),
            .ranges(lane: lane, [RangeSum(low: 9, high: 2_047, fingerprint: nil, count: 0)]),
            .ranges(lane: lane, [RangeSum(low: 0, high: 1_024, fingerprint: nil, count: 0)]),
            .keys(lane: lane, low: 0, high: .max, []), .keys(lane: lane, low: 2, high: 1, []),
            .keys(lane: lane, low: 0, high: 9, keys), .fetch(lane: lane, keys),
            .keys(lane: lane, low: 2, high: 9, [name(1)]), .keys(lane: lane, low: 2, high: 9, [name(10)]),
            .keys(lane: lane, low: 2, high: 9, [name(5), name(4)]),
            .keys(lane: lane, low: 2, high: 9, [name(5), name(5)]),
            .vector(scope: .update, entries: [peer.entry(3, lane: lane), peer.entry(4, lane: lane)]),
            .pull(lane: lane, since: .max, pages: 1), .missing(.recent), .missing(.backfill),
            .blob(.recent, [1]), .blobPart(.backfill, totalBytes: 4, offset: 0, [1]),
        ]
        for message in messages {
            let victim = try SyncBench(1)
            var peer = ScriptedPeer(9)
            try peer.greet(victim, Self.bad)
            try victim.take(message, on: Self.bad)
            #expect(victim.isViolation(Self.bad), "\(message)")
            #expect(victim.sync.sessions.isEmpty)
        }
    }

    /// Small questions with large answers wait, and are answered as fast as the connection takes it.
    @Test func questionsDoNotAmplify() throws {
        let victim = try SyncBench(1)
        for _ in 0..<200 {
            try victim.zone.opaque.add(name: String(repeating: "n", count: 200), [1])
        }
        try victim.turn()
        var peer = ScriptedPeer(9)
        let lane = victim.zone.lane
        let row = try #require(try victim.store.keys(of: lane, from: 1, through: 1).keys.first).hash.prefix
        let keys = [KeyName](repeating: KeyName(seq: 1, hash: row), count: 2_048)
        let range = RangeSum(low: 0, high: 511, fingerprint: Fingerprint(.zero), count: 500)
        for question in [
            Message.peek(lane: lane, count: 192), .fetch(lane: lane, keys), .keys(lane: lane, low: 0, high: 500, []),
            .ranges(lane: lane, [RangeSum](repeating: range, count: 16)), .pull(lane: lane, since: 0, pages: 16),
        ] {
            try peer.greet(victim, Self.bad)
            let before = victim.sentBytes[Self.bad] ?? 0
            try victim.take(question, times: 80, on: Self.bad)
            #expect(victim.sentBytes[Self.bad] == before, "\(question)")
            try victim.produce(Self.bad, budgetBytes: 10_000)
            #expect((victim.sentBytes[Self.bad] ?? 0) - before <= 10_000 + 2 * Limits.messageBytes, "\(question)")
            try victim.take(question, times: 40_000, on: Self.bad)
            #expect(victim.isViolation(Self.bad), "\(question)")
            _ = victim.takeOutbox(Self.bad)
        }
        try checkAlive(victim, SyncBench(2))
    }

    @Test func wantsForNothing() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad)
        _ = victim.takeOutbox(Self.bad)
        let names = (0..<5_000).map { BlobName(seq: UInt64(9_000 - $0), hashPrefix: 7) }
        for lane in [victim.zone.lane, peer.lane] {
            try victim.take(.want(.backfill, [WantGroup(lane: lane, blobs: names)]), on: Self.bad)
        }
        try victim.produce(Self.bad, budgetBytes: 1_000)
        #expect(victim.takeOutbox(Self.bad).count < 100)
        for _ in 0..<20 { try victim.produce(Self.bad) }
        #expect(!victim.sync.isServing(Self.bad))
        #expect(victim.takeOutbox(Self.bad).count > 9_900)
        // It asks and is served without a pause: what was served does not count.
        for _ in 0..<30 {
            try victim.take(.want(.recent, [WantGroup(lane: peer.lane, blobs: names)]), on: Self.bad)
            for _ in 0..<4 { try victim.produce(Self.bad) }
        }
        #expect(victim.closed[Self.bad] == nil)
        try victim.take(
            [Message](repeating: .want(.recent, [WantGroup(lane: peer.lane, blobs: names)]), count: 20), on: Self.bad)
        #expect(victim.isViolation(Self.bad))
        try checkAlive(victim, SyncBench(2))
    }
}
