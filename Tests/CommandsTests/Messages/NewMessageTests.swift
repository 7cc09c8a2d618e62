import Chat
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
            "acceptingDaaScore": 9223372036854775807, "body": "kleedrac: ✓", "device": "phone", "more": [1]}
            """
        let message = try NewMessage(json: Array(text.utf8))
        #expect(message.txid.hasPrefix("c1ef6409"))
        #expect(message.direction == .sent)
        #expect(message.blockTime == 1_103_966_040_000)
        #expect(message.acceptingDaaScore == 9_223_372_036_854_775_807)
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
        #expect(reason(["body": .int(1)]) == "`body` must be a text")
        #expect(reason(["contact": .null]) == "lacks `contact`")
        #expect(reason(["conversationId": .string("")]) == "`conversationId` is empty")
        #expect(reason(["conversationId": .string("a\0b")]) == "`conversationId` holds a character 0")
        #expect(reason(["direction": .string("up")]).contains("`direction` must be `sent` or `received`"))
        #expect(reason(["senderTs": .int(-1)]) == "`senderTs` is negative")
        #expect(reason(["blockTime": .int(-5)]) == "`blockTime` is negative")
        #expect(reason(["senderTs": .string("1")]).contains("must be a whole number"))
        #expect(reason(["senderTs": .double(1.5)]).contains("must be a whole number"))
        #expect(reason(["acceptingDaaScore": .double(0x1p63)]).contains("must be a whole number"))
        #expect(reason(["status": .string("lost")]).contains("`status` must be"))
        let long = JSONValue.string(String(repeating: "x", count: (64 << 10) + 1))
        #expect(reason(["body": long]) == "`body` has 65537 bytes, more than 65536")
        #expect(reason(["conversationId": long]).contains("more than"))
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
        let reason = "must be in seconds since 1970; 1790000000000 looks like milliseconds"
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
                == "`attachments[0].inline` has 12291 bytes, more than 12288")
        let huge = JSONValue.string(String(repeating: "AAAA", count: 100_000))
        #expect(
            reason(["attachments": .array([.object(["mimeType": .string("a"), "inline": huge])])])
                == "`attachments[0].inline` has 300000 bytes, more than 12288")
        #expect(reason(["attachments": .array([.object(["mimeType": .string("a")])])]).contains("lacks `link`"))
        #expect(reason(["attachments": .array(Array(repeating: link, count: 17))]).contains("more than 16"))
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
