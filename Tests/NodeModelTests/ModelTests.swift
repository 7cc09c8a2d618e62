import JSONLines
import NodeModel
import Testing

/// The two ways in which a model is written are one.
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
        // One that is a list.
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
        #expect(throws: FieldError("attachments[1].mimeType", "must be a text")) {
            try NewMessage(json: Array(text.utf8))
        }
    }

    /// The commonest mistake with a time gets the answer that mends it.
    @Test(arguments: [
        (1_700_000_000_000, "must be in seconds since 1970; 1700000000000 looks like milliseconds"),
        (Limits.timestampSeconds + 1, "must be in seconds since 1970; 281474976711 looks like milliseconds"),
        (1_700_000_000_000_000, "must be in seconds since 1970, not 1700000000000000"), (-1, "is negative"),
    ])
    func aTimeInMillisecondsIsToldApart(time: Int, reason: String) {
        var message = NewMessage()
        message.senderTs = time
        message.txid = String(repeating: "ab", count: 32)
        (message.conversationId, message.contact) = ("c", "c")
        #expect(throws: FieldError("senderTs", reason)) { try NewMessage(json: message.json) }
        message.senderTs = Limits.timestampSeconds
        #expect(throws: Never.self) { try NewMessage(json: message.json) }
    }
}
