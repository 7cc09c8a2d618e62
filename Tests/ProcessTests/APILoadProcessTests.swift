import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

extension ProcessTests {
    /// One program takes everything it can get, and the others are served meanwhile. Each test opens more connections
    /// than the node accepts, and fewer than the 1,024 files that a process may have.
    @Suite struct APILoad {
        private static let crowd = 300

        /// A node, a program that asks for too much, and one that must be served meanwhile.
        private func scene(_ fixture: Fixture) throws -> (node: DrivenNode, greedy: APIClient, other: APIClient) {
            let node = try fixture.started("one")[0]
            return (
                node, try APIClient(node, scopes: "chat:read,chat:write"), try APIClient(node, scopes: "chat:read")
            )
        }

        /// Checks that another token, the command line, the socket and the dashboard are served.
        private func expectService(_ node: DrivenNode, _ other: APIClient) throws {
            #expect(try other.get("/v1/status").status == 200)
            try node.run(["status"])
            let home = try TCPProbe(path: node.home + "/node.sock")
            home.send(Array("GET /v1/status HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".utf8))
            #expect(try APIClient.answer(home.receive()).status == 200)
            #expect(try other.get("/dashboard/main.js").status == 200)
            let browser = try DashboardBrowser(node).headers
            #expect(try APIClient(node).get("/v1/diagnostics", headers: browser).status == 200)
        }

        /// The head of the next answer; nil if the connection ended without one.
        private func answer(_ probe: TCPProbe) -> APIAnswer? {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                let more = probe.receive(upTo: 1)
                guard !more.isEmpty else { break }
                bytes += more
            }
            return try? APIClient.answer(bytes)
        }

