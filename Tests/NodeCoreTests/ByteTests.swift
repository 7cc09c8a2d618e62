import NodeCore
import Testing

@Suite struct ByteTests {
    @Test func numbersAreBigEndian() throws {
        var writer = ByteWriter()
        writer.write(u8: 1)
        writer.write(u16: 0x0203)
        writer.write(u32: 0x0405_0607)
        writer.write(u64: 0x0809_0A0B_0C0D_0E0F)
        #expect(writer.bytes == Array(1...15))
        var reader = ByteReader(writer.bytes)
        #expect(try reader.readU8() == 1)
        #expect(try reader.readU16() == 0x0203)
        #expect(try reader.readU32() == 0x0405_0607)
        #expect(try reader.readU64() == 0x0809_0A0B_0C0D_0E0F)
        try reader.finish()
    }

    @Test func bytesAndIdentifiersComeBack() throws {
        let slot = Slot(Bytes16(1, 2))
        var writer = ByteWriter(capacity: 64)
        writer.write([7, 8, 9])
        writer.write([1, 2, 3, 4][1...2])
        writer.write(slot)
        writer.write([5, 6])
        var reader = ByteReader([0xAA] + writer.bytes + [0xBB], range: 1..<(1 + writer.bytes.count))
        #expect(try reader.readBytes(3) == [7, 8, 9])
        #expect(try reader.readRange(2) == 4..<6)
        #expect(try reader.read(Slot.self) == slot)
        #expect(reader.remaining == 2)
        #expect(throws: ByteError.trailingBytes(count: 2)) { try reader.finish() }
        #expect(reader.readRemaining() == [5, 6])
        try reader.finish()
    }

    @Test func nothingIsReadBeyondTheEnd() throws {
        let bytes = [UInt8](repeating: 1, count: 40)
        for length in 0..<32 {
            var reader = ByteReader(bytes, range: 4..<(4 + length))
            if length < 1 { #expect(throws: ByteError.truncated) { try reader.readU8() } }
            if length < 2 { #expect(throws: ByteError.truncated) { try reader.readU16() } }
            if length < 4 { #expect(throws: ByteError.truncated) { try reader.readU32() } }
            if length < 8 { #expect(throws: ByteError.truncated) { try reader.readU64() } }
            if length < 16 { #expect(throws: ByteError.truncated) { try reader.read(Slot.self) } }
            #expect(throws: ByteError.truncated) { try reader.read(TxID.self) }
            #expect(throws: ByteError.truncated) { try reader.readBytes(length + 1) }
            #expect(throws: ByteError.truncated) { try reader.readBytes(-1) }
            #expect(throws: ByteError.truncated) { try reader.readBytes(.max) }
            #expect(reader.remaining == length, "a refused read moves nothing")
        }
    }

    @Test func varintsTakeTheirShortestForm() throws {
        let known: [(UInt64, [UInt8])] = [
            (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
            (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ]
        for (value, bytes) in known {
            var writer = ByteWriter()
            writer.writeVarint(value)
            #expect(writer.bytes == bytes)
        }
        var random = SeededRandom(seed: 2)
        for _ in 0..<2_000 {
            let value = random.next() >> UInt64.random(in: 0..<64, using: &random)
            var writer = ByteWriter()
            writer.writeVarint(value)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.readVarint() == value)
            try reader.finish()
            var cut = ByteReader(Array(writer.bytes.dropLast()))
            #expect(throws: ByteError.truncated) { try cut.readVarint() }
        }
    }

    @Test(arguments: [
        [0x80, 0], [0xFF, 0x80, 0], [UInt8](repeating: 0xFF, count: 9) + [2],
        [UInt8](repeating: 0x80, count: 10) + [1], [UInt8](repeating: 0xFF, count: 11),
    ])
    func malformedVarintsAreRefused(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        #expect(throws: ByteError.malformedNumber) { try reader.readVarint() }
    }

    @Test func hexadecimalComesBack() throws {
        let all = [UInt8](0...255)
        let text = Hex.encode(all)
        #expect(text.hasPrefix("000102"))
        #expect(text.hasSuffix("fdfeff"))
        #expect(Hex.decode(text) == all)
        #expect(Hex.decode(text.uppercased()) == all)
        #expect(Hex.decode("") == [])
        for wrong in ["0", "0g", "g0", "/0", ":0", "@0", "`0", "0x00", " 00", "0٠"] {
            #expect(Hex.decode(wrong) == nil, "\(wrong)")
        }
    }
}
