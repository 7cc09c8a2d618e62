import NodeCore
import Testing

@Suite struct CBORTests {
    private struct Example: Decodable {
        let hex: String
    }

    /// The part of RFC 8949's Appendix A that belongs to our subset. The rest must be refused: floats, tags, indefinite
    /// lengths, undefined and other simple values (f818 is not even well-formed since RFC 8949), numbers beyond Int64
    /// and UInt64, and maps with text keys.
    private static let ours: Set<String> = [
        "00", "01", "0a", "17", "1818", "1819", "1864", "1903e8", "1a000f4240", "1b000000e8d4a51000",
        "1bffffffffffffffff", "20", "29", "3863", "3903e7", "f4", "f5", "f6", "40", "4401020304", "60", "6161",
        "6449455446", "62225c", "62c3bc", "63e6b0b4", "64f0908591", "80", "83010203", "8301820203820405",
        "98190102030405060708090a0b0c0d0e0f101112131415161718181819", "a0", "a201020304",
    ]

    @Test func appendixA() throws {
        let examples: [Example] = try VectorFile.json("cbor/appendix_a.json")
        #expect(examples.count == 82)
        var taken: Set<String> = []
        for example in examples {
            let bytes = try hex(example.hex)
            var reader = CBORReader(bytes)
            if Self.ours.contains(example.hex) {
                taken.insert(example.hex)
                #expect(try CBORItem.decode(bytes).encoded == bytes, "\(example.hex)")
                #expect(try reader.skip() == 0..<bytes.count, "\(example.hex)")
            } else {
                #expect(throws: CBORError.self, "\(example.hex)") { try CBORItem.decode(bytes) }
                #expect(throws: CBORError.self, "\(example.hex)") { try reader.skip() }
            }
        }
        #expect(taken == Self.ours)
    }

    @Test func primitives() throws {
        var writer = CBORWriter()
        writer.writeMap(7)
        writer.write(0)
        writer.write(UInt64.max)
        writer.write(1)
        writer.write(Int64.min)
        writer.write(2)
        writer.write(TxID(Bytes32(1, 2, 3, 4)))
        writer.write(3)
        writer.write(text: "ü")
        writer.write(4)
        writer.writeNull()
        writer.write(5)
        writer.write(true)
        writer.write(6)
        writer.raw([0x82, 0x41, 0x09, 0x20])
        var reader = CBORReader([0xFF] + writer.bytes + [0xFF], range: 1..<(1 + writer.bytes.count))
        #expect(try reader.readMap(max: 7) == 7)
        #expect(try reader.readKey(after: nil) == 0)
        #expect(try reader.readUInt() == .max)
        #expect(try reader.readKey(after: 0) == 1)
        #expect(try reader.readInt() == .min)
        #expect(try reader.readKey(after: 1) == 2)
        #expect(try reader.read(TxID.self) == TxID(Bytes32(1, 2, 3, 4)))
        #expect(try reader.readKey(after: 2) == 3)
        #expect(try reader.readText(max: 2) == "ü")
        #expect(try reader.readKey(after: 3) == 4)
        #expect(try reader.readNullIfPresent())
        #expect(try reader.readKey(after: 4) == 5)
        #expect(try !reader.readNullIfPresent())
        #expect(try reader.readBool())
        #expect(try reader.readKey(after: 5) == 6)
        let item = try reader.skip()
        #expect(reader.copy(item) == [0x82, 0x41, 0x09, 0x20])
        try reader.finish()
    }

