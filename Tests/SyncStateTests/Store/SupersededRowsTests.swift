import NodeCore
import Testing

@testable import SyncState

@Suite struct SupersededRowsTests {
    private static let own = 0
    /// The size at which eight fill a share.
    private static let sizeBytes = Limits.blobSizeBytes
    private static let share = Limits.asideSizeBytes / sizeBytes

    private let database: Database
    private let kept: SupersededRows

    init() throws {
        database = try Database(path: ":memory:")
        try database.migrate("zone", ZoneSchema.migrations)
        kept = try SupersededRows(database)
        try kept.load()
    }

    private func add(_ seqs: ClosedRange<UInt64>, of lane: Int) throws {
        for seq in seqs {
            let header = RecordHeader(
                lane: LaneID(Bytes32(UInt64(lane), 0, 0, 0)), seq: seq, slot: .zero, kind: .segment, keyVersion: 1)
            let blob = BlobReference(hash: .zero, sizeBytes: Self.sizeBytes)
            try kept.add(
                Record(header: header, blob: blob, sealedMeta: []), row: RowID(lane: lane, seq: seq),
                at: WallTime(milliseconds: 0), blob: Int64(lane) * 1_000 + Int64(seq), .forAWhile, since: .zero)
        }
        try kept.keepShares(own: Self.own)
    }

    private func seqs(of lane: Int) throws -> [UInt64] {
        try (1...1_000).filter { try !kept.rows(lane: lane, seq: $0).isEmpty }
    }

    /// The flooding lane loses its own oldest rows, and never those of this device.
    @Test func whatOthersReplaceTakesAShare() throws {
        let share = UInt64(Self.share)
        try add(1...share - 1, of: Self.own)
        try add(1...3, of: 1)
        try add(1...2 * share, of: 2)
        #expect(try seqs(of: Self.own) == Array(1...share - 1))
        #expect(try seqs(of: 1) == [1, 2, 3])
        let left = try seqs(of: 2)
        #expect(left.last == 2 * share && left == Array(2 * share - UInt64(left.count) + 1...2 * share))
        #expect(left.count + 3 == Self.share - 1)
        // The same holds after a start.
        try kept.load()
        try add(4...4, of: 1)
        #expect(try seqs(of: 1) == [1, 2, 3, 4])
        #expect(try seqs(of: 2).count == left.count - 1)
        try add(share...2 * share, of: Self.own)
        #expect(try seqs(of: Self.own).first == share + 2)
        #expect(try seqs(of: 1) == [1, 2, 3, 4])
    }

    /// Otherwise a removed member's rows would keep filling a small store.
    @Test func ofASmallStoreTheyTakeAnEighth() throws {
        try database.setMost(bytes: 8 * 3 * Self.sizeBytes)
        try add(1...9, of: Self.own)
        try add(1...9, of: 1)
        #expect(try seqs(of: Self.own) == [8, 9])
        #expect(try seqs(of: 1) == [8, 9])
    }
}
