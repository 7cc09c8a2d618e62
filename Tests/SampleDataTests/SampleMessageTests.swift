import Testing

@testable import SampleData

@Suite("Sample message")
struct SampleMessageTests {
    @Test("its line is the import's format, with what JSON wants escaped")
    func jsonLine() {
        let message = SampleMessage(
            txid: [UInt8](repeating: 0xa7, count: 32), conversationID: "#lobby", contact: "ada", isSent: false,
            senderTs: 1_103_966_040, blockTime: 1_103_966_040_037, acceptingDaaScore: 11_039_660_400,
            body: "say \"hi\" \\ \n\u{1}é", device: "phone")
        #expect(
            message.jsonLine == """
                {"txid": "\(String(repeating: "a7", count: 32))", "conversationId": "#lobby", "contact": "ada", \
                "direction": "received", "senderTs": 1103966040, "blockTime": 1103966040037, \
                "acceptingDaaScore": 11039660400, "body": "say \\"hi\\" \\\\ \\n\\u0001é", "device": "phone"}
                """)
    }
}
