import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    @Suite struct APIErrors {
        private struct Fault: Decodable {
            var parameter: String?
            var allowed: String?
        }

        private struct Refused: Decodable { var notes: [String] }

        /// A body would begin the next answer of the connection.
        @Test(arguments: ["/v1/events", "/v1/export", "/v1/notices/stream"])
        func theHeadOfAStreamHasNoBody(_ target: String) throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read")
            let probe = try TCPProbe(port: app.port)
            probe.send(Array(app.head("HEAD", target).utf8))
            let bytes = probe.receive(within: .seconds(2))
            let answer = try APIClient.answer(bytes)
            #expect(answer.status == 200 && answer.headers["content-type"] != nil)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\n") && text.ranges(of: "\r\n\r\n").count == 1, "\(text)")
            #expect(answer.headers["content-length"] == nil)
            // A document's connection stays open.
            let other = try TCPProbe(port: app.port)
            let last = app.head("GET", "/healthz", headers: ["Connection": "close"])
            other.send(Array((app.head("HEAD", "/v1/conversations") + last).utf8))
            let both = String(decoding: other.receive(), as: UTF8.self)
            #expect(both.ranges(of: "HTTP/1.1 200").count == 2 && both.hasSuffix("{\"status\":\"ok\"}"), "\(both)")
        }

        /// The library answers some requests itself, and would write the head of such an answer twice.
        @Test func anAnswerHasOneHead() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:write")
            let head = app.head("POST", "/v1/sync", headers: ["Connection": "close"], bodyBytes: 2)
            func answer(_ head: String) throws -> APIAnswer {
                let probe = try TCPProbe(port: app.port)
                probe.send(Array((head + "{}").utf8))
                let bytes = probe.receive()
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
                let answer = try APIClient.answer(bytes)
                #expect(answer.headers["content-type"] == "application/problem+json", "\(text)")
                #expect(answer.headers["content-length"] == "\(answer.body.count)", "\(text)")
                #expect(answer.code != nil, "\(text)")
                return answer
            }
            for length in ["abc", "-1", "+2", "2, 2", "", "0x2", "99999999999999999999"] {
                let answer = try answer(head.replacing("Content-Length: 2", with: "Content-Length: \(length)"))
                let isNumber = length.allSatisfy(\.isNumber) && !length.isEmpty
                #expect(answer.status == (isNumber ? 413 : 400), "\(length)")
                #expect(try answer.json(Fault.self).parameter == (isNumber ? nil : "Content-Length"), "\(length)")
            }
            let host = "Host: 127.0.0.1:\(app.port)\r\n"
            let nameless = try answer(head.replacing(host, with: ""))
            #expect(nameless.status == 400)
            #expect(try nameless.json(Fault.self).parameter == "Host")
            // Others are served during and after it.
            let waiting = try TCPProbe(port: app.port)
            waiting.send(Array(head.dropLast().utf8))
            #expect(waiting.receive(within: .milliseconds(200)).isEmpty)
            _ = try answer(head.replacing("Content-Length: 2", with: "Content-Length: abc"))
            waiting.send(Array("\r\n{}".utf8))
            #expect(try APIClient.answer(waiting.receive()).status == 200)
        }

        /// An editor leaves a blank line at the end.
        @Test func blankLinesAreSkipped() throws {
            struct Counts: Decodable { var lines: Int }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            try node.run(["group", "create", "Family"])
            let app = try APIClient(node, scopes: "chat:write,groups:write")
            for path in ["reads/import", "chain/confirm", "chain/reorg", "groups/Family/scores/import"] {
                func send(_ body: String) throws -> APIAnswer {
                    try app.send(
                        "POST", "/v1/" + path, headers: ["Content-Type": "application/x-ndjson"], body: body)
                }
                let blank = try send("\n \t\r\n")
                #expect(blank.status == 200, "\(path) \(blank.text)")
                #expect(try blank.json(Counts.self).lines == 0, "\(path)")
                // A bad line is reported with the number that an editor shows.
                let notes = try send("\n\n{\n").json(Refused.self).notes
                #expect(notes.first?.hasPrefix("line 3: ") == true, "\(path)")
            }
        }

        /// A wrong field of a message, setting or search is named, with what is allowed.
        @Test func aWrongFieldIsNamedWithWhatIsAllowed() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write,admin")
            func number(_ most: Int) -> String { "a whole number from 0 to \(most)" }
            func message(_ field: String) -> String {
                "{\"txid\":\"\(String(repeating: "ab", count: 32))\",\"conversationId\":\"c\",\"contact\":\"c\","
                    + "\"direction\":\"sent\",\"senderTs\":1,\"body\":\"b\",\(field)}"
            }
            func link(_ field: String) -> String {
                "\"attachments\":[{\"mimeType\":\"b\",\"link\":\"l\",\(field)}]"
            }
            for (field, name, allowed) in [
                ("\"blockTime\":281474976710656", "blockTime", number(281_474_976_710_655)),
                ("\"senderOrder\":1000", "senderOrder", number(999)),
                (link("\"width\":9007199254740992"), "attachments[0].width", number(9_007_199_254_740_991)),
                (
                    "\"attachments\":[\(Array(repeating: "{}", count: 17).joined(separator: ","))]", "attachments[0]",
                    nil
                ),
            ] as [(String, String, String?)] {
                let fault = try app.send("POST", "/v1/messages", body: message(field)).json(Fault.self)
                #expect(
                    fault.parameter?.hasPrefix(name) == true && (allowed == nil || fault.allowed == allowed), "\(fault)"
                )
            }
            for words in ["%22%22", (1...17).map { "w\($0)" }.joined(separator: "%20")] {
                let fault = try app.get("/v1/search?words=\(words)").json(Fault.self)
                #expect(fault.parameter == "words" && fault.allowed != nil, "\(fault)")
            }
            let last = try app.get("/v1/events", headers: ["Last-Event-ID": "soon"]).json(Fault.self)
            #expect(last.parameter == "Last-Event-ID" && last.allowed == "the id of an event")
            for (key, value) in [("archive.ageSeconds", "soon"), ("log.level", "loud"), ("network.listen", "x")] {
                let probe = try TCPProbe(path: node.home + "/node.sock")
                let body = "{\"value\":\"\(value)\"}"
                probe.send(
                    Array(
                        ("PUT /v1/settings/\(key) HTTP/1.1\r\nHost: node\r\nConnection: close\r\n"
                            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                            .utf8))
                let fault = try APIClient.answer(probe.receive()).json(Fault.self)
                #expect(fault.parameter == "value" && fault.allowed != nil, "\(key) \(fault)")
            }
            #expect(try app.send("POST", "/v1/messages", body: message(link("\"height\":1"))).status == 200)
            #expect(try !app.get("/v1/messages?conversation=c").text.contains("sizeBytes"))
            // A message's content is checked with its line, so that the notes are in the lines' order.
            let bad = message("\"attachments\":[{\"mimeType\":\"b\",\"inline\":\"?\"}]")
            let refused = try app.send(
                "POST", "/v1/import", headers: ["Content-Type": "application/x-ndjson"], body: "\(bad)\n{\n\(bad)\n")
            let notes = try refused.json(Refused.self).notes
            #expect(notes.map { $0.prefix(6) } == ["line 1", "line 2", "line 3"])
        }
    }
}
