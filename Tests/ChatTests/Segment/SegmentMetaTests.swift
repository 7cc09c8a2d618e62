import Chat
import NodeCore
import SyncState
import Testing

@Suite struct SegmentMetaTests {
    private let meta = SegmentMeta(
        name: SegmentName(conversationID: "bob", dayBucket: 3, writer: LaneID(Bytes32(1, 2, 3, 4)), sequence: 0),
        startTimestamp: 5, endTimestamp: 9, messageCount: 2, byteCount: 300, payloadVersion: 1,
        prefixes: [1, 2, 3, 4, 5, 6, 7, 8])

    @Test func itTellsWhatItMayHold() {
        #expect(meta.mayHold(TxID(Bytes32(0x0506_0708_ffff_ffff, 0, 0, 0))))
        #expect(!meta.mayHold(TxID(Bytes32(0x0203_0405_ffff_ffff, 0, 0, 0))))
    }

    @Test func hostileBytesNeverTrap() throws {
        var random = SeededRandom(seed: 6)
        let encoded = meta.encoded
        #expect(try SegmentMeta(decoding: encoded) == meta)
        for length in 0..<encoded.count {
            #expect(throws: SegmentError.badMeta) { try SegmentMeta(decoding: Array(encoded[..<length])) }
        }
        #expect(throws: SegmentError.badMeta) { try SegmentMeta(decoding: encoded + [0]) }
        for _ in 0..<20_000 {
            var changed = encoded
            changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? SegmentMeta(decoding: changed)
            _ = try? SegmentMeta(decoding: random.bytes(Int.random(in: 0...80, using: &random)))
        }
        // Fewer prefixes than messages.
        var short = meta
        short.prefixes = [1, 2, 3, 4]
        #expect(throws: SegmentError.badMeta) { try SegmentMeta(decoding: short.encoded) }
    }
}
