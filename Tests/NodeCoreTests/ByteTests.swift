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
        writer.write(slot)
        writer.write([5, 6])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.readBytes(3) == [7, 8, 9])
        #expect(try reader.read(Slot.self) == slot)
        #expect(reader.remaining == 2)
        #expect(throws: ByteError.trailingBytes(count: 2)) { try reader.finish() }
        #expect(try reader.readBytes(2) == [5, 6])
        try reader.finish()
    }

    @Test func nothingIsReadBeyondTheEnd() throws {
        for length in 0..<32 {
            var reader = ByteReader([UInt8](repeating: 1, count: length))
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
