import NodeCore
import SyncState
import Testing

@Suite struct RecordTests {
    private var record: Record {
        Record(
            header: RecordHeader(
                lane: LaneID(Bytes32(1, 2, 3, 4)), seq: 7, slot: Slot(Bytes16(5, 6)), kind: .segment, keyVersion: 1),
            blob: BlobReference(hash: BlobHash(Bytes32(9, 9, 9, 9)), sizeBytes: 1_000), sealedMeta: [1, 2, 3])
    }

    @Test func whatIsEncodedIsReadBack() throws {
        let read = try Record(encoded: record.encoded)
        #expect(read.header == record.header)
        #expect(read.blob == record.blob)
        #expect(read.sealedMeta == record.sealedMeta)
        #expect(read.hash == record.hash)
    }

    @Test func everyCutAndEveryTailIsRefused() {
        let bytes = record.encoded
        for count in 0..<bytes.count {
            #expect(throws: RecordError.self) { try Record(encoded: Array(bytes.prefix(count))) }
        }
        #expect(throws: RecordError.self) { try Record(encoded: bytes + [0]) }
    }

    @Test func flippedBitsAreRefusedOrAnotherRecord() {
        let bytes = record.encoded
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                guard let read = try? Record(encoded: flipped) else { continue }
                #expect(read.hash != record.hash)
                // Only the canonical form is read.
                #expect(
                    Record(
                        header: read.header, blob: read.blob, sealedMeta: read.sealedMeta, signature: read.signature
                    ).encoded == flipped)
            }
        }
    }

    @Test func limitsHold() {
        let long = Record(
            header: RecordHeader(
                lane: .zero, seq: 1, slot: .zero, kind: .immutable, keyVersion: 1),
            blob: nil, sealedMeta: [UInt8](repeating: 0, count: 4_096))
        #expect(throws: RecordError.tooLarge(sizeBytes: long.encoded.count)) { try Record(encoded: long.encoded) }
        let never = Record(
            header: RecordHeader(lane: .zero, seq: 0, slot: .zero, kind: .immutable, keyVersion: 1), blob: nil,
            sealedMeta: [])
        #expect(throws: RecordError.malformed) { try Record(encoded: never.encoded) }
    }
}
