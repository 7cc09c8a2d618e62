import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    @Suite struct APILoad {
        /// A thousand connections that say nothing: the limit is kept, and the node goes on with its work.
        @Test func aThousandConnectionsDoNotStopTheNode() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let app = try APIClient(nodes[0], scopes: "chat:write")
            let (early, idle) = try crowd(fixture, app)
            #expect(idle.prefix(200).allSatisfy { !$0.isClosed(within: .milliseconds(1)) })
            // Who is connected is served, and so are the command line, who may open the home, and the other device.
            early.send(Array(app.head("GET", "/v1/status").utf8))
            #expect(try status(wholeAnswer(early)) == 200)
            let home = try TCPProbe(path: nodes[0].home + "/node.sock")
            home.send(Array("GET /v1/status HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".utf8))
            #expect(try APIClient.answer(home.receive()).status == 200)
            try nodes[0].run(["message", "add"], input: Talk(1, conversations: 1).lines[0])
            try nodes[0].run(["flush"])
            try fixture.waitForAgreement(nodes, messages: 1)
        }

        /// Somebody who has been served, and a thousand who then came and say nothing: those above the limit are
        /// closed. After half a minute the others are closed as well, so that what took long is done again.
        private func crowd(_ fixture: Fixture, _ app: APIClient) throws -> (early: TCPProbe, idle: [TCPProbe]) {
            for _ in 0..<10 {
                try fixture.wait("there is room") { (try? app.get("/healthz").status) == 200 }
                let watch = Stopwatch()
                let early = try TCPProbe(port: app.port)
                var idle: [TCPProbe] = []
                while idle.count < 1_000 {
                    // As many as the node takes in one turn: of more than 64 that wait the kernel puts some off for a
                    // second, or for two, four and eight.
                    idle += try (0..<16).map { _ in try TCPProbe(port: app.port) }
                    early.send(Array(app.head("GET", "/v1/status").utf8))
                    #expect(try status(wholeAnswer(early)) == 200)
                }
                try fixture.wait("those above the limit are closed") {
                    idle.dropFirst(256).allSatisfy { $0.isClosed(within: .milliseconds(1)) }
                }
                if watch.elapsed < .seconds(20) { return (early, idle) }
            }
            throw DriverError("this machine does not open a thousand connections in 20 seconds")
        }

        /// The next answer of a connection that stays, to its last byte.
        private func wholeAnswer(_ probe: TCPProbe) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
                let more = probe.receive(upTo: 1)
                try #require(!more.isEmpty, "the connection is open")
                bytes += more
            }
            let length = try #require(APIClient.answer(bytes).headers["content-length"].flatMap { Int($0) })
            return bytes + probe.receive(upTo: length)
        }

        private func status(_ bytes: [UInt8]) throws -> Int { try APIClient.answer(bytes).status }

        /// Who sends a byte now and then (slow loris) has to be done in half a minute, like everybody.
        @Test func aRequestThatNeverEndsIsCutOff() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read")
            let slow = try (0..<20).map { _ in try TCPProbe(port: app.port) }
            for probe in slow { probe.send(Array("GET /v1/status HTTP/1.1\r\nHost: ".utf8)) }
            let deadline = Deadline(after: Deadline.patience)
            while !slow.allSatisfy({ $0.isClosed(within: .milliseconds(20)) }), !deadline.hasPassed {
                for probe in slow { probe.send([UInt8(ascii: "a")]) }
                #expect(try app.get("/v1/conversations").status == 200)
            }
            #expect(slow.allSatisfy { $0.isClosed(within: .milliseconds(1)) })
        }
    }
}
