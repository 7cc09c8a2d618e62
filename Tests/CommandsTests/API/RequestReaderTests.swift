import Testing

@testable import Commands
@testable import Node

@Suite struct RequestReaderTests {
    private func reader(_ id: String) throws -> RequestReader {
        RequestReader(endpoint: try #require(APITable.endpoints.first { $0.id == id }))
    }

    private func query(_ id: String, _ text: String) throws -> [String: [String]] {
        let target = try HTTPTarget("/?" + text)
        return try reader(id).arguments(path: [:], query: target.query)
    }

    private func body(_ id: String, _ text: String) throws -> [String: [String]] {
        try reader(id).arguments(body: Array(text.utf8))
    }

    @Test func theQueryBecomesArguments() throws {
        #expect(
            try query("messages", "conversation=alice&limit=7&account=main")
                == ["--conversation": ["alice"], "--limit": ["7"], "--account": ["main"]])
        #expect(try query("placeholders", "") == ["--placeholders": [""], "--limit": ["50"]])
        #expect(try query("changes", "since=now&wait=5") == ["--since": ["now"], "--wait": ["5"], "--limit": ["500"]])
        #expect(try query("events", "") == ["--follow": [""]])
    }

    /// Times are written as in RFC 3339 or as in answers, and so are days.
    @Test func timesAndDaysAreReadAsAnswersGiveThem() throws {
        func until(_ text: String) throws -> [String]? {
            try query("messages", "conversation=alice&until=\(text)")["--until"]
        }
        #expect(try until("2026-11-21T08:30:00%2B02:00") == ["2026-11-21T08:30:00+02:00"])
        #expect(try until("1795249800250") == ["2026-11-21T08:30:00.250Z"])
        #expect(try until("0") == ["1970-01-01T00:00:00.000Z"])
        #expect(try until("2026-11-21") == ["2026-11-21"])
        // Eight digits that form a day mean that day, as in answers.
        #expect(try until("20261127") == ["20261127"])
        #expect(try until("20261332") == ["1970-01-01T05:37:41.332Z"])
        let since = try HTTPTarget("/?since=20261127").query
        let removal = try reader("removeDeviceByPhrase").arguments(path: ["deviceId": "phone"], query: since)
        #expect(removal["--since"] == ["20261127"])
        for wrong in ["-1", "1.5", "253402300800000", "soon", "2026-02-30", "true"] {
            let problem = #expect(throws: Problem.self) { try until(wrong) }
            #expect(problem?.parameter == "until", "\(wrong)")
        }
        for day in ["2026-11-21", "20261121"] {
            let query = try HTTPTarget("/?from=\(day)").query
            let scores = try reader("scores").arguments(path: ["group": "Family"], query: query)
            #expect(scores["--from"] == [day])
        }
        #expect(try body("postScore", "{\"game\":\"W\",\"score\":1,\"date\":20261121}")["--date"] == ["20261121"])
        #expect(
            try body("postScore", "{\"game\":\"W\",\"score\":1,\"date\":\"2026-11-21\"}")["--date"] == ["2026-11-21"])
        #expect(throws: Problem.self) { try body("postScore", "{\"game\":\"W\",\"score\":1,\"date\":20260230}") }
    }

    /// Kinds are separated like scopes, or by blanks.
    @Test func severalKindsAreOneText() throws {
        func kinds(_ text: String) throws -> [String]? { try query("noticeStream", "kind=" + text)["--kind"] }
        #expect(try kinds("message") == ["message"])
        for text in ["message,score", "message%20score", "message+score", "message,%20score"] {
            #expect(try kinds(text) == ["message", "score"], "\(text)")
        }
        for text in ["", ",", "message;score", "here", "message,", "%20message", "message,soon"] {
            let problem = #expect(throws: Problem.self) { try kinds(text) }
            #expect(problem?.parameter == "kind" && problem?.allowed?.contains("`streak`") == true, "\(text)")
        }
    }

    /// Others choose titles and names, so irreversible requests need whole ids.
    @Test(arguments: ["deleteGroup", "leaveGroup"]) func whatIsDeletedIsNamedByItsWholeID(_ id: String) throws {
        let whole = String(repeating: "0a", count: 32)
        #expect(try reader(id).arguments(path: ["group": whole], query: [])["GROUP"] == [whole])
        for part in ["Family", "-", String(whole.prefix(16)), whole + "0"] {
            let problem = #expect(throws: Problem.self) { try reader(id).arguments(path: ["group": part], query: []) }
            #expect(problem?.parameter == "group" && problem?.allowed == "the group's full id")
        }
    }

    @Test func theBodyBecomesArguments() throws {
        let given = """
            {"title": null, "pinned": true, "muted": false,
             "participants": [{"address": "a", "name": "A"}, {"address": "b"}]}
            """
        #expect(
            try body("setConversation", given)
                == ["--no-title": [""], "--pinned": ["on"], "--muted": ["off"], "--participant": ["a=A", "b"]])
        #expect(try body("setConversation", "{\"title\":\"T\"}") == ["--title": ["T"]])
        #expect(try body("markRead", "").isEmpty)
        #expect(try body("sync", "{\"wait\": true, \"timeout\": 5}") == ["--wait": [""], "--timeout": ["5"]])
        #expect(try body("sync", "{\"wait\": false}").isEmpty)
    }

    @Test(
        arguments: [
            ("messages", "", "conversation", nil),
            (
                "changes", "since=x", "since",
                "a token, `now` for the newest change, or 0 for the oldest kept"
            ),
            ("placeholders", "limit=0", "limit", "a whole number from 1 to 500"),
            ("placeholders", "limit=x", "limit", "a whole number from 1 to 500"),
            ("placeholders", "limit=1&limit=2", "limit", nil),
            ("placeholders", "limt=1", "limt", "conversation, limit, cursor, account"),
            ("messages", "conversation=", "conversation", "a text of 1 to 256 bytes"),
            ("search", "", "words", nil),
            ("search", "words=a&from=2026-13-01", "from", "a day such as 2026-11-21"),
            ("changes", "wait=1.5", "wait", "a whole number of seconds from 0 to 60"),
            ("changes", "wait=61", "wait", "a whole number of seconds from 0 to 60"),
        ] as [(String, String, String, String?)])
    func aWrongQueryNamesTheParameter(_ id: String, _ text: String, _ name: String, _ allowed: String?) throws {
        let problem = #expect(throws: Problem.self) { try query(id, text) }
        #expect(problem?.status == 400)
        #expect(problem?.parameter == name)
        #expect(problem?.allowed == allowed)
    }

    @Test(arguments: [
        ("setConversation", "[]", "body"), ("setConversation", "{", "body"), ("setConversation", "{\"x\":1}", "x"),
        ("setConversation", "{\"pinned\":\"on\"}", "pinned"), ("setConversation", "{\"title\":\"\"}", "title"),
        ("setConversation", "{\"title\":1}", "title"), ("setConversation", "{\"participants\":[1]}", "participants[0]"),
        ("setConversation", "{\"participants\":[{\"address\":\"a=b\"}]}", "participants[0].address"),
        ("setConversation", "{\"participants\":[{\"address\":\"a\",\"name\":1}]}", "participants[0].name"),
        ("setConversation", "{\"title\":\"a\\u0000b\"}", "title"),
        ("confirmMessage", "{\"blockTime\":\"1\"}", "blockTime"), ("confirmMessage", "{\"blockTime\":-1}", "blockTime"),
        ("confirmMessage", "{\"blockTime\":1.5}", "blockTime"), ("confirmMessage", "{\"status\":\"lost\"}", "status"),
        ("renameDevice", "{}", "name"), ("renameDevice", "{\"name\":\"a\\nb\"}", "name"),
        ("setConversation", "{}", "body"), ("markRead", "{\"txid\":\"00\"}", "txid"),
    ])
    func aWrongBodyNamesTheField(_ id: String, _ text: String, _ name: String) throws {
        let problem = #expect(throws: Problem.self) { try body(id, text) }
        #expect(problem?.status == 400)
        #expect(problem?.parameter == name)
    }

    /// An error about a conversation's details names the field and what is allowed, as the document does.
    @Test func detailsAreBoundAsTheDocumentSays() throws {
        func problem(_ id: String, _ field: String, _ value: JSONValue) -> Problem? {
            #expect(throws: Problem.self) {
                try body(id, String(decoding: JSONValue.object([field: value]).encoded, as: UTF8.self))
            }
        }
        func text(_ bytes: Int) -> JSONValue { .string(String(repeating: "x", count: bytes)) }
        let title = problem("setConversation", "title", text(257))
        #expect(title?.parameter == "title" && title?.allowed == "a text of 1 to 256 bytes")
        let hint = problem("hintMessage", "conversation", text(257))
        #expect(hint?.parameter == "conversation" && hint?.allowed == "a text of 1 to 256 bytes")
        func participants(_ list: [JSONValue]) -> Problem? { problem("setConversation", "participants", .array(list)) }
        let many = participants(Array(repeating: ["address": "a"], count: 33))
        #expect(many?.parameter == "participants")
        #expect(many?.allowed == "a list of at most 32 objects with `address` and `name`")
        let long = participants([["address": "a"], ["address": text(129)]])
        #expect(long?.parameter == "participants[1].address")
        #expect(long?.allowed == "a text of 1 to 128 bytes, without `=` and U+0000")
        let named = participants([["address": "a", "name": text(129)]])
        #expect(
            named?.parameter == "participants[0].name" && named?.allowed?.hasPrefix("a text of at most 128") == true)
        let all = participants(Array(repeating: ["address": text(97)], count: 16))
        #expect(all?.parameter == "participants" && all?.allowed == "at most 1536 bytes together")
        #expect(participants([["address": "a", "more": 1]])?.parameter == "participants[0]")
        #expect(participants([["name": "a"]])?.parameter == "participants[0].address")
        let full = JSONValue.object(["title": text(256), "participants": .array([["address": text(128)]])])
        #expect(try body("setConversation", String(decoding: full.encoded, as: UTF8.self)).count == 2)
    }

    /// Invalid JSON is reported with its place. A message has a field called `body`.
    @Test(arguments: [
        ("{", "it ends too early, at column 2"), ("{\"a\":1,}", "unexpected `}` at column 8"),
        ("{\"a\":\"\\ud800\"}", "unexpected `\"` at column 13"),
    ])
    func aBodyThatIsNoJSONSaysWhere(text: String, place: String) throws {
        let fields = #expect(throws: Problem.self) { try body("setConversation", text) }
        #expect(fields?.detail == "the body must be a JSON object: \(place)" && fields?.parameter == "body")
        #expect(fields?.allowed == "a JSON object")
        let reader = try reader("addMessage")
        let message = #expect(throws: Problem.self) { try reader.message(body: Array(text.utf8), txid: nil) }
        #expect(message?.detail == fields?.detail && message?.parameter == nil)
        let other = #expect(throws: Problem.self) { try reader.message(body: Array("7".utf8), txid: nil) }
        #expect(other?.detail == "the body must be a JSON object")
    }

    @Test func theIDOfTheLastEventIsNamedByItsHeader() throws {
        let id = String(repeating: "f", count: 36)
        let events = try #require(APITable.endpoints.first { $0.id == "events" })
        #expect(try events.arguments(lastEvent: id) == ["--since": [id]])
        let problem = #expect(throws: Problem.self) { try events.arguments(lastEvent: "soon") }
        #expect(problem?.parameter == "Last-Event-ID" && problem?.allowed == "the id of an event")
    }

    @Test func aMessageMayLeaveItsTxidToThePath() throws {
        let reader = try reader("putMessage")
        let txid = String(repeating: "ab", count: 32)
        let message = try reader.message(body: Array("{\"body\":\"x\"}".utf8), txid: txid)
        #expect(String(decoding: message, as: UTF8.self) == "{\"body\":\"x\",\"txid\":\"\(txid)\"}")
        #expect(throws: Problem.self) { try reader.message(body: Array("{\"txid\":\"00\"}".utf8), txid: txid) }
        #expect(throws: Problem.self) { try reader.message(body: Array("7".utf8), txid: nil) }
        #expect(throws: Problem.self) { try reader.arguments(path: ["txid": "00"], query: []) }
    }
}
