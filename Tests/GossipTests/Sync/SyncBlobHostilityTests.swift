import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Blobs from a malicious peer, and peers that promise and do not give.
@Suite struct SyncBlobHostilityTests {
    private static let bad = SessionID(1)
    private static let good = SessionID(2)

    /// A peer that showed a record with a blob, which the victim now asks for.
    private func wanting(_ blob: [UInt8], _ victim: SyncBench) throws -> (ScriptedPeer, Record) {
        var peer = ScriptedPeer(9)
        let record = peer.fact(1, blob: blob)
        try peer.greet(victim, Self.bad, [peer.entry(1)])
        try victim.take(.rows([record.encoded]), on: Self.bad)
        let asked = victim.takeOutbox(Self.bad).contains { if case .want(.recent, _) = $0 { true } else { false } }
        #expect(asked)
        return (peer, record)
    }

    @Test func aBlobMustBeWhatItsRecordNames() throws {
        let victim = try SyncBench(1)
        let blob = [UInt8](repeating: 5, count: 900)
        var (peer, record) = try wanting(blob, victim)
        try victim.take(.blob(.recent, ArraySlice(repeating: 6, count: 900)), on: Self.bad)
        #expect(victim.closed[Self.bad] == .badBlob)
        #expect(victim.sync.counters.badBlobs == 1)
        #expect(victim.store.wantedCount == 1)
        // Another peer is asked, and the right bytes are taken.
        var other = ScriptedPeer(10)
        try other.greet(victim, Self.good, [peer.entry(1)])
        let asked = victim.takeOutbox(Self.good).contains { if case .want = $0 { true } else { false } }
        #expect(asked)
        try victim.take(.blob(.backfill, blob[...]), on: Self.good)
        #expect(victim.store.wantedCount == 0)
        #expect(try victim.store.holds(record))
        _ = peer.fact(2)
    }

    @Test func piecesMustFit() throws {
        let blob = [UInt8](repeating: 5, count: 100_000)
        let part = [UInt8](repeating: 5, count: 50_000)
        let scripts: [[Message]] = [
            [.blobPart(.recent, totalBytes: .max, offset: 0, part)],
            [.blobPart(.recent, totalBytes: 100_000, offset: 1, part)],
            [.blobPart(.recent, totalBytes: 100_000, offset: 0, [])],
            // Single bytes arrive one by one.
            [.blobPart(.recent, totalBytes: 100_000, offset: 0, [5])],
            [
                .blobPart(.recent, totalBytes: 100_000, offset: 0, part),
                .blobPart(.recent, totalBytes: 100_000, offset: 50_000, part + [5]),
            ],
            [
                .blobPart(.recent, totalBytes: 100_000, offset: 0, part),
                .blobPart(.recent, totalBytes: 100_000, offset: 0, part),
            ],
            // Another answer comes in the middle of one.
            [.blobPart(.recent, totalBytes: 100_000, offset: 0, part), .blob(.recent, blob[...])],
            [.blobPart(.recent, totalBytes: 100_000, offset: 0, part), .missing(.recent)],
        ]
        for (number, script) in scripts.enumerated() {
            let victim = try SyncBench(1)
            _ = try wanting(blob, victim)
            try victim.take(script, on: Self.bad)
            #expect(victim.isViolation(Self.bad), "script \(number)")
            #expect(victim.store.wantedCount == 1)
        }
        let victim = try SyncBench(1)
        _ = try wanting(blob, victim)
        try victim.take(
            [
                .blobPart(.recent, totalBytes: 100_000, offset: 0, part),
                .blobPart(.recent, totalBytes: 100_000, offset: 50_000, part),
            ], on: Self.bad)
        #expect(victim.store.wantedCount == 0)
    }

