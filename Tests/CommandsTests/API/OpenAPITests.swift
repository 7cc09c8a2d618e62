import Testing

@testable import Commands
@testable import Node

@Suite struct OpenAPITests {
    /// The document contains every name it refers to, and each operation says what it returns.
    @Test func theDocumentIsWhole() throws {
        let document = try #require(JSONValue(json: APITable.document))
        #expect(document["openapi"]?.text == "3.1.0")
        var used: [String] = []
        collect(document, &used)
        #expect(!used.isEmpty)
        // A reader without the web has the whole document.
        #expect(used.allSatisfy { $0.hasPrefix("#/") })
        for name in used {
            let path = name.split(separator: "/").dropFirst().map(String.init)
            let found = path.reduce(document as JSONValue?) { $0?[$1] }
            #expect(found != nil, "\(name) is missing")
        }
        guard case .object(let paths)? = document["paths"] else { return }
        let operations = paths.values.reduce(0) { count, path in
            if case .object(let methods) = path { count + methods.count } else { count }
        }
        #expect(operations == APITable.endpoints.count { !$0.isOfHome })
    }

    /// Readers group operations by their tags, and generated clients name their methods by the ids.
    @Test func eachOperationHasATagAndAnIdOfItsOwn() throws {
        let document = try #require(JSONValue(json: APITable.document))
        let tags = Set((document["tags"]?.elements ?? []).compactMap { $0["name"]?.text })
        let operations = operations(document)
        #expect(Set(operations.flatMap { $0["tags"]?.elements ?? [] }.compactMap(\.text)) == tags)
        let ids = operations.compactMap { $0["operationId"]?.text }
        #expect(Set(ids).count == operations.count)
        #expect(Set(ids).isDisjoint(with: ["import", "export", "delete", "default", "in", "for", "class", "return"]))
        #expect(document["servers"]?.elements.count == 1)
    }

    /// Each error status is described, in its own words.
    @Test func eachErrorIsDescribedByItsStatus() throws {
        let document = try #require(JSONValue(json: APITable.document))
        let statuses = Problem.titles.keys.filter { ![405, 500].contains($0) }
        #expect(Set(Refusal.all.compactMap(\.status)) == Set(statuses))
        #expect(Set(Refusal.all.map(\.name)).count == Refusal.all.count)
        for operation in operations(document) {
            let id = operation["operationId"]?.text ?? ""
            guard case .object(let responses)? = operation["responses"] else {
                Issue.record("\(id) answers nothing")
                continue
            }
            #expect(responses["200"] != nil && responses["default"] != nil && responses["400"] != nil, "\(id)")
            let isOpen = operation["security"]?.elements.isEmpty == true
            #expect((responses["401"] == nil) == isOpen, "\(id)")
            let isWrite = operation["requestBody"] != nil
            #expect(!isWrite || responses["422"] != nil && responses["415"] != nil, "\(id)")
        }
    }

    /// The document alone says what each number for a time or a day is: milliseconds, except for `…Ts`, which are
    /// seconds.
    @Test func eachTimeHasItsUnit() throws {
        let document = try #require(JSONValue(json: APITable.document))
        guard case .object(let schemas)? = document["components"]?["schemas"] else { return }
        let ends = ["At", "Since", "Ts", "Time", "Try", "UpTo", "From", "Updated", "Seen", "Played"]
        let names: Set = ["at", "since", "until", "from", "to", "today", "week", "date", "dateInt"]
        var units: [String: Set<String>] = [:]
        for case .object(let fields) in schemas.values.compactMap({ $0["properties"] }) {
            for (name, schema) in fields where names.contains(name) || ends.contains(where: name.hasSuffix) {
                guard [schema["type"]?.text, schema["type"]?.elements.first?.text].contains("integer") else { continue }
                let unit = schema["description"]?.text ?? "none"
                units[unit, default: []].insert(name)
            }
        }
        let days: Set = ["from", "to", "today", "week", "date", "dateInt", "lastPlayed"]
        let seconds: Set = ["senderTs", "lastSenderTs", "newestTs", "endTs"]
        #expect(units["seconds since 1970"] == seconds)
        #expect(units["a day in UTC as yyyymmdd, such as 20261121"] == days)
        let times = try #require(units["milliseconds since 1970"])
        #expect(times.isSuperset(of: ["at", "since", "from", "to", "blockTime", "completeFrom"]))
        #expect(times.isDisjoint(with: seconds) && units.count == 3, "\(units)")
    }

