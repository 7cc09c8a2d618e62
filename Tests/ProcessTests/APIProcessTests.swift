import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    @Suite struct API {
        private struct Fault: Decodable {
            var parameter: String?
        }

        private struct Status: Decodable {
            struct Account: Decodable { var accountId: String }
            var api: String?
            var state: String
            var accounts: [Account]
        }

        @Test func itAnswersAsTheCommandLineDoes() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let open = try APIClient(node)
            #expect(try open.get("/healthz").text == "{\"status\":\"ok\"}")
            #expect(try open.get("/v1/status").status == 401)
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            let talk = Talk(30, conversations: 2)
            for line in talk.lines.prefix(10) {
                #expect(try app.send("POST", "/v1/messages", body: line).text.contains("\"result\":\"new\""))
            }
            let message = talk.messages[0]
            let path = "/v1/messages/\(message.txidHex)"
            #expect(try app.send("PUT", path, body: talk.lines[0]).text.contains("\"result\":\"known\""))
            #expect(try app.send("PUT", path, body: talk.lines[1]).status == 400)
            for (target, command) in [
                (path, ["message", "show", message.txidHex]),
                ("/v1/conversations/\(message.conversationID)", ["conversation", "show", message.conversationID]),
            ] {
                let shown = try node.run(command + ["--json"])
                #expect(try app.get(target).text == shown.trimmingSuffix("\n"))
            }
            let status = try app.get("/v1/status").json(Status.self)
            #expect(status.api == node.api)
            #expect(try node.object(Status.self, ["status"]).api == node.api)
            #expect(try app.get("/metrics").text.contains("kachat_messages{account="))
        }

        @Test func listsComeInPagesAndAreKnownByTheirTag() throws {
            struct Item: Decodable { var txid: String }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            let talk = Talk(90, conversations: 1)
            #expect(try app.add(talk.lines) == 90)
            let target = "/v1/messages?conversation=\(talk.messages[0].conversationID)&limit=40"
            let pages = try app.pages(target, of: Item.self)
            #expect(pages.map(\.count) == [40, 40, 10])
            #expect(Set(pages.joined().map(\.txid)) == Set(talk.messages.map(\.txidHex)))
            let tag = try #require(try app.get(target).headers["etag"])
            #expect(try app.get(target, headers: ["If-None-Match": tag]).status == 304)
            #expect(try node.messageCount() == 90)
            try node.run(["message", "delete", pages[0][0].txid, "--yes"])
            #expect(try app.get(target, headers: ["If-None-Match": tag]).status == 200)
            let exported = try app.get("/v1/export")
            #expect(exported.text.split(separator: "\n").count == 89)
            #expect(exported.text == (try node.run(["export"])))
        }

        /// Clients that ask for gzip get the same bytes and tag; short documents and streams are sent uncompressed.
        @Test func documentsAreCompressedForWhoAsks() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let talk = Talk(200, conversations: 1)
            try node.run(["import", try fixture.file("chat", talk.lines)])
            let app = try APIClient(node, scopes: "chat:read")
            let gzip = ["Accept-Encoding": "gzip, deflate"]
            let target = "/v1/messages?limit=200&conversation=\(talk.messages[0].conversationID)"
            for path in [target, "/v1/openapi.json"] {
                let (plain, answer) = (try app.get(path), try app.get(path, headers: gzip))
                #expect(answer.status == 200 && answer.headers["content-encoding"] == "gzip", "\(path)")
                #expect(answer.body.count < plain.body.count / 3)
                let file = fixture.folder.file("body")
                try FileTree.write(answer.body, to: file + ".gz")
                #expect(try Command("gzip", ["-df", file + ".gz"]).run().status.isSuccess)
                #expect(FileTree.read(file) == plain.body)
                guard let tag = answer.headers["etag"] else { continue }
                let again = try app.get(path, headers: gzip.merging(["If-None-Match": tag]) { $1 })
                #expect(again.status == 304 && again.body.isEmpty)
            }
            for path in ["/healthz", "/v1/export", "/v1/peers"] {
                #expect(try app.get(path, headers: gzip).headers["content-encoding"] == nil, "\(path)")
            }
        }

        /// For any list, the pages together are the list, and a request without a page gets its first 500 rows.
        @Test func everyListCanBePaged() throws {
            struct Item: Decodable { var conversationId: String }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            #expect(try app.add(Talk(600, conversations: 600).lines) == 600)
            func ids(_ query: String, most: Int = 9) throws -> [[String]] {
                try app.pages("/v1/conversations?" + query, of: Item.self, most: most)
                    .map { $0.map(\.conversationId) }
            }
            let pages = try ids("limit=250")
            #expect(pages.map(\.count) == [250, 250, 100] && Set(pages.joined()).count == 600)
            #expect(try ids("", most: 1) == [Array(pages.joined().prefix(500))])
            // The last page has no cursor, however full it is.
            #expect(try ids("limit=100&cursor=500") == [Array(pages.joined().suffix(100))])
            #expect(try ids("cursor=600") == [[]])
            for wrong in ["limit=0", "limit=501", "cursor=0", "cursor=x"] {
                #expect(try app.get("/v1/conversations?\(wrong)").code == "usage")
            }
            #expect(try node.run(["conversation", "list", "--json"]).split(separator: "\n").count == 600)
        }

        @Test func aSearchComesInPages() throws {
            struct Item: Decodable { var txid: String }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:read,chat:write")
            let (lines, txids) = Self.needles(90)
            #expect(try app.add(lines) == 90)
            let pages = try app.pages("/v1/search?words=needle&limit=40", of: Item.self)
            #expect(pages.map(\.count) == [40, 40, 10])
            #expect(pages.joined().map(\.txid) == txids.reversed())
            #expect(try app.pages("/v1/search?words=needle&limit=90", of: Item.self).map(\.count) == [90])
            #expect(try app.pages("/v1/search?words=needle&cursor=999999999999", of: Item.self).map(\.count) == [0])
        }

        /// Messages with one word in common, oldest first.
        private static func needles(_ count: Int) -> (lines: [String], txids: [String]) {
            let txids = (1...count).map { String(repeating: "0", count: 61) + String(100 + $0) }
            let lines = txids.enumerated().map { number, txid in
                """
                {"txid":"\(txid)","conversationId":"alice","contact":"alice","direction":"received",\
                "senderTs":\(1_700_000_000 + number),"body":"needle \(number)"}
                """
            }
            return (lines, txids)
        }

        @Test func aBadLineIsNamedAndTheOthersAreTaken() throws {
            struct Refused: Decodable {
                struct Counts: Decodable {
                    var added: Int
                    var refused: Int
                }
                var code: String
                var notes: [String]
                var result: Counts
            }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let app = try APIClient(node, scopes: "chat:write")
            let lines = Talk(3, conversations: 1).lines
            let body = [lines[0], "{}", ".", lines[1], lines[2]].joined(separator: "\n")
            let answer = try app.send(
                "POST", "/v1/import", headers: ["Content-Type": "application/x-ndjson"], body: body)
            #expect(answer.status == 422)
            let refused = try answer.json(Refused.self)
            #expect(refused.code == "bad-input")
            #expect(refused.notes.count == 2)
            #expect(refused.result.added == 3)
            #expect(refused.result.refused == 2)
        }

        @Test func whatIsAtFaultIsNamed() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            try node.run(["group", "create", "Family"])
            let app = try APIClient(node, scopes: "chat:read,chat:write,groups:read,groups:write,admin")
            func fault(_ method: String, _ target: String, _ body: String? = nil) throws -> String? {
                let answer = try method == "GET" ? app.get(target) : app.send(method, target, body: body)
                return try answer.json(Fault.self).parameter
            }
            let long = String(repeating: "t", count: 600)
            #expect(try fault("GET", "/v1/search?words=%20") == "words")
            #expect(try fault("GET", "/v1/conversations?account=nobody") == "account")
            #expect(try fault("GET", "/v1/conversations/nobody") == "conversation")
            #expect(try fault("PATCH", "/v1/conversations/a", "{\"title\":\"\(long)\"}") == "title")
            #expect(try fault("PATCH", "/v1/conversations/\(long)", "{\"pinned\":true}") == "conversation")
            #expect(try fault("GET", "/v1/devices/nobody") == "deviceId")
            #expect(try fault("DELETE", "/v1/devices/nobody") == "deviceId")
            #expect(try fault("GET", "/v1/groups/nobody") == "group")
            #expect(try fault("POST", "/v1/groups", "{\"title\":\"\(long)\"}") == "title")
            #expect(try fault("POST", "/v1/groups", "{\"title\":\"T\",\"description\":\"\(long)\"}") == "description")
            #expect(try fault("POST", "/v1/groups/Family/members/nobody/suspend") == "member")
            #expect(try fault("GET", "/v1/groups/Family/scores?member=nobody") == "member")
            let wide = String(repeating: "t", count: 81)
            #expect(try fault("PUT", "/v1/groups/Family/name", "{\"name\":\"\(wide)\"}") == "name")
            #expect(try fault("POST", "/v1/groups/join", "{\"token\":\"kachat:nonsense\"}") == "token")
            #expect(try fault("POST", "/v1/invites/inspect", "{\"token\":\"kachat:nonsense\"}") == "token")
            let txid = String(repeating: "ab", count: 32)
            #expect(try fault("GET", "/v1/messages/\(txid)") == "txid")
            #expect(try fault("DELETE", "/v1/messages/\(txid)") == "txid")
            #expect(try fault("POST", "/v1/messages/\(txid)/restore") == "txid")
            try node.run(["game", "add", "Wordle", "--group", "Family", "--model", "lower-attempts"])
            let late = "{\"game\":\"Wordle\",\"score\":3,\"date\":99990101}"
            for target in ["/v1/groups/Family/scores", "/v1/scores"] {
                #expect(try fault("POST", target, late) == "date")
                #expect(try app.send("POST", target, body: late).text.contains("no later than tomorrow"))
            }
        }

        @Test func whoMayNotComeInDoesNot() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let admin = try APIClient(node, scopes: "admin")
            // In DNS rebinding, the page's own name leads here.
            #expect(try admin.get("/healthz", headers: ["Host": "evil.example:\(admin.port)"]).status == 421)
            #expect(try admin.get("/v1/status", headers: ["Host": "evil.example"]).code == "bad-host")
            // This is a page of another site, with the token or without.
            let origin = ["Origin": "https://evil.example"]
            #expect(try admin.get("/v1/status", headers: origin).code == "bad-origin")
            #expect(try admin.get("/v1/events", headers: origin).code == "bad-origin")
            // Its form needs no preflight, and is refused because of its type.
            let line = Talk(1, conversations: 1).lines[0]
            for type in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""] {
                let answer = try admin.send("POST", "/v1/messages", headers: ["Content-Type": type], body: line)
                #expect(answer.status == 415, "\(type)")
            }
            #expect(try admin.send("POST", "/v1/flush", headers: ["Content-Type": "text/plain"]).status == 415)
            #expect(try node.messageCount() == 0)
            // Many other headers hide nothing.
            var many = Dictionary(uniqueKeysWithValues: (0..<61).map { ("A-\($0)", "1") })
            #expect(try admin.get("/v1/status", headers: many).status == 200)
            many["Origin"] = "https://evil.example"
            #expect(try admin.get("/v1/status", headers: many).status == 431)
            // Bodies are bounded.
            let long = ["Content-Length": "\((1 << 20) + 1)", "Content-Type": "application/json"]
            #expect(try admin.send("POST", "/v1/messages", headers: long).code == "too-large")
            // The node does not read a request that a proxy might read differently.
            let twice = admin.head("POST", "/v1/flush", headers: ["Connection": "close"], bodyBytes: 2)
                .replacing("Content-Length: 2\r\n", with: "Content-Length: 2\r\nContent-Length: 3\r\n")
            let probe = try TCPProbe(port: admin.port)
            probe.send(Array((twice + "{}").utf8))
            #expect(try APIClient.answer(probe.receive(upTo: 1 << 12)).status == 400)
            #expect(try admin.get("/v1/nothing").code == "not-found")
            #expect(try admin.get("/v1/messages/%zz").code == "usage")
            let other = try admin.send("DELETE", "/v1/status")
            #expect(other.status == 405)
            #expect(other.headers["allow"] == "GET, HEAD")
        }

        @Test func aTokenOpensWhatItIsFor() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let first = try #require(try node.status().account?.accountId)
            try node.run(["account", "create", "--label", "work"])
            let line = Talk(1, conversations: 1).lines[0]
            let reader = try APIClient(node, scopes: "chat:read")
            #expect(try reader.send("POST", "/v1/messages", body: line).code == "not-allowed")
            #expect(try reader.get("/v1/diagnostics").code == "not-allowed")
            #expect(try reader.get("/v1/conversations").status == 200)
            #expect(try APIClient(node, scopes: "chat:write").get("/v1/conversations").code == "not-allowed")
            #expect(try APIClient(node, scopes: "groups:read,groups:write").get("/v1/messages").code == "not-allowed")
            // With access to one account, the other is not even shown.
            let work = try APIClient(node, scopes: "chat:read,chat:write", account: "work")
            #expect(try work.send("POST", "/v1/messages", body: line).status == 200)
            #expect(try work.get("/v1/conversations?account=main").code == "not-allowed")
            #expect(try work.get("/v1/conversations?account=\(first)").code == "not-allowed")
            #expect(try work.get("/v1/conversations?account=nobody").code == "not-allowed")
            for target in ["/v1/status", "/v1/accounts", "/metrics", "/v1/peers"] {
                #expect(try !work.get(target).text.contains(String(first.prefix(8))), "\(target)")
            }
            // The node's state does not reveal it either.
            try node.run(["account", "pause", "--account", "work"])
            #expect(try work.get("/v1/status").json(Status.self).state == "paused")
            #expect(try reader.get("/v1/status").json(Status.self).state != "paused")
            #expect(try reader.get("/v1/conversations").text == "{\"items\":[]}")
            #expect(try APIClient(node, scopes: "admin", account: "work").get("/v1/settings").code == "not-allowed")
        }

        @Test func wrongTokensAreSlowedDownAndRevokedOnesEnd() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let (good, id) = try APIClient.revocable(node, scopes: "chat:read")
            let wrong = try APIClient(node, token: "kachat_" + String(repeating: "A", count: 43))
            for _ in 0..<30 {
                let refused = try wrong.get("/v1/status")
                #expect(refused.status == 401 && refused.text.contains("the token is not valid"))
            }
            let slowed = try wrong.get("/v1/status")
            #expect(slowed.status == 429)
            #expect(slowed.headers["retry-after"].flatMap { Int($0) }.map { (1...61).contains($0) } == true)
            #expect(try good.get("/v1/status").status == 200)
            let stored = try #require(FileTree.read(node.home + "/tokens.json"))
            let secret = try #require(good.token).dropFirst(7)
            #expect(!String(decoding: stored, as: UTF8.self).contains(secret))
            try node.run(["token", "revoke", id])
            #expect(try good.get("/v1/status").status != 200)
            #expect(try node.attempt(["token", "create", "--scope", "chat:all"]).status == .exited(2))
        }

        /// On the home's socket, the file mode grants access: no token, all scopes.
        @Test func theHomesSocketSpeaksHTTPToo() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            node.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0", "--api", "off"]
            try node.start()
            #expect(node.api == nil)
            let probe = try TCPProbe(path: node.home + "/node.sock")
            probe.send(Array("GET /v1/diagnostics HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".utf8))
            #expect(try APIClient.answer(probe.receive()).status == 200)
            #expect(try node.status().state != "stopped")
        }

        /// A client that writes head and body separately must not fail at the body without seeing why it was refused.
        @Test func theBodyOfARefusedRequestIsRead() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let probe = try TCPProbe(path: node.home + "/node.sock")
            let head = "PATCH /v1/account HTTP/1.1\r\nHost: node\r\nContent-Type: text/plain\r\nContent-Length: 2"
            probe.send(Array((head + "\r\n\r\n").utf8))
            // This gives the node time to answer too early.
            #expect(probe.receive(within: .milliseconds(200)).isEmpty)
            probe.send(Array("{}GET /v1/status HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".utf8))
            let answers = String(decoding: probe.receive(), as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 415 ") && answers.contains("HTTP/1.1 200 "), "\(answers)")
        }

        @Test func onlyThisMachineIsServed() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            for address in ["0.0.0.0:0", "192.168.1.7:4711", "[::]:0", "example.com:80", "on"] {
                let result = try node.attempt(["run", "--api", address, "--discovery", "off"])
                #expect(result.status == .exited(2), "\(address)")
            }
            try node.start()
            let taken = try #require(node.api)
            let other = try fixture.node("two")
            #expect(try other.attempt(["run", "--api", taken, "--discovery", "off"]).status == .exited(1))
            // A port that is only set is replaced by another, which is reported.
            other.environment["KACHAT_API_PORT"] = "\(node.apiPort ?? 0)"
            other.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try other.start()
            let api = try #require(other.api)
            #expect(api != taken)
            #expect(other.log.contains("warning api-port: another program uses \(taken): the API is at \(api)"))
        }

        /// A beginner may run two nodes on one machine: nothing is wrong, so nobody is warned.
        @Test func theUsualPortMayBeTaken() throws {
            let fixture = try Fixture()
            let nodes = [try fixture.node("one"), try fixture.node("two")]
            for node in nodes {
                node.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
                try node.start()
            }
            #expect(nodes[0].api != nodes[1].api)
            #expect(nodes[1].log.contains("info api-port: another program uses 127.0.0.1:47768"))
            #expect(!nodes[1].log.contains("warning"), "\(nodes[1].log)")
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
