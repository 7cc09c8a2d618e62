import JSONLines
import NodeModel
import Testing

/// Both ways of writing a model agree.
@Suite struct ModelTests {
    private func check(_ model: some Model) throws {
        #expect(model.encoded == model.json.encoded)
        #expect(try type(of: model).init(json: model.encoded) == model)
    }

    @Test func whatIsWrittenIsTheSameAndIsReadAsItWas() throws {
        var message = Message()
        message.txid = String(repeating: "ab", count: 32)
        try check(message)
        message.body = "a \"b\" \\ \n\u{1} ü"
        message.attachments = [Attachment(mimeType: "image/png", link: "l"), Attachment(mimeType: "a", inline: "AAEC")]
        message.waitingFor = "a device"
        message.missingBefore = Gap()
        try check(message)
        var board = Leaderboard()
        board.rows = [Standing(), Standing()]
        try check(board)
        // This model is a list.
        let file = AchievementFile([Achievement()])
        #expect(file.encoded == file.json.encoded && file.encoded.first == UInt8(ascii: "["))
    }

    @Test func aNullIsThereAndWhatIsAbsentIsNot() {
        var message = Message()
        message.waitingFor = "a device"
        #expect(message.json["nextTry"] == .null && message.json["readAt"] == nil)
    }

    @Test func faultsNameTheirPlace() {
        let text =
            "{\"txid\":\"\(String(repeating: "ab", count: 32))\",\"conversationId\":\"c\",\"contact\":\"b\","
            + "\"direction\":\"sent\",\"senderTs\":1,\"attachments\":[{\"mimeType\":\"a\"},{\"mimeType\":7}]}"
        #expect(throws: FieldError("attachments[1].mimeType", "must be a text of 1 to 128 bytes")) {
            try NewMessage(json: Array(text.utf8))
        }
    }

    /// A rule's complaint is the same whatever is wrong with the value.
    @Test func aWrongTypeGetsTheWordsOfTheRule() {
        let fields: [String: JSONValue] = [
            "score": "3", "maxAttempts": 101, "currentStreak": .double(2.5), "gameName": 7,
        ]
        let reasons = [
            "score": "must be a whole number from 0 to 1000000",
            "maxAttempts": "must be a whole number from 0 to 100, not 101",
            "currentStreak": "must be a whole number from 0 to 100000", "gameName": "must be a text",
        ]
        for (name, value) in fields {
            let line = JSONValue.object(["dateInt": 20_250_131, name: value])
            #expect(throws: FieldError(name, reasons[name])) { try ScoreLine(json: line) }
        }
    }

    /// A schema counts characters and the node counts bytes: no text that the node takes breaks the schema.
    @Test func aTextOfBytesKeepsItsSchema() {
        for text in [String(repeating: "é", count: 128), String(repeating: "x", count: 256), "🟩"] {
            #expect(FieldRule.bytes(256).complaint(text) == nil)
            #expect(text.unicodeScalars.count <= 256)
        }
        let schema = FieldRule<String>.bytes(256, of: .text).schema
        #expect(schema["maxLength"] == 256 && schema["minLength"] == 1 && schema["anyOf"] == nil)
        #expect(schema["description"] == "at most 256 bytes of UTF-8")
        #expect(FieldRule.bytes(256).complaint(String(repeating: "é", count: 129)) != nil)
        #expect(FieldRule.bytes(4, of: .text).complaint("a\0") == "must be a text of 1 to 4 bytes, without U+0000")
        #expect(FieldRule.bytes(4, of: .line).complaint("a\n") == "must be one line of 1 to 4 bytes")
    }

    /// The most common mistake with a time gets an answer that helps to fix it.
    @Test(arguments: [
        (1_700_000_000_000, "1700000000000, which looks like milliseconds"),
        (Limits.timestampSeconds + 1, "281474976711, which looks like milliseconds"),
        (1_700_000_000_000_000, "1700000000000000"), (-1, "-1"),
    ])
    func aTimeInMillisecondsIsToldApart(time: Int, found: String) {
        let reason = "must be a whole number of seconds since 1970, from 0 to 281474976710, not \(found)"
        var message = NewMessage()
        message.senderTs = time
        message.txid = String(repeating: "ab", count: 32)
        (message.conversationId, message.contact) = ("c", "c")
        #expect(throws: FieldError("senderTs", reason)) { try NewMessage(json: message.json) }
        message.senderTs = Limits.timestampSeconds
        #expect(throws: Never.self) { try NewMessage(json: message.json) }
    }
}
