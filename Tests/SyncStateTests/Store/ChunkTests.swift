import Chat
import ChatTestKit
import Ledger
import NodeCore
import Testing

@testable import SyncState

/// Fingerprints follow the rows (docs/PROTOCOL.md, §5).
@Suite struct ChunkTests {
    private static let device = DeviceKeys(
        deviceSecret: Secret(bytes: [UInt8](repeating: 9, count: 32)), tag: .zero)
    private static let lane = device.lane

    /// A zone that knows the other device.
    private static func zone(_ number: UInt8) throws -> TestZone {
        let zone = try TestZone(device: number)
        _ = try zone.zone.membership.records.take([TestZone.signer.enter(device).encoded])
        return zone
    }

    /// A record of another device: a fact, or a read marker that replaces an earlier one of its conversation.
    private func record(_ seq: UInt64, _ name: String, isMarker: Bool = false) throws -> Record {
        let sealer = RecordSealer(TestZone.keys)
        let bound = ReadBound(txid: .zero, acceptingDaaScore: seq, timeMilliseconds: 0)
        let marker = ReadMarker(
            conversationID: name, bounds: [bound], readAt: WallTime(milliseconds: 0))
        let fact = OpaqueName(name)
        let meta =
            isMarker
            ? RecordMeta(type: .readMarker, fields: marker.encoded) : RecordMeta(type: .opaque, fields: fact.encoded)
        let header = RecordHeader(
            lane: Self.lane, seq: seq, slot: sealer.slot(named: isMarker ? marker.slotName : fact.slotName, tag: .zero),
            kind: isMarker ? .register : .immutable, keyVersion: sealer.keyVersion)
        var random: any RandomSource = SeededRandom(seed: seq)
        return Record(
            header: header, blob: nil, sealedMeta: sealer.seal(meta, header: header, blob: nil, random: &random),
            zone: sealer.zone, signedBy: Self.device.signing)
    }

    /// The fingerprint of the held rows, computed as the page says.
    private func expected(_ store: ZoneStore) throws -> Fingerprint {
        let rows = try store.records(of: Self.lane).map { (seq: $0.seq, hash: $0.hash) }
        var whole = ByteWriter()
        for number in Set(rows.map { $0.seq >> 10 }).sorted() {
            let hashes = rows.filter { $0.seq >> 10 == number }.sorted { ($0.seq, $0.hash) < ($1.seq, $1.hash) }
            whole.write(u64: number)
            whole.write(Blake2b.hash32(hashes.flatMap { $0.hash.bytes }, domain: "kachat chunk"))
        }
        return Fingerprint(Blake2b.hash16(whole.bytes, domain: "kachat lane"))
    }

    /// Checks the fingerprint after a commit, after a restart and after a rollback.
    private func check(_ zone: TestZone, rows: Int) throws {
        try zone.zone.commit()
        let expected = try expected(zone.store)
        for one in [zone, try zone.reopened()] {
            let lane = try #require(one.store.lane(Self.lane))
            #expect(lane.fingerprint == expected && lane.rows == rows)
            #expect(try Fingerprint(of: one.store.chunks(of: Self.lane, from: 0, through: 1 << 43).chunks) == expected)
        }
    }

