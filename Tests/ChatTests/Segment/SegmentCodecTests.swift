import ChatTestKit
import NodeCore
import Testing

@testable import Chat

@Suite struct SegmentCodecTests {
    private static let archiveKey = Secret(bytes: [UInt8](repeating: 9, count: 32))
    private static let name = SegmentName(
        conversationID: "a.b.c", dayBucket: 19_675, writer: ChatFixture.lane, sequence: 3)

    private static func messages(_ random: inout SeededRandom, _ count: Int) -> [ChatMessage] {
        (0..<count).map { number in
            var message = ChatMessage.sample(
                random.next(), conversation: "a.b.c", direction: Bool.random(using: &random) ? .sent : .received,
                timestamp: UInt64.random(in: 0...Limits.timestampSeconds, using: &random),
                score: Bool.random(using: &random)
                    ? UInt64.random(in: 0...Limits.acceptingDaaScore, using: &random) : nil,
                blockTime: Bool.random(using: &random)
                    ? UInt64.random(in: 0...Limits.timeMilliseconds, using: &random) : nil,
                body: number % 5 == 0 ? "" : String(repeating: "wörd🐕 ", count: Int.random(in: 1...40, using: &random)))
            message.contact = ["ann", "bob", "e\u{301}", "\u{e9}", ""].randomElement(using: &random) ?? ""
            message.status = MessageStatus.allCases.randomElement(using: &random) ?? .pending
            for _ in 0..<[0, 0, 1, 16][Int.random(in: 0..<4, using: &random)] {
                message.attachments.append(
                    ChatAttachment(
                        link: Bool.random(using: &random) ? "https://example.org/x" : nil, mimeType: "image/png",
                        sizeBytes: random.next() >> 11, durationMilliseconds: Bool.random(using: &random) ? 5 : nil,
                        width: Bool.random(using: &random) ? 640 : nil, height: Bool.random(using: &random) ? 0 : nil,
                        inline: Bool.random(using: &random)
                            ? random.bytes(Int.random(in: 0...300, using: &random)) : nil))
            }
            return message
        }
    }

    private static func sealed(_ draft: SegmentDraft, _ header: [UInt8] = [1, 2]) -> [UInt8] {
        var random: any RandomSource = SeededRandom(seed: 8)
        return SegmentCodec.seal(draft, header: header, archiveKey: archiveKey, random: &random)
    }

    private static func open(
        _ blob: [UInt8], name: SegmentName = name, header: [UInt8] = [1, 2], key: Secret = archiveKey
    ) throws -> [ChatMessage] {
        try blob.withUnsafeBytes { blob in
            try SegmentCodec().messages(
                of: SealedSegment(name: name, header: header, archiveKey: key, ciphertext: blob))
        }
    }

    @Test(arguments: 0..<20) func messagesComeBackAsTheyWent(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let messages = Self.messages(&random, Int.random(in: 1...40, using: &random))
        let draft = try SegmentCodec().draft(messages, name: Self.name)
        let sorted = messages.sorted { ($0.order, $0.txid) < ($1.order, $1.txid) }
        let opened = try Self.open(Self.sealed(draft))
        #expect(opened == sorted)
        // Strings that only look the same are kept distinct.
        #expect(opened.map { Array($0.contact.utf8) } == sorted.map { Array($0.contact.utf8) })
        #expect(draft.meta.messageCount == messages.count)
        #expect(draft.meta.startTimestamp == messages.map(\.senderTimestamp).min())
        #expect(draft.meta.endTimestamp == messages.map(\.senderTimestamp).max())
        #expect(messages.allSatisfy { draft.meta.mayHold($0.txid) })
        #expect(try SegmentMeta(decoding: draft.meta.encoded) == draft.meta)
    }

