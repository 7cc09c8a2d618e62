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

    /// Requests that the library refuses before any other code sees them.
    @Test func aRequestThatTheLibraryRefusesIsToldWhy() {
        func parameter(_ headers: [(name: String, value: String)]) -> String? {
            let problem = Problem.unreadable(request(headers))
            #expect(problem.headers.contains { $0 == ("Connection", "close") })
            return "\(problem.status) \(problem.parameter ?? "-")"
        }
        #expect(parameter([("host", "a"), ("content-length", "abc")]) == "400 Content-Length")
        #expect(parameter([("host", "a"), ("content-length", "")]) == "400 Content-Length")
        #expect(parameter([("host", "a"), ("content-length", "99999999999999999999")]) == "413 -")
        // Everything else is good, so a cookie, which the library copies, had no room.
        #expect(parameter([("host", "a"), ("content-length", "2")]) == "431 -")
        #expect(parameter([("host", "a"), ("content-length", "2"), ("content-length", "x")]) == "400 Content-Length")
        #expect(parameter([("content-length", "2")]) == "400 Host")
    }

    @Test func aBodyOfAnUnknownLengthIsOne() {
        #expect(!request([]).hasBody)
        #expect(!request([("content-length", "0")]).hasBody)
        #expect(request([("content-length", "1")]).hasBody)
        #expect(request([("content-length", "1"), ("content-length", "0")]).hasBody)
        #expect(request([("transfer-encoding", "chunked")]).hasBody)
    }
}
