import Testing

@testable import Commands
@testable import Node

@Suite struct HTTPRequestTests {
    private func request(_ headers: [(name: String, value: String)]) -> HTTPRequest {
        HTTPRequest(source: .home, method: "POST", target: "/", headers: headers)
    }

    @Test func whatTellsItsEndTwiceIsRefused() {
        let length = (name: "content-length", value: "2")
        #expect(!request([]).isAmbiguous)
        #expect(!request([length, ("origin", "x")]).isAmbiguous)
        #expect(request([length, length]).isAmbiguous)
        #expect(request([length, (name: "content-length", value: "3")]).isAmbiguous)
        #expect(request([length, (name: "transfer-encoding", value: "chunked")]).isAmbiguous)
        #expect(request([(name: "origin ", value: "https://evil.example")]).isAmbiguous)
        #expect(request([(name: "origin\t", value: "https://evil.example")]).isAmbiguous)
    }

    @Test func aBodyOfAnUnknownLengthIsOne() {
        #expect(!request([]).hasBody)
        #expect(!request([("content-length", "0")]).hasBody)
        #expect(request([("content-length", "1")]).hasBody)
        #expect(request([("content-length", "1"), ("content-length", "0")]).hasBody)
        #expect(request([("transfer-encoding", "chunked")]).hasBody)
    }
}