    @Test func theSealBindsKeyNameAndHeader() throws {
        var random = SeededRandom(seed: 1)
        let blob = Self.sealed(try SegmentCodec().draft(Self.messages(&random, 3), name: Self.name))
        let otherName = SegmentName(conversationID: "a.b.c", dayBucket: 1, writer: ChatFixture.lane, sequence: 3)
        #expect(throws: SegmentError.notAuthentic) { try Self.open(blob, name: otherName) }
        #expect(throws: SegmentError.notAuthentic) { try Self.open(blob, header: [1]) }
        #expect(throws: SegmentError.notAuthentic) {
            try Self.open(blob, key: Secret(bytes: [UInt8](repeating: 1, count: 32)))
        }
        #expect(throws: SegmentError.notAuthentic) { try Self.open(Array(blob.dropLast())) }
        #expect(throws: SegmentError.badName) { try SegmentName(bytes: Array("seg.x".utf8)) }
    }

    @Test func aBombIsRefusedBeforeItIsUnpacked() throws {
        let compressor = PayloadCompressor()
        var bomb = try compressor.compress([UInt8](repeating: 0, count: Chat.Limits.payloadBytes))
        #expect(throws: SegmentError.tooLarge(UInt64(Chat.Limits.payloadBytes + 1))) {
            try compressor.compress([UInt8](repeating: 0, count: Chat.Limits.payloadBytes + 1))
        }
        func decompress() throws -> Int {
            try bomb.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
                try compressor.decompress(bytes) { $0.count }
            }
        }
        #expect(try decompress() == Chat.Limits.payloadBytes)
        // It declares less than it has, and gets no more room than it declared.
        bomb.replaceSubrange(1..<5, with: [0, 0, 0, 100])
        #expect(throws: SegmentError.badCompression) { try decompress() }
        bomb.replaceSubrange(1..<5, with: [0, 7, 255, 255])
        #expect(throws: SegmentError.badCompression) { try decompress() }
        // It declares more than the limit.
        bomb.replaceSubrange(1..<5, with: [0, 8, 0, 1])
        #expect(throws: SegmentError.tooLarge(524_289)) { try decompress() }
        bomb.replaceSubrange(1..<5, with: [255, 255, 255, 255])
        #expect(throws: SegmentError.tooLarge(0xffff_ffff)) { try decompress() }
        bomb[0] = 2
        #expect(throws: SegmentError.unknownVersion(2)) { try decompress() }
    }

    @Test func hostilePayloadsNeverTrap() throws {
        var random = SeededRandom(seed: 3)
        let payload = PayloadWriter.payload(of: Self.messages(&random, 6))
        func scan(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                (try? SegmentCodec.messages(in: bytes, conversationID: "c")) != nil
            }
        }
        #expect(scan(payload))
        for length in 0..<payload.count { #expect(!scan(Array(payload[..<length]))) }
        #expect(!scan(payload + [0]))
        for _ in 0..<20_000 {
            var changed = payload
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = scan(changed)
        }
        for _ in 0..<20_000 { _ = scan([0x83, 0x01] + random.bytes(Int.random(in: 0...60, using: &random))) }
        #expect(!scan([]))
    }

    @Test func hostileCompressionNeverTraps() throws {
        var random = SeededRandom(seed: 4)
        let codec = SegmentCodec()
        let compressed = try codec.draft(Self.messages(&random, 6), name: Self.name).compressed
        for _ in 0..<5_000 {
            var changed = compressed
            changed[Int.random(in: 0..<changed.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0...changed.count, using: &random)) }
            _ = try? changed.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
                try codec.compressor.decompress(bytes) { (payload) throws(SegmentError) in
                    try SegmentCodec.messages(in: payload, conversationID: "c").count
                }
            }
        }
    }

    @Test func theGrammarIsStrict() throws {
        let txid = [UInt8](repeating: 7, count: 32)
        func payload(_ message: [UInt8], contacts: [UInt8] = [0x81, 0x61, 0x61]) -> [UInt8] {
            [0x83, 0x01] + contacts + [0x81] + message
        }
        func scan(_ bytes: [UInt8]) throws -> Int {
            try bytes.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
                try SegmentCodec.messages(in: bytes, conversationID: "c").count
            }
        }
        let head: [UInt8] = [0x00, 0x58, 0x20] + txid + [0x01, 0x00, 0x02, 0x01, 0x03, 0x05]
        #expect(try scan(payload([0xa4] + head)) == 1)
        #expect(try scan(payload([0xa5] + head + [0x06, 0x61, 0x78])) == 1)
        // A key out of order, repeated or unknown; an empty body; flags beyond three bits; a missing contact.
        #expect(throws: SegmentError.self) { try scan(payload([0xa6] + head + [0x06, 0x61, 0x78, 0x05, 0x01])) }
        #expect(throws: SegmentError.self) { try scan(payload([0xa6] + head + [0x06, 0x61, 0x78, 0x06, 0x61, 0x78])) }
        #expect(throws: SegmentError.self) { try scan(payload([0xa5] + head + [0x08, 0x01])) }
        #expect(throws: SegmentError.self) { try scan(payload([0xa5] + head + [0x06, 0x60])) }
        #expect(throws: SegmentError.self) { try scan(payload([0xa4] + head, contacts: [0x80])) }
        // A number that is not in its shortest form.
        #expect(throws: SegmentError.self) {
            try scan(payload([0xa4] + head.dropLast() + [0x18, 0x05]))
        }
        #expect(throws: SegmentError.unknownVersion(3)) { try scan([0x83, 0x03, 0x80, 0x80]) }
        #expect(throws: SegmentError.self) { try scan([0x83, 0x01, 0x80, 0x80]) }
    }
}