    @Test func chunksHaveTheirBorders() throws {
        let zone = try Self.zone(1)
        for seq in [1, 1_023, 1_024, 1_025, 2_047, 2_048, 1 << 40] as [UInt64] {
            try zone.store.put(record(seq, "fact \(seq)"))
        }
        try check(zone, rows: 7)
        let (chunks, through) = try zone.store.chunks(of: Self.lane, from: 0, through: 2_047)
        #expect(chunks.map(\.number) == [0, 1] && chunks.map(\.rows) == [2, 3] && through == 2_047)
        #expect(
            try Fingerprint(of: zone.store.keys(of: Self.lane, from: 0, through: 1_023).keys[...])
                == Fingerprint(of: chunks[..<1]))
    }

    @Test func whatIsSupersededLostOrForkedChangesItsChunk() throws {
        let zone = try Self.zone(1)
        let lost = try record(700, "lost")
        try zone.store.put(record(3, "c", isMarker: true))
        try zone.store.put(lost)
        try zone.store.put(record(900, "stays"))
        try check(zone, rows: 3)
        // The new row is in another chunk than the one it replaces.
        try zone.store.put(record(5_000, "c", isMarker: true))
        try check(zone, rows: 3)
        try zone.store.loseRow(of: lost)
        try check(zone, rows: 2)
        // Both orders of arrival give the same fork.
        let other = try Self.zone(2)
        for (store, names) in [(zone.store, ["one", "two"]), (other.store, ["two", "one"])] {
            for name in names { try store.put(record(800, name)) }
        }
        for record in try zone.store.records(of: Self.lane) { try other.store.put(record) }
        try check(zone, rows: 4)
        try check(other, rows: 4)
        #expect(zone.store.lane(Self.lane)?.fingerprint == other.store.lane(Self.lane)?.fingerprint)
    }

    /// There are more chunks than stay in memory, and rows that come and go within a commit.
    @Test func anyHistoryMakesTheSame() throws {
        var random = SeededRandom(seed: 7)
        var zone = try Self.zone(1)
        var next: UInt64 = 1
        for step in 0..<60 {
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                next += UInt64.random(in: 1...700, using: &random)
                let isMarker = Bool.random(using: &random)
                let row = try record(next, isMarker ? "c\(next % 20)" : "fact \(next)", isMarker: isMarker)
                try zone.store.put(row)
                if Int.random(in: 0..<4, using: &random) == 0 { try zone.store.loseRow(of: row) }
            }
            let held = try zone.store.records(of: Self.lane)
            try zone.store.loseRow(of: held[Int.random(in: 0..<held.count, using: &random)])
            switch step % 5 {
            case 0:
                try zone.zone.rollback()
                try zone.store.put(record(next, "after a rollback \(step)"))
            case 1:
                try zone.zone.commit()
                zone = try zone.reopened()
                try zone.store.put(record(2, "after a restart \(step)"))
            default: break
            }
            try check(zone, rows: zone.store.records(of: Self.lane).count)
        }
    }

    /// With sums mod 2^256, a second set with the fingerprint of a first could be found.
    @Test func setsOfOneSumDiffer() {
        func fingerprint(_ low: [UInt64]) -> Fingerprint {
            Fingerprint(
                of: low.enumerated().map { RowKey(seq: UInt64($0 + 1), hash: RecordHash(Bytes32(0, 0, 0, $1))) }[...])
        }
        #expect(fingerprint([10, 20]) != fingerprint([11, 19]))
        #expect(fingerprint([10, 20]) != fingerprint([20, 10]))
        #expect(fingerprint([10, 20]) == fingerprint([10, 20]))
    }

    /// A damaged row must not be hashed as if it belonged to the lane.
    @Test func aRottenRowIsNotedWithTheNextChangeOfItsChunk() throws {
        let zone = try Self.zone(1)
        for seq in 1...5 as ClosedRange<UInt64> { try zone.store.put(record(seq, "fact \(seq)")) }
        try zone.zone.commit()
        let again = try zone.reopened()
        // This row is well formed, but does not open.
        var bytes = try record(3, "fact 3").encoded
        bytes[bytes.count - 10] ^= 1
        let update = try again.database.prepare("UPDATE record SET rec = ? WHERE rec = ?")
        update.bind(1, bytes)
        update.bind(2, try record(3, "fact 3").encoded)
        try update.run()
        try again.store.put(record(6, "fact 6"))
        try check(again, rows: 5)
        #expect(try again.store.repairs(limit: 9).count == 1)
        try again.store.put(record(3, "fact 3"))
        try check(again, rows: 6)
        #expect(again.store.lane(Self.lane)?.isForked == false)
    }
}
