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
}
