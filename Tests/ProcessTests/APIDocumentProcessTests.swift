import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// The document is accurate: each of its operations is driven, correctly and incorrectly.
    @Suite struct APIDocument {
        private let fixture: Fixture
        private let node: DrivenNode
        /// The dashboard, which may do everything.
        private let browser: [String: String]
        private let document: AnyJSON
        private let talk = Talk(60, conversations: 3)
        /// The ids by title.
        private var groups: [String: String] = [:]

        init() throws {
            WholeDay.begin()
            fixture = try Fixture()
            node = try fixture.started("one")[0]
            browser = try DashboardBrowser(node).headers
            try node.run(["import", try fixture.file("chat", talk.lines)])
            // It has its own conversation, which is deleted on the way.
            let gone = talk.lines[9].replacing(talk.messages[9].txidHex, with: String(repeating: "cd", count: 32))
            try node.run(
                ["message", "add"], input: gone.replacing(talk.messages[9].conversationID, with: "gone"))
            try node.run(["message", "hint", "--txid", String(repeating: "ab", count: 32)])
            for group in ["Family", "Gone"] {
                groups[group] = try node.object(Groups.Created.self, ["group", "create", group]).groupId
            }
            try node.run(["game", "add", "Wordle", "--group", "Family", "--model", "lower-attempts"])
            try node.run(["score", "post", "Family", "--game", "Wordle", "--score", "3", "--max-attempts", "6"])
            document = try APIClient(node).get("/v1/openapi.json").json(AnyJSON.self)
        }

        /// Operations that need another state of the node than it has here.
        private static let failing: Set<String> = [
            "device", "forgetDevice", "renameOtherDevice", "joinGroup", "leaveGroup", "removeMember", "suspendMember",
            "unsuspendMember", "setRole", "succeedGroup", "followGroup", "revokeInvite", "choosePairing",
            "confirmPairing", "inspectInvite", "refusePairing", "confirmPhrase", "revokeAnyToken",
        ]
        /// Operations that continue for as long as somebody reads.
        private static let endless: Set<String> = ["events", "noticeStream", "watchStatus"]

        private var operations: [(path: String, method: String, operation: AnyJSON)] {
            (document["paths"]?.fields ?? [:]).sorted { $0.key < $1.key }.flatMap { path, methods in
                methods.fields.sorted { $0.key < $1.key }.map { (path, $0.key.uppercased(), $0.value) }
            }
        }

        /// The document itself is in OpenAPI's format, which others have specified.
        @Test func itTellsEachAnswerWhole() {
            let schemas = document["components"]?["schemas"]?.fields ?? [:]
            #expect(schemas.count >= 50)
            for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
                let holes = schema.holes(at: name)
                #expect(holes.isEmpty, "\(holes)")
            }
            #expect(schemas["Standing"]?["properties"]?.fields.count == 15)
        }

        @Test func eachOperationAnswersAsItSays() throws {
            let operations = operations
            #expect(operations.count >= 70)
            for (path, method, operation) in operations {
                let id = operation["operationId"]?.text ?? ""
                if Self.endless.contains(id) { continue }
                // A revoked token is useless afterwards.
                let app = try id == "revokeToken" ? APIClient(node, scopes: "chat:read") : APIClient(node)
                let answer = try app.send(
                    method, target(path, operation), headers: id == "revokeToken" ? [:] : headers(operation),
                    body: body(id, operation))
                #expect((answer.status == 200) != Self.failing.contains(id), "\(id): \(answer.status) \(answer.text)")
                try check(answer, id, operation)
            }
        }

        @Test func eachOperationRefusesWhatItDoesNotSay() throws {
            for (path, method, operation) in operations {
                let id = operation["operationId"]?.text ?? ""
                let target = target(path, operation)
                let joint = target.contains("?") ? "&" : "?"
                let body = body(id, operation)
                let unknown = try APIClient(node).send(
                    method, target + joint + "nonsense=1", headers: headers(operation), body: body)
                #expect(unknown.status == 400 && unknown.text.contains("\"parameter\":\"nonsense\""), "\(id)")
                try check(unknown, id, operation)
                guard operation["security"]?.elements.isEmpty == false else { continue }
                let stranger = try APIClient(node).send(method, target, headers: type(operation), body: body)
                #expect(stranger.status == 401, "\(id)")
                try check(stranger, id, operation)
            }
        }

        // MARK: Requests

        private func target(_ path: String, _ operation: AnyJSON) -> String {
            var path = path
            var query: [String] = []
            for parameter in operation["parameters"]?.elements ?? [] {
                guard let name = parameter["name"]?.text, let place = parameter["in"]?.text else { continue }
                if place == "path" { path = path.replacing("{\(name)}", with: value(name, operation)) }
                if place == "query", let text = Self.queries[name] ?? parameter["schema"]?["default"].map({ _ in "7" })
                {
                    query.append("\(name)=\(text)")
                }
            }
            switch operation["operationId"]?.text {
            case "messages": query.append("conversation=\(talk.messages[0].conversationID)")
            case "search": query.append("from=2004-01-01")
            case "importArchive": query += ["archiveAccount=unknown", "force=true"]
            case "explain": query.append("what=\(talk.messages[0].txidHex)")
            default: break
            }
            return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        }

        private static let queries = ["words": "a", "game": "Wordle", "account": "main"]

        private func value(_ name: String, _ operation: AnyJSON) -> String {
            switch name {
            case "txid":
                ["deleteMessage", "restoreMessage"].contains(operation["operationId"]?.text)
                    ? talk.messages[9].txidHex : talk.messages[3].txidHex
            case "conversation":
                ["deleteConversation", "restoreConversation"].contains(operation["operationId"]?.text)
                    ? "gone" : talk.messages[0].conversationID
            case "group":
                switch operation["operationId"]?.text {
                case "deleteGroup": groups["Gone"] ?? ""
                case "leaveGroup", "removeMember": groups["Family"] ?? ""
                default: "Family"
                }
            case "id": "00000000"
            case "member": String(repeating: "0", count: 64)
            case "date": "20250131"
            case "key": "archive.ageSeconds"
            default: "nobody"
            }
        }

        private func type(_ operation: AnyJSON) -> [String: String] {
            let type = operation["requestBody"]?["content"]?.fields.keys.first
            return type.map { ["Content-Type": $0] } ?? [:]
        }

        private func headers(_ operation: AnyJSON) -> [String: String] {
            type(operation).merging(browser) { $1 }
        }

        private func body(_ id: String, _ operation: AnyJSON) -> String? {
            switch id {
            case "addMessage": talk.lines[5]
            case "putMessage": talk.lines[3]
            case "importChat", "importArchive": talk.lines.joined(separator: "\n")
            case "importReads":
                "{\"conversationId\":\"\(talk.messages[0].conversationID)\",\"lastReadBlockTime\":1103966040037}"
            case "confirmMessages", "reorgMessages": "{\"txid\":\"\(talk.messages[4].txidHex)\"}\n"
            case "renameDevice", "renameOtherDevice", "setNameInGroup": "{\"name\":\"one\"}"
            case "pair", "pairAndJoin": "{\"timeout\":1}"
            case "confirmPhrase": "{\"words\":\"1 none 2 none\"}"
            case "labelAccount": "{\"label\":\"main\"}"
            case "createToken": "{\"scope\":\"chat:read\"}"
            case "changeSetting": "{\"value\":\"60\"}"
            case "choosePairing": "{\"tag\":\"3f2a\"}"
            case "confirmPairing": "{\"digits\":\"042317\"}"
            case "createGroup": "{\"title\":\"Third\"}"
            case "renameGroup": "{\"title\":\"Family\"}"
            case "joinGroup", "inspectInvite": "{\"token\":\"kachat:x\"}"
            case "succeedGroup": "{\"of\":\"nobody\"}"
            case "setRole": "{\"role\":\"viewer\"}"
            case "addGame": "{\"name\":\"Mini\",\"model\":\"lower-seconds\"}"
            case "postScore", "postScoreEverywhere": "{\"game\":\"Wordle\",\"score\":3,\"maxAttempts\":6}"
            case "importScores":
                "{\"dateInt\":20250101,\"gameName\":\"Wordle\",\"score\":3,\"maxAttempts\":6,\"completed\":true}"
            case "importAchievements":
                "[{\"id\":\"5d0c8a52-8a4f-4f0e-9d52-0000000000aa\",\"category\":\"streaks\","
                    + "\"progress\":{\"currentValue\":3,\"lastUpdated\":1750000000000}}]"
            case "setConversation":
                "{\"title\":\"T\",\"pinned\":true,\"participants\":[{\"address\":\"a\",\"name\":\"A\"}]}"
            default: operation["requestBody"] == nil ? nil : "{}"
            }
        }

        // MARK: Answers

        /// Checks an answer against the document: its type and its form.
        private func check(_ answer: APIAnswer, _ id: String, _ operation: AnyJSON) throws {
            var response = try #require(
                operation["responses"]?["\(answer.status)"], "\(id) does not tell of \(answer.status)")
            if let name = response["$ref"]?.text?.split(separator: "/").last {
                response = try #require(document["components"]?["responses"]?[String(name)])
            }
            let content = response["content"]?.fields ?? [:]
            let type = answer.headers["content-type"] ?? ""
            let schema = try #require(
                content[type]?["schema"], "\(id): \(answer.status) \(type) is not in the document")
            if type == "application/x-ndjson" {
                let item = try #require(content[type]?["x-itemSchema"], "\(id) does not describe its lines")
                for line in answer.text.split(separator: "\n") {
                    let complaints = try AnyJSON(String(line)).complaints(item, in: document)
                    #expect(complaints.isEmpty, "\(id): \(complaints)")
                }
            }
            guard type == "application/json" || type == "application/problem+json" else { return }
            let complaints = try answer.json(AnyJSON.self).complaints(schema, in: document)
            #expect(complaints.isEmpty, "\(id): \(complaints)")
        }
    }
}