    @Test func everythingWrittenComesBack() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let item = CBORItem.random(&random)
            let bytes = item.encoded
            #expect(try CBORItem.decode(bytes).encoded == bytes)
            var reader = CBORReader(bytes)
            #expect(try reader.skip() == 0..<bytes.count)
            // A truncated item is no item, and the reader says so whichever way it reads.
            let cut = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            #expect(throws: CBORError.self) { try CBORItem.decode(cut) }
            var cutReader = CBORReader(cut)
            #expect(throws: CBORError.self) { try cutReader.skip() }
            #expect(cutReader.position == 0)
        }
    }

    @Test func numbersTakeTheirShortestForm() throws {
        let known: [(UInt64, String)] = [
            (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65_535, "19ffff"), (65_536, "1a00010000"),
            (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"), (.max, "1bffffffffffffffff"),
        ]
        for (value, text) in known {
            var writer = CBORWriter()
            writer.write(value)
            #expect(writer.bytes == (try hex(text)))
        }
    }

    @Test func longerFormsAreRefused() throws {
        var refused = 0
        for type in UInt8(0)...5 {
            for (code, size) in [(UInt8(24), 1), (25, 2), (26, 4), (27, 8)] {
                let least: UInt64 = size == 1 ? 24 : 1 << UInt64(4 * size)
                for value in [0, 1, least / 2, least - 1] {
                    var bytes = [type << 5 | code]
                    bytes += (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
                    // Enough bytes follow for any length that small, at least for the short ones.
                    bytes += [UInt8](repeating: 0, count: 600)
                    var reader = CBORReader(bytes)
                    #expect(throws: CBORError.notShortest(at: 0)) { try reader.skip() }
                    refused += 1
                }
            }
        }
        #expect(refused == 96)
    }

    @Test func lengthsThatLieTakeNoMemory() throws {
        for type in UInt8(2)...5 {
            for length in [2, 3, 1_000, UInt64(Int.max), UInt64(Int.max) + 1, .max] {
                var writer = CBORWriter()
                writer.writeHead(type << 5, length)
                writer.bytes.append(0)
                var reader = CBORReader(writer.bytes)
                let truncated = CBORError.truncated(at: 0)
                switch type {
                case 2:
                    #expect(throws: truncated) { try reader.readBytes(max: .max) }
                    #expect(throws: truncated) { try reader.readRange(max: .max) }
                    #expect(throws: truncated) { try reader.read(Slot.self) }
                case 3: #expect(throws: truncated) { try reader.readText(max: .max) }
                case 4: #expect(throws: truncated) { try reader.readArray(max: .max) }
                default: #expect(throws: truncated) { try reader.readMap(max: .max) }
                }
                #expect(throws: truncated) { try reader.skip() }
            }
        }
    }

    @Test func callersLimitsHold() throws {
        var bytes = CBORReader([0x43, 1, 2, 3])
        #expect(throws: CBORError.wrongSize(at: 0)) { try bytes.readBytes(max: 2) }
        #expect(throws: CBORError.wrongSize(at: 0)) { try bytes.readRange(max: 2) }
        #expect(try bytes.readBytes(max: 3) == [1, 2, 3])
        var text = CBORReader([0x62, 0x61, 0x62])
        #expect(throws: CBORError.wrongSize(at: 0)) { try text.readText(max: 1) }
        var array = CBORReader([0x82, 0, 0])
        #expect(throws: CBORError.wrongSize(at: 0)) { try array.readArray(max: 1) }
        var map = CBORReader([0xA1, 0, 0])
        #expect(throws: CBORError.wrongSize(at: 0)) { try map.readMap(max: 0) }
        for size in [15, 17] {
            var writer = CBORWriter()
            writer.write(bytes: [UInt8](repeating: 0, count: size))
            var reader = CBORReader(writer.bytes)
            #expect(throws: CBORError.wrongSize(at: 0)) { try reader.read(Slot.self) }
        }
    }

    @Test func otherTypesAreRefusedAndNothingMoves() throws {
        let items: [[UInt8]] = [[0x00], [0x20], [0x40], [0x60], [0x80], [0xA0], [0xF4], [0xF6]]
        for (index, item) in items.enumerated() {
            var reader = CBORReader(item)
            let wrong = CBORError.unexpectedType(at: 0)
            if index != 0 { #expect(throws: wrong) { try reader.readUInt() } }
            if index != 0 { #expect(throws: wrong) { try reader.readKey(after: nil) } }
            if index > 1 { #expect(throws: wrong) { try reader.readInt() } }
            if index != 2 { #expect(throws: wrong) { try reader.readBytes(max: 9) } }
            if index != 2 { #expect(throws: wrong) { try reader.read(TxID.self) } }
            if index != 3 { #expect(throws: wrong) { try reader.readText(max: 9) } }
            if index != 4 { #expect(throws: wrong) { try reader.readArray(max: 9) } }
            if index != 5 { #expect(throws: wrong) { try reader.readMap(max: 9) } }
            if index != 6 { #expect(throws: wrong) { try reader.readBool() } }
            #expect(reader.position == 0)
            #expect(try reader.skip() == 0..<1)
        }
    }

    @Test func keysAscend() throws {
        for bytes: [UInt8] in [[0xA2, 1, 0, 1, 0], [0xA2, 2, 0, 1, 0]] {
            #expect(throws: CBORError.keyOrder(at: 3)) { try CBORItem.decode(bytes) }
            var reader = CBORReader(bytes)
            #expect(throws: CBORError.keyOrder(at: 3)) { try reader.skip() }
        }
        #expect(try CBORItem.decode([0xA2, 1, 0, 2, 0]).encoded == [0xA2, 1, 0, 2, 0])
    }

    @Test func depthIsBounded() throws {
        for opener: [UInt8] in [[0x81], [0xA1, 0x00]] {
            let deepest = Array(repeatElement(opener, count: 8).joined()) + [0]
            var reader = CBORReader(deepest)
            #expect(try reader.skip() == 0..<deepest.count)
            var tooDeep = CBORReader(opener + deepest)
            #expect(throws: CBORError.tooDeep(at: 8 * opener.count)) { try tooDeep.skip() }
        }
    }

    @Test(arguments: ["61ff", "62c080", "63eda080", "62c3", "64f4908080"])
    func textIsUTF8(_ text: String) throws {
        let bytes = try hex(text) + [UInt8](repeating: 0, count: 4)
        var reader = CBORReader(bytes)
        #expect(throws: CBORError.invalidText(at: 0)) { try reader.readText(max: .max) }
        #expect(throws: CBORError.invalidText(at: 0)) { try reader.skip() }
    }

    @Test func bytesLeftOverAreRefused() {
        #expect(throws: CBORError.trailingBytes(at: 1)) { try CBORItem.decode([0, 0]) }
        #expect(throws: CBORError.truncated(at: 0)) { try CBORItem.decode([]) }
    }

    /// Random bytes never trap, both ways of reading agree, and accepted items have only one encoding.
    @Test func randomBytesNeverTrap() throws {
        var random = SeededRandom(seed: 4)
        var taken = 0
        for round in 0..<30_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = random.bytes(Int.random(in: 0...40, using: &random))
            } else {
                bytes = CBORItem.random(&random, depth: 3).encoded
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            var reader = CBORReader(bytes)
            let place = try? reader.skip()
            var treeReader = CBORReader(bytes)
            let item = try? CBORItem.read(from: &treeReader)
            #expect((place != nil) == (item != nil), "\(Hex.encode(bytes))")
            guard let item, let place else { continue }
            taken += 1
            #expect(item.encoded == reader.copy(place), "\(Hex.encode(bytes))")
        }
        #expect(taken > 1_000)
    }
}
