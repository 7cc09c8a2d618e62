import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct HTTPOriginTests {
    private let origin = HTTPOrigin(port: 4711)

    private func complaint(_ headers: [(name: String, value: String)], home: Bool = false) -> String? {
        let source = home ? HTTPSource.home : .network(SocketAddress(ipv4: 0x7F00_0001, port: 9))
        return origin.complaint(HTTPRequest(source: source, method: "GET", target: "/", headers: headers))?.code
    }

    @Test(arguments: ["127.0.0.1:4711", "localhost:4711", "LocalHost:4711", "[::1]:4711"])
    func thisMachineIsAllowed(_ host: String) {
        #expect(complaint([("host", host)]) == nil)
        #expect(complaint([("host", host), ("origin", "http://\(host)")]) == nil)
    }

    @Test(arguments: [
        "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:4711", "",
        "127.0.0.1:4711, localhost",
        "0.0.0.0:4711", "127.0.0.2:4711",
    ])
    func anotherNameOfThisMachineIsNot(_ host: String) {
        #expect(complaint([("host", host)]) == "bad-host")
    }

    @Test func aHostThatIsMissingOrThereTwiceIsNone() {
        #expect(complaint([]) == "bad-host")
        #expect(complaint([("host", "localhost:4711"), ("host", "evil.example")]) == "bad-host")
        #expect(complaint([], home: true) == nil)
    }

    @Test(arguments: [
        "null", "http://evil.example", "https://localhost:4711", "http://localhost", "http://localhost:4711.x",
    ])
    func pagesOfOthersAreNotAllowed(_ page: String) {
        for home in [true, false] {
            #expect(complaint([("host", "localhost:4711"), ("origin", page)], home: home) == "bad-origin")
        }
        #expect(
            complaint([("host", "localhost:4711"), ("origin", "http://localhost:4711"), ("origin", page)])
                == "bad-origin")
    }
}
