import Chat
import LeaderboardShare
import NodeCore
import NodeModel
import SyncState
import Testing

@testable import Commands
@testable import Node

@Suite struct NewMessageTests {
    static let txid = String(repeating: "0a", count: 32)

    private func line(_ changes: [String: JSONValue?] = [:]) -> [UInt8] {
        var fields: [String: JSONValue] = [
            "txid": .string(Self.txid), "conversationId": .string("c"), "contact": .string("bob"),
            "direction": .string("received"), "senderTs": .int(1_103_966_040), "body": .string("hi"),
        ]
        for (key, value) in changes { fields[key] = value }
        return JSONValue.object(fields).encoded
    }

    private func reason(_ changes: [String: JSONValue?]) -> String {
        do {
            _ = try ChatMessage(try NewMessage(json: line(changes)))
            return ""
        } catch {
            return error.description
        }
    }

    @Test func aLineAsTheChatAppWritesIt() throws {
        let text = """
            {"txid": "c1ef6409c3df783a74120f8378550c318edb2889e924dd2388b14f06d8a61e3a", "conversationId": "kleedrac", \
            "contact": "kleedrac", "direction": "sent", "senderTs": 1103966040, "blockTime": 1103966040000, \
            "acceptingDaaScore": 4611686018427387903, "body": "kleedrac: ✓", "device": "phone", "more": [1]}
            """
        let message = try NewMessage(json: Array(text.utf8))
        #expect(message.txid.hasPrefix("c1ef6409"))
        #expect(message.direction == .sent)
        #expect(message.blockTime == 1_103_966_040_000)
        #expect(message.acceptingDaaScore == 4_611_686_018_427_387_903)
        #expect(message.body == "kleedrac: ✓")
        #expect(message.device == "phone")
        #expect(try NewMessage(json: message.json.encoded) == message)
    }

    @Test func whatIsOptionalMayBeAbsentOrNull() throws {
        let message = try NewMessage(json: line(["blockTime": .null, "body": .string("")]))
        #expect(message.blockTime == nil && message.acceptingDaaScore == nil && message.status == nil)
        #expect(message.attachments.isEmpty)
    }

