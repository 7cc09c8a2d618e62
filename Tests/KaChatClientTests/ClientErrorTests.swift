import JSONLines
import Testing

@testable import KaChatClient

@Suite struct ClientErrorTests {
    @Test func aProblemBecomesAnErrorWithWhatToDo() {
        let problem = JSONValue.object([
            "code": .string("usage"), "detail": .string("`limit` must be 1 to 500"), "parameter": .string("limit"),
            "allowed": .string("1 to 500"), "notes": .array([.string("line 7: bad")]),
        ])
        let error = NodeClient.refusal(problem, status: 400, retryAfter: 5)
        #expect(error.code == .usage && error.status == 400 && error.retryAfterSeconds == 5)
        #expect(error.parameter == "limit" && error.allowed == "1 to 500" && error.notes == ["line 7: bad"])
        #expect(error.remedy == .correctTheCall && !error.isPassing)
        #expect(NodeClient.refusal(nil, status: 200).code == .badAnswer)
    }

    @Test(arguments: [
        ("not-reachable", ClientError.Remedy.startTheNode), ("expired-token", .readEverythingAnew),
        ("foreign-token", .readEverythingAnew), ("unauthorized", .changeTheToken), ("not-allowed", .tellTheUser),
        ("too-many", .tryAgain), ("storage", .tryAgain), ("storage-full", .makeRoom), ("bad-answer", .update),
        ("media-type", .correctTheCall),
    ])
    func eachCodeHasItsRemedy(code: String, remedy: ClientError.Remedy) {
        #expect(ClientError(ClientError.Code(rawValue: code), "").remedy == remedy)
    }

    @Test func addressesAreThoseOfThisMachineInNumbers() throws {
        for good in ["127.0.0.1:1", "localhost:47768", "[::1]:65535"] {
            _ = try HTTPTransport(api: good, token: "t")
        }
        for bad in ["127.0.0.1", "example.org:80", "127.0.0.1:70000", ":1", "[::1]", ""] {
            #expect(throws: ClientError.self) { try HTTPTransport(api: bad, token: "t") }
        }
        #expect(throws: ClientError.self) { try HTTPTransport(api: "127.0.0.1:1", token: "a\r\nX: y") }
    }
}