    @Test func aPeerThatGivesNoBlobsIsReplaced() throws {
        let victim = try SyncBench(1)
        let blob = [UInt8](repeating: 5, count: 900)
        let (peer, _) = try wanting(blob, victim)
        var other = ScriptedPeer(10)
        try other.greet(victim, Self.good, [peer.entry(1)])
        let early = victim.takeOutbox(Self.good).contains { if case .want = $0 { true } else { false } }
        #expect(!early)
        // It keeps talking, so that it does not look dead.
        for _ in 0..<5 {
            try victim.take(.ping, on: Self.bad)
            try victim.take(.ping, on: Self.good)
            try victim.pass(.seconds(5))
        }
        let late = victim.takeOutbox(Self.good).contains { if case .want = $0 { true } else { false } }
        #expect(late)
        try victim.take(.blob(.backfill, blob[...]), on: Self.good)
        #expect(victim.store.wantedCount == 0)
        // The first one's late answer is no violation.
        try victim.take(.blob(.recent, blob[...]), on: Self.bad)
        #expect(victim.closed.isEmpty)
    }

    @Test func aPeerThatServesNoPagesIsReplaced() throws {
        let victim = try SyncBench(1)
        let honest = try SyncBench(2)
        for number in 0..<20 { try honest.accept("message \(number)", seed: UInt64(number)) }
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.bad, [peer.entry(100, lane: honest.zone.lane)])
        try victim.meet(honest, Self.good)
        #expect(try victim.zone.chat.stats().messages == 0)
        try victim.take(.ping, on: Self.bad)
        try victim.pass(.seconds(11))
        try victim.talk(honest, Self.good)
        #expect(victim.store.lane(honest.zone.lane)?.head == 20)
        // It says that it has all records, so it is asked for blobs too.
        try victim.pass(.seconds(21))
        try victim.talk(honest, Self.good)
        #expect(try victim.zone.chat.stats().messages == 20)
        #expect(victim.closed.isEmpty)
    }

    /// More blobs that nobody here has than the window holds do not block those that a peer has.
    @Test func whatNobodyHasBarsNothing() throws {
        let victim = try SyncBench(1)
        var gone = ScriptedPeer(9)
        try gone.greet(victim, Self.bad)
        var rows: [[UInt8]] = []
        for seq in 1...UInt64(2_600) { rows.append(gone.fact(seq, blob: [UInt8](repeating: 1, count: 100)).encoded) }
        for start in stride(from: 0, to: rows.count, by: 100) {
            try victim.take(.rows(Array(rows[start..<start + 100])), on: Self.bad)
        }
        try victim.take(.bye(.shutdown), on: Self.bad)
        #expect(victim.store.wantedCount == 2_600)
        let honest = try SyncBench(2)
        try honest.zone.opaque.add(name: "picture", [1, 2, 3])
        try honest.turn()
        try victim.meet(honest, Self.good)
        #expect(victim.store.wantedCount == 2_600)
        #expect(victim.store.recordCount == 2_601)
        #expect(honest.sync.sessions.count == 1)
    }

    /// A blob that a peer says it lacks is asked for again only after a pause.
    @Test func lackingIsNoLoop() throws {
        let victim = try SyncBench(1)
        let (peer, _) = try wanting([UInt8](repeating: 5, count: 900), victim)
        var asked = 1
        try victim.take(.missing(.recent), on: Self.bad)
        for _ in 0..<100 {
            try victim.take(.vector(scope: .update, entries: [peer.entry(1)]), on: Self.bad)
            for case .want(let blobClass, _) in victim.takeOutbox(Self.bad) {
                asked += 1
                try victim.take(.missing(blobClass), on: Self.bad)
            }
            try victim.pass(.milliseconds(10))
        }
        #expect(asked <= 4)
        #expect(victim.closed.isEmpty)
    }

    /// The segments are sealed properly, by a holder of the account's key.
    @Test func bombsInSegments() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let payloads: [[UInt8]] = [
            // These declare 4 GiB, or slightly more than is allowed, or are not zstd at all.
            [1, 0xff, 0xff, 0xff, 0xff, 0x28, 0xb5, 0x2f, 0xfd], [1, 0, 8, 0, 1, 0x28, 0xb5, 0x2f, 0xfd],
            [1, 0, 8, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0xa4, 0, 0, 0, 0x40], [1, 0, 0, 0, 0, 1], [9, 9, 9, 9, 9, 9], [],
            // This frame of run-length blocks would expand to 128 KiB for each three bytes.
            [1, 0, 8, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0, 0x88]
                + (0..<1_000).flatMap { _ in [0x02, 0, 0x10, 0x41] as [UInt8] },
        ]
        var rows: [[UInt8]] = []
        var blobs: [[UInt8]] = []
        for (number, payload) in payloads.enumerated() {
            let name = SegmentName(conversationID: "c", dayBucket: 1, writer: peer.lane, sequence: UInt64(number))
            let meta = SegmentMeta(
                name: name, startTimestamp: 0, endTimestamp: 9, messageCount: 256, byteCount: 512 << 10,
                payloadVersion: 1, prefixes: [UInt8](repeating: 1, count: 1_024))
            let header = RecordHeader(
                lane: peer.lane, seq: UInt64(number + 1), slot: peer.sealer.slot(named: name.text, tag: .zero),
                kind: .segment, keyVersion: peer.sealer.keyVersion)
            let key = HKDF.expand(peer.sealer.current.archive, info: name.bytes)
            let blob = XChaChaPoly.seal(
                payload, associatedData: header.blobAssociatedData, key: key, random: &peer.random)
            blobs.append(blob)
            let reference = BlobReference(
                hash: BlobHash(blob.withUnsafeBytes { Blake2b.hash32($0) }), sizeBytes: blob.count)
            rows.append(
                Record(
                    header: header, blob: reference,
                    sealedMeta: peer.sealer.seal(
                        RecordMeta(type: .segment, fields: meta.encoded), header: header, blob: reference,
                        random: &peer.random),
                    zone: peer.sealer.zone, signedBy: peer.device.signing
                ).encoded)
        }
        try peer.greet(victim, Self.bad, [peer.entry(UInt64(payloads.count))])
        try victim.take(.rows(rows), on: Self.bad)
        var given = 0
        for case .want(let blobClass, let groups) in victim.takeOutbox(Self.bad) {
            for name in groups.flatMap(\.blobs) {
                try victim.take(.blob(blobClass, blobs[Int(name.seq) - 1][...]), on: Self.bad)
                given += 1
            }
        }
        #expect(given == payloads.count)
        // The first one may have been seen already when the chat's index was derived.
        #expect(victim.zone.archive.unreadableSegments >= payloads.count - 1)
        #expect(try victim.zone.chat.stats().messages == 0)
        let honest = try SyncBench(2)
        try honest.accept("still here", seed: 4)
        try victim.meet(honest, Self.good)
        #expect(try victim.zone.chat.stats().messages == 1)
        #expect(honest.store.digest == victim.store.digest)
    }

    /// The peer says anything, in any order, with any numbers.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func babble(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let victim = try SyncBench(1)
        let honest = try SyncBench(2)
        try victim.accept("one", seed: 1)
        var peer = ScriptedPeer(9)
        var number: UInt64 = 100
        for _ in 0..<400 {
            let id = SessionID(number)
            if victim.closed[id] != nil || number == 100 {
                number += 1
                try peer.greet(victim, SessionID(number))
            }
            let messages = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Babble.message(&peer, victim, &random)
            }
            try victim.take(messages, on: SessionID(number))
            try victim.produce(SessionID(number))
            if Int.random(in: 0..<20, using: &random) == 0 { try victim.pass(.seconds(3)) }
            let queued = victim.takeOutbox(SessionID(number)).count
            #expect(queued < 20_000)
        }
        var cursor = ZoneStore.ScrubCursor()
        while try victim.store.scrub(&cursor) {}
        #expect(cursor.report.lanesDiffering == 0)
        #expect(cursor.report.damagedBlobs == 0)
        try honest.accept("two", seed: 2)
        try victim.meet(honest, SessionID(90))
        #expect(try honest.zone.chat.stats().messages == 2)
        #expect(try victim.zone.chat.stats().messages == 2)
    }
}