    @Test func reasonsNameTheField() {
        #expect(reason(["txid": .string("0a")]) == "`txid` must have 64 hexadecimal digits, not 2 characters")
        let noDigits = String(repeating: "zz", count: 32)
        #expect(reason(["txid": .string(noDigits)]) == "`txid` must have 64 hexadecimal digits, not other characters")
        #expect(reason(["body": .int(1)]) == "`body` must be a text of at most 65536 bytes")
        #expect(reason(["contact": .null]) == "lacks `contact`")
        #expect(
            reason(["conversationId": .string("")])
                == "`conversationId` must be a text of 1 to 256 bytes, without U+0000")
        #expect(
            reason(["conversationId": .string("a\0b")])
                == "`conversationId` must be a text of 1 to 256 bytes, without U+0000")
        #expect(reason(["direction": .string("up")]).contains("`direction` must be `sent` or `received`"))
        #expect(
            reason(["blockTime": .int(-5)]) == "`blockTime` must be a whole number from 0 to 281474976710655, not -5")
        #expect(reason(["blockTime": .int(1 << 48)]).hasSuffix("from 0 to 281474976710655, not 281474976710656"))
        #expect(reason(["senderOrder": .int(1000)]) == "`senderOrder` must be a whole number from 0 to 999, not 1000")
        #expect(reason(["senderTs": .string("1")]).contains("must be a whole number"))
        #expect(reason(["senderTs": .double(1.5)]).contains("must be a whole number"))
        #expect(reason(["acceptingDaaScore": .double(0x1p63)]).contains("must be a whole number"))
        #expect(reason(["status": .string("lost")]).contains("`status` must be"))
        let long = JSONValue.string(String(repeating: "x", count: (64 << 10) + 1))
        #expect(reason(["body": long]) == "`body` must be a text of at most 65536 bytes, not 65537")
        #expect(reason(["conversationId": long]).contains("of 1 to 256 bytes, without U+0000, not 65537"))
        #expect(reason(["attachments": .int(1)]).contains("must be a list"))
    }

    @Test(
        arguments: [
            ("", "is not a JSON object: it ends too early, at column 1"), ("7", "is not a JSON object"),
            ("\"a\"", "is not a JSON object"),
            ("x", "is not a JSON object: unexpected `x` at column 1"),
            ("{", "is not a JSON object: it ends too early, at column 2"),
            ("{}{}", "is not a JSON object: unexpected `{` at column 3"),
            ("[]", "is a JSON array: put each object on its own line"),
            (
                "[",
                "is not a JSON object: it ends too early, at column 2; it begins an array: put each object on "
                    + "its own line"
            ),
        ]) func whatIsNoObject(text: String, reason: String)
    {
        #expect(throws: FieldError("", reason)) { try NewMessage(json: Array(text.utf8)) }
    }

    @Test func aTimeInMillisecondsIsSaidToBeOne() throws {
        let reason =
            "must be a whole number of seconds since 1970, from 0 to 281474976710, not 1790000000000, which looks like "
            + "milliseconds"
        #expect(throws: FieldError("senderTs", reason)) {
            try NewMessage(json: line(["senderTs": .int(1_790_000_000_000)]))
        }
    }

    @Test func attachmentsAreLinksOrSmallBytes() throws {
        let link = JSONValue.object([
            "link": .string("ipfs://x"), "mimeType": .string("image/png"), "sizeBytes": .int(9),
        ])
        let small = JSONValue.object(["mimeType": .string("audio/ogg"), "inline": .string("AAEC"), "duration": .int(7)])
        let message = try NewMessage(json: line(["attachments": .array([link, small])]))
        #expect(message.attachments.count == 2)
        #expect(message.attachments[1].inline == "AAEC")
        #expect(try ChatMessage(message).attachments.map(\.sizeBytes) == [9, 3])
        #expect(try NewMessage(json: message.json.encoded) == message)
        let large = JSONValue.string(String(repeating: "AAAA", count: 4097))
        #expect(
            reason(["attachments": .array([.object(["mimeType": .string("a"), "inline": large])])])
                == "`attachments[0].inline` must be at most 12288 bytes in base64, not 12291")
        let huge = JSONValue.string(String(repeating: "AAAA", count: 100_000))
        #expect(
            reason(["attachments": .array([.object(["mimeType": .string("a"), "inline": huge])])])
                == "`attachments[0].inline` must be at most 12288 bytes in base64, not 300000")
        #expect(reason(["attachments": .array([.object(["mimeType": .string("a")])])]).contains("must have `link`"))
        #expect(
            reason(["attachments": .array(Array(repeating: link, count: 17))])
                == "`attachments` must be a list of at most 16, not of 17")
        func picture(_ name: String, _ value: JSONValue) -> JSONValue {
            .array([link, .object(["link": "l", "mimeType": "a", name: value])])
        }
        #expect(
            reason(["attachments": picture("width", .int(1 << 53))])
                == "`attachments[1].width` must be a whole number from 0 to 9007199254740991, not 9007199254740992")
        let full = JSONValue.object([
            "mimeType": "a", "inline": .string(String(repeating: "AAAA", count: 4096)),
        ])
        #expect(
            reason(["attachments": .array(Array(repeating: full, count: 6))])
                == "`attachments` must have at most 65536 bytes inline together, not 73728")
    }

    /// The store has 0 for a missing size.
    @Test func aLinkWithoutASizeHasNone() throws {
        func size(_ fields: [String: JSONValue]) throws -> Int? {
            let given = JSONValue.object(fields.merging(["mimeType": "b"]) { $1 })
            let message = try ChatMessage(NewMessage(json: line(["attachments": .array([given])])))
            let written = NewMessage(message)
            #expect(try ChatMessage(written) == message)
            return written.attachments[0].sizeBytes
        }
        #expect(try size(["link": "l"]) == nil)
        #expect(try size(["link": "l", "sizeBytes": 7]) == 7)
        #expect(try size(["inline": "AAEC"]) == 3)
        #expect(try size(["inline": "AAEC", "sizeBytes": 0]) == 0)
    }

    /// The bounds that apps read and those of the stores are stated twice.
    @Test func boundsAreThoseOfTheStores() {
        typealias Stated = NodeModel.Limits
        #expect(Stated.nameBytes == Chat.Limits.conversationIDBytes && Stated.nameBytes == Chat.Limits.contactBytes)
        #expect(Stated.bodyBytes == Chat.Limits.bodyBytes && Stated.attachments == Chat.Limits.attachments)
        #expect(Stated.inlineAttachmentBytes == Chat.Limits.inlineAttachmentBytes)
        #expect(Stated.inlineBytes == Chat.Limits.inlineBytes && Stated.linkBytes == Chat.Limits.attachmentLinkBytes)
        #expect(Stated.mimeTypeBytes == Chat.Limits.mimeTypeBytes)
        #expect(Stated.attachmentNumber == Chat.Limits.attachmentNumber)
        #expect(Stated.timeMilliseconds == Chat.Limits.timeMilliseconds)
        #expect(Stated.timestampSeconds == Chat.Limits.timestampSeconds)
        #expect(Stated.acceptingDaaScore == Chat.Limits.acceptingDaaScore)
        #expect(Stated.senderOrder == Chat.Limits.senderOrder)
        #expect(Stated.score == LeaderboardShare.Limits.scoreValue)
        #expect(Stated.maxAttempts == LeaderboardShare.Limits.maxAttempts)
        #expect(Stated.streakDays == LeaderboardShare.Limits.streakDays)
    }

    @Test func aLineWithoutABodyIsAPlaceholder() throws {
        let text = PlaceholderText("📤 Sent via another device")
        func isPlaceholder(_ body: JSONValue?) throws -> Bool {
            try NewMessage(json: line(["body": body])).isPlaceholder(text)
        }
        #expect(try isPlaceholder(nil) && isPlaceholder(.null) && isPlaceholder(.string("")))
        #expect(try isPlaceholder(.string("📤 Sent via another device")))
        #expect(try isPlaceholder(.string("ðŸ“¤ Sent via another device\n")))
        #expect(try !isPlaceholder(.string("📤 Sent via another device, he said")))
        let picture = JSONValue.object(["link": .string("ipfs://x"), "mimeType": .string("image/png")])
        #expect(try !NewMessage(json: line(["body": nil, "attachments": .array([picture])])).isPlaceholder(text))
        let stub = try Stub(
            NewMessage(json: line(["body": nil, "blockTime": .int(7)])), hintedAt: WallTime(milliseconds: 5))
        #expect(stub.conversationID == "c" && stub.contact == "bob" && stub.direction == .received)
        #expect(stub.senderTimestamp == 1_103_966_040 && stub.blockTime == 7)
    }
}