    /// The document describes each line or event of a stream.
    @Test func streamsDescribeTheirParts() throws {
        let document = try #require(JSONValue(json: APITable.document))
        var streams = 0
        for operation in operations(document) {
            for content in [operation["requestBody"]?["content"], operation["responses"]?["200"]?["content"]] {
                guard case .object(let types)? = content else { continue }
                for (type, value) in types where [Endpoint.linesType, Endpoint.eventsType].contains(type) {
                    streams += 1
                    let item = value["x-itemSchema"]
                    let data = type == Endpoint.eventsType ? item?["properties"]?["data"]?["contentSchema"] : item
                    let kinds = data?["anyOf"]?.elements ?? [data].compactMap(\.self)
                    #expect(!kinds.isEmpty, "\(operation["operationId"]?.text ?? "")")
                    #expect(kinds.allSatisfy { $0["$ref"] != nil }, "\(operation["operationId"]?.text ?? "")")
                }
            }
        }
        #expect(streams >= 10)
    }

    /// The document states the node's bounds.
    @Test func boundsAreInTheDocument() throws {
        let document = try #require(JSONValue(json: APITable.document))
        func body(_ id: String) -> JSONValue? {
            let operation = operations(document).first { $0["operationId"]?.text == id }
            return operation?["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]
        }
        let details = body("setConversation")
        #expect(details?["title"]?["maxLength"] == 256)
        let participants = details?["participants"]
        #expect(participants?["maxItems"] == 32)
        #expect(participants?["items"]?["properties"]?["address"]?["maxLength"] == 128)
        #expect(participants?["items"]?["properties"]?["name"]?["type"] == ["string", "null"])
        #expect(participants?["description"]?.text?.contains("1536 bytes") == true)
        #expect(body("hintMessage")?["conversation"]?["maxLength"] == 256)
        let schemas = document["components"]?["schemas"]
        let message = schemas?["Message"]?["properties"]
        #expect(message?["conversationId"]?["pattern"] == "^[^\\u0000]*$")
        for name in ["conversationId", "contact", "device"] {
            #expect(message?[name]?["maxLength"] == 256 && message?[name]?["anyOf"] == nil)
        }
        #expect(schemas?["Attachment"]?["properties"]?["width"]?["maximum"] == .int(1 << 53 - 1))
        let search = operations(document).first { $0["operationId"]?.text == "search" }
        let from = search?["parameters"]?.elements.first { $0["name"] == "from" }
        let patterns = from?["schema"]?["anyOf"]?.elements.compactMap { $0["pattern"]?.text } ?? []
        let days = try patterns.map { try Regex($0) }
        func allows(_ text: String) -> Bool { days.contains { text.firstMatch(of: $0) != nil } }
        #expect(["2026-11-21", "20261121", "20240131", "20240230"].map(allows) == [true, true, true, false])
    }

    /// A reader of the document alone can ask for several kinds.
    @Test func severalWordsHaveAPattern() throws {
        let document = try #require(JSONValue(json: APITable.document))
        let stream = operations(document).first { $0["operationId"]?.text == "noticeStream" }
        let kinds = stream?["parameters"]?.elements.first { $0["name"] == "kind" }
        let pattern = try Regex(try #require(kinds?["schema"]?["pattern"]?.text))
        #expect(["message", "message,score", "score streak"].allSatisfy { $0.firstMatch(of: pattern) != nil })
        #expect(["", "here", "message;score", "messages"].allSatisfy { $0.firstMatch(of: pattern) == nil })
        #expect(kinds?["description"]?.text?.contains("commas") == true)
    }

    /// A change may be answered with notes, whatever else the answer has, and generated clients know the field.
    @Test func whatChangesMayHaveNotes() throws {
        let document = try #require(JSONValue(json: APITable.document))
        let schemas = document["components"]?["schemas"]
        var changes = 0
        for endpoint in APITable.endpoints where endpoint.isWrite && !endpoint.isOfHome {
            guard case .object = endpoint.answer.form else { continue }
            changes += 1
            let operation = operations(document).first { $0["operationId"]?.text == endpoint.id }
            let schema = operation?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
            let name = schema?["$ref"]?.text?.split(separator: "/").last.map(String.init) ?? ""
            let model = schemas?[name]
            #expect(model?["properties"]?["notes"]?["items"]?["type"] == "string", "\(endpoint.id)")
            #expect(model?["required"]?.elements.contains("notes") != true, "\(endpoint.id)")
        }
        #expect(changes >= 40)
        #expect(schemas?["ForgottenDevice"]?["properties"]?["notes"] != nil)
        #expect(schemas?["NodeStatus"]?["properties"]?["notes"] == nil)
    }

    /// A day has a beginning and an end, and a time may mean either.
    @Test func whatADayStandsForIsSaid() throws {
        let document = try #require(JSONValue(json: APITable.document))
        let list = operations(document).first { $0["operationId"]?.text == "messages" }
        let until = list?["parameters"]?.elements.first { $0["name"] == "until" }
        #expect(until?["description"]?.text?.contains("a day is its beginning") == true)
        let number = until?["schema"]?["anyOf"]?.elements.first { $0["type"] == "integer" }
        #expect(number?["description"]?.text?.contains("20261121") == true)
    }

    /// A default is at most the maximum, a day in a body may be a number, and titles end where the node's do.
    @Test func boundsAreTheNodes() throws {
        let document = try #require(JSONValue(json: APITable.document))
        func field(_ id: String, _ name: String) -> JSONValue? {
            let operation = operations(document).first { $0["operationId"]?.text == id }
            return operation?["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]?[name]
        }
        let timeout = field("sync", "timeout")
        #expect(timeout?["maximum"] == 120 && timeout?["description"]?.text?.contains("default: 120") == true)
        for id in ["postScore", "postScoreEverywhere"] {
            let number = field(id, "date")?["anyOf"]?.elements.first { $0["type"]?.text == "integer" }
            #expect(number?["minimum"] == 19_700_101 && number?["maximum"] == 99_991_231, "\(id)")
        }
        func expect(_ most: JSONValue, _ words: String, _ id: String, _ name: String) {
            let schema = field(id, name)
            #expect(schema?["maxLength"] == most, "\(id)")
            #expect(schema?["description"]?.text?.contains(words) == true, "\(id)")
        }
        for (id, name) in [
            ("createGroup", "title"), ("renameGroup", "title"), ("succeedGroup", "title"), ("setNameInGroup", "name"),
            ("joinGroup", "name"), ("addGame", "name"),
        ] {
            // A character may be several code points, which the schema counts.
            expect(320, "80 characters", id, name)
        }
        for id in ["createGroup", "renameGroup"] { expect(1_600, "400 characters", id, "description") }
    }

    /// `reset` and `end` are events too.
    @Test func eventsMayBeProblems() throws {
        let document = try #require(JSONValue(json: APITable.document))
        for id in ["events", "noticeStream"] {
            let answer = operations(document).first { $0["operationId"]?.text == id }?["responses"]?["200"]
            let item = answer?["content"]?["text/event-stream"]?["x-itemSchema"]
            let kinds = item?["properties"]?["data"]?["contentSchema"]?["anyOf"]?.elements.compactMap {
                $0["$ref"]?.text
            }
            #expect(kinds?.count == 2 && kinds?.last == "#/components/schemas/Problem")
        }
    }

    private func operations(_ document: JSONValue) -> [JSONValue] {
        guard case .object(let paths)? = document["paths"] else { return [] }
        var operations: [JSONValue] = []
        for case .object(let methods) in paths.values { operations += methods.values }
        return operations
    }

    private func collect(_ value: JSONValue, _ references: inout [String]) {
        switch value {
        case .object(let fields):
            if let name = fields["$ref"]?.text { references.append(name) }
            for field in fields.values { collect(field, &references) }
        case .array(let elements): for element in elements { collect(element, &references) }
        default: break
        }
    }
}
