import NodeCore
import Testing

@Suite struct IdentifierTests {
    @Test func orderIsThatOfTheBytes() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5_000 {
            var left = random.bytes(32)
            // The values are mostly equal, so that the difference falls on every byte.
            var right = left
            let place = Int.random(in: 0..<32, using: &random)
            right[place] = UInt8.random(in: 0...255, using: &random)
            left[31] = UInt8.random(in: 0...255, using: &random)
            expectOrder(ZoneID.self, left, right)
            expectOrder(Slot.self, Array(left[..<16]), Array(right[..<16]))
            expectOrder(Bytes32.self, left, random.bytes(32))
        }
    }

    private func expectOrder<ID: Identifier>(_ type: ID.Type, _ left: [UInt8], _ right: [UInt8]) {
        guard let a = ID(bytes: left), let b = ID(bytes: right) else {
            Issue.record("\(type) refuses its own size")
            return
        }
        #expect((a < b) == left.lexicographicallyPrecedes(right))
        #expect((a == b) == (left == right))
        #expect((a.hashValue == b.hashValue) || left != right)
        #expect(a.bytes == left)
    }

    @Test func textAndBytesComeBack() throws {
        let text = "000102030405060708090a0b0c0d0e0ff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
        let lane = try #require(LaneID(hex: text.uppercased()))
        #expect(lane.hex == text)
        #expect(lane.description == text)
        #expect(lane.shortHex == "00010203")
        #expect(lane.bytes == (try hex(text)))
        #expect(lane.storage.w0 == 0x0001_0203_0405_0607)
        #expect(LaneID(bytes: lane.bytes[...]) == lane)
        #expect(LaneID(bytes: lane.bytes.reversed() as ReversedCollection) != lane)
        #expect(LaneID(bytes: lane.bytes.lazy.map { $0 }) == lane)
        let slot = try #require(Slot(hex: String(text.prefix(32))))
        #expect(slot.bytes == Array(0...15))
    }

    @Test func otherSizesAreRefused() {
        for count in [0, 1, 15, 17, 31, 33, 64] {
            #expect(TxID(bytes: [UInt8](repeating: 1, count: count)) == nil)
            #expect(InstanceID(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
        #expect(InstanceID(bytes: [UInt8](repeating: 1, count: 32)) == nil)
        #expect(TxID(hex: "00") == nil)
        #expect(TxID(hex: String(repeating: "0g", count: 32)) == nil)
        #expect(Bytes16(hex: String(repeating: "0", count: 31)) == nil)
    }

    @Test func zeroIsTheLeast() {
        #expect(BlobHash.zero.bytes == [UInt8](repeating: 0, count: 32))
        #expect(BlobHash.zero < BlobHash(Bytes32(0, 0, 0, 1)))
        #expect(Fingerprint.zero == Fingerprint(Bytes16.zero))
    }
}