        /// Reads the next answer of a persistent connection to its last byte, and returns its status.
        private func wholeAnswer(_ probe: TCPProbe) throws -> Int {
            let head = try #require(answer(probe), "the connection is open")
            _ = probe.receive(upTo: try #require(head.headers["content-length"].flatMap { Int($0) }))
            return head.status
        }

        @Test func oneTokenHasItsShareOfStreams() throws {
            let fixture = try Fixture()
            let (node, greedy, other) = try scene(fixture)
            let probes = try (0..<Self.crowd).map { _ in
                let probe = try TCPProbe(port: greedy.port)
                probe.send(Array(greedy.head("GET", "/v1/events").utf8))
                return probe
            }
            let answers = probes.map(answer)
            #expect(answers.allSatisfy { $0 != nil }, "nobody is left without an answer")
            #expect(answers.count { $0?.status == 200 } == 16)
            let refused = answers.compactMap(\.self).filter { $0.status == 429 }
            #expect(refused.count == Self.crowd - 16)
            #expect(refused.allSatisfy { $0.headers["retry-after"] == "5" })
            try expectService(node, other)
            #expect(try EventReader(other).answer().status == 200)
            // A token's own streams do not block its other requests.
            #expect(try greedy.get("/v1/status").status == 200)
            withExtendedLifetime(probes) {}
        }

        /// No token is known before a head is read: the oldest connection gives way to a newcomer, and is told so.
        @Test(arguments: ["", "GET /v1/status HTTP/1.1\r\nHost: "])
        func whoSaysNothingShutsNobodyOut(_ start: String) throws {
            let fixture = try Fixture()
            let (node, _, other) = try scene(fixture)
            let early = try TCPProbe(port: other.port)
            early.send(Array(other.head("GET", "/v1/status").utf8))
            #expect(try wholeAnswer(early) == 200)
            var silent: [TCPProbe] = []
            while silent.count < Self.crowd {
                silent += try (0..<50).map { _ in
                    let probe = try TCPProbe(port: other.port)
                    probe.send(Array(start.utf8))
                    return probe
                }
                #expect(try other.get("/v1/status").status == 200)
            }
            let first = try #require(answer(silent[0]))
            #expect(first.status == 503 && first.headers["retry-after"] == "1")
            #expect(silent[0].isClosed())
            try expectService(node, other)
            // A client that has shown a token does not give way to one that has not.
            early.send(Array(other.head("GET", "/v1/status").utf8))
            #expect(try wholeAnswer(early) == 200)
            withExtendedLifetime(silent) {}
        }

        /// As many bodies as a token may have are waited for, but not for ever: a byte now and then is not enough. That
        /// takes half a minute.
        @Test func bodiesThatNeverEndKeepNoPlace() throws {
            let fixture = try Fixture()
            let (node, greedy, other) = try scene(fixture)
            let probes = try (0..<Self.crowd).map { _ in
                let probe = try TCPProbe(port: greedy.port)
                probe.send(Array((greedy.head("POST", "/v1/messages", bodyBytes: 1_000) + "{").utf8))
                return probe
            }
            let refused = probes.dropFirst(32).map(answer)
            #expect(refused.allSatisfy { $0?.status == 429 && $0?.headers["retry-after"] == "1" })
            try expectService(node, other)
            let held = Array(probes.prefix(32))
            guard TestScale.proves else { return }
            let deadline = Deadline(after: Deadline.patience)
            while !held.allSatisfy({ $0.isClosed(within: .milliseconds(5)) }), !deadline.hasPassed {
                for probe in held { probe.send([UInt8(ascii: " ")]) }
                #expect(try other.get("/v1/status").status == 200)
            }
            #expect(held.allSatisfy { $0.isClosed(within: .milliseconds(1)) })
            #expect(try greedy.get("/v1/status").status == 200)
        }

        /// Clients that never read hold only their own places, with a token or without.
        @Test(arguments: [true, false])
        func answersThatNobodyReadsKeepToTheirShare(_ hasToken: Bool) throws {
            let fixture = try Fixture()
            var (node, greedy, other) = try scene(fixture)
            let talk = Talk(300, conversations: 1)
            try node.run(["import", try fixture.file("chat", talk.lines)])
            let conversation = try #require(talk.messages.first?.conversationID)
            if !hasToken { greedy.token = nil }
            let target = hasToken ? "/v1/messages?conversation=\(conversation)&limit=300" : "/v1/openapi.json"
            let probes = try (0..<Self.crowd).map { _ in
                let probe = try TCPProbe(port: greedy.port, receiveBufferBytes: 4_096)
                probe.send(Array(greedy.head("GET", target).utf8))
                return probe
            }
            try expectService(node, other)
            withExtendedLifetime(probes) {}
        }

        /// One program may hold all of the home's socket only for as long as it takes to say what it wants.
        @Test(arguments: ["", "{\"command\":", "GET /v1/status HTTP/1.1\r\nHost: "])
        func whoSaysNothingOnTheSocketShutsNoCommandOut(_ start: String) throws {
            let fixture = try Fixture()
            let (node, _, other) = try scene(fixture)
            let silent = try (0..<Self.crowd).map { _ in
                let probe = try TCPProbe(path: node.home + "/node.sock")
                probe.send(Array(start.utf8))
                return probe
            }
            try expectService(node, other)
            withExtendedLifetime(silent) {}
        }

        /// Commands that run until they are interrupted leave room for others.
        @Test func commandsThatFollowLeaveRoom() throws {
            let fixture = try Fixture()
            let (node, _, other) = try scene(fixture)
            let request =
                "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: application/vnd.kachat.reply\r\n\r\n"
            let followers = try (0..<40).map { _ in
                let probe = try TCPProbe(path: node.home + "/node.sock")
                probe.send(Array(request.utf8))
                return probe
            }
            let told = followers.dropFirst(24).map { String(decoding: $0.receive(upTo: 20), as: UTF8.self) }
            #expect(told.allSatisfy { !$0.isEmpty }, "they are told, and not just closed")
            try expectService(node, other)
            withExtendedLifetime(followers) {}
        }

        /// Pending requests whose callers go away release their connections, and not only their shares: a client that
        /// gives up early and asks again would hold them all.
        @Test func questionsThatAreLeftHoldNoConnection() throws {
            let fixture = try Fixture()
            let (node, greedy, other) = try scene(fixture)
            for _ in 0..<14 {
                let probes = try (0..<32).map { _ in
                    let probe = try TCPProbe(port: greedy.port)
                    probe.send(Array(greedy.head("GET", "/v1/changes?since=now&wait=60").utf8))
                    return probe
                }
                // A client that is served after them knows that they were read.
                #expect(try other.get("/v1/status").status == 200)
                withExtendedLifetime(probes) {}
            }
            try expectService(node, other)
            #expect(try greedy.get("/v1/status").status == 200)
        }

        /// A client that sends a byte now and then (slow loris) must finish in half a minute, like everybody.
        @Test(.enabled(if: TestScale.proves, "\(TestScale.provesOnly)")) func aRequestThatNeverEndsIsCutOff() throws {
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
