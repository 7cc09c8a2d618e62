import Node
import NodeModel

/// A parameter of an endpoint: an option or a place of its command, and where requests give it.
struct APIParameter: Sendable {
    enum Place: String, Sendable {
        case path
        case query
        /// A field of the JSON object.
        case body
    }

    let place: Place
    private let spec: ParameterSpec
    /// The command's name for it; nil for the txid of a message that is the body.
    let option: String?

    init(_ place: Place, _ spec: ParameterSpec) {
        self.place = place
        self.spec = spec
        option = spec.name
    }

    private init(bodyTxid spec: ParameterSpec) {
        place = .path
        self.spec = spec
        option = nil
    }

    /// Names the message in the request's body.
    static let bodyTxid = APIParameter(bodyTxid: ParameterSpec("TXID", .txid, help: "64 hexadecimal digits"))

    var name: String { spec.field }
    var help: String { spec.help }
    var isRequired: Bool { spec.isRequired || place == .path }
    var isRepeatable: Bool { spec.isRepeatable }
    /// The default of a request, if it differs from the command's.
    var standard: String? { spec.standard }
    var isSwitch: Bool { option != nil && spec.value == nil }
    /// `--limit N`, `TXID`
    var usage: String { option == nil ? name : spec.usage }

    var form: ParameterSpec.RequestForm {
        if let form = spec.request { return form }
        guard let kind = spec.value else { return .given }
        return kind.isOnOff ? .onOff : .value(kind)
    }

    // MARK: Reading

    /// The command's arguments for a value from a path or a query.
    func arguments(text: String) throws(Problem) -> [String: [String]] {
        switch form {
        case .value(let kind): return argument([try checked(text, kind)])
        case .words: return argument([try checked(text, .text(name))])
        case .choices(let words): return argument(try choices(text, words))
        case .pattern(let pattern): return argument([try matching(text, pattern)])
        case .day: return argument([try checked(text, .day)])
        case .time: return argument([try time(text)])
        case .given, .onOff:
            guard text == "true" || text == "false" else { throw .parameter(name, "must be true or false") }
            return try arguments(json: .bool(text == "true"))
        case .clearable, .participants: throw .parameter(name, "must stand in the body")
        }
    }

    /// The command's arguments for a value of the body.
    func arguments(json value: JSONValue) throws(Problem) -> [String: [String]] {
        switch (form, value) {
        case (.value(let kind), _): return argument([try checked(try text(value, kind), kind)])
        case (.given, .bool(let isGiven)): return isGiven ? argument([""]) : [:]
        case (.onOff, .bool(let isOn)): return argument([isOn ? "on" : "off"])
        case (.given, _), (.onOff, _): throw .parameter(name, "must be true or false")
        case (.clearable(let clear), .null): return [clear: [""]]
        case (.clearable, .string(let text)): return argument([try checked(text, kind)])
        case (.clearable, _): throw .parameter(name, "must be \(kind.allowed), or null")
        case (.participants, .array(let list)): return argument(try participants(list))
        case (.participants, _): throw .parameter(name, "must be \(RequestedParticipant.allowed)")
        case (.pattern(let pattern), .string(let text)): return argument([try matching(text, pattern)])
        case (.pattern, _): throw .parameter(name, "must be a text")
        case (.day, .string(let text)), (.time, .string(let text)): return try arguments(text: text)
        case (.day, .int(let number)), (.time, .int(let number)): return try arguments(text: "\(number)")
        case (.day, _), (.time, _): throw .parameter(name, "must be a text or a whole number")
        case (.words, _), (.choices, _): throw .parameter(name, "must stand in the query")
        }
    }

    /// The command's arguments for a command line's value: a text, a list of them, or true for a switch.
    func arguments(ofCommandLine value: JSONValue) throws(Problem) -> [String: [String]] {
        if case .clearable(let option) = form, value == .null { return [option: [""]] }
        guard let kind = spec.value else {
            guard value == true || value == "true" else { throw .parameter(name, "must be true") }
            return argument([""])
        }
        let texts = if case .array(let list) = value { list } else { [value] }
        guard !texts.isEmpty, isRepeatable || texts.count == 1 else { throw .parameter(name, "must be given once") }
        var checked: [String] = []
        for text in texts {
            guard case .string(let text) = text else { throw .parameter(name, "must be a text") }
            // Programs other than our command line may send such requests too.
            guard text.utf8.count <= Limits.sentArgumentBytes, !text.utf8.contains(0) else {
                throw .parameter(
                    name, "must be a text of at most \(Limits.sentArgumentBytes) bytes, without a zero byte")
            }
            if let complaint = kind.complaint(text) { throw .parameter(name, complaint) }
            checked.append(text)
        }
        return argument(checked)
    }

    /// The kind of a text, also of one that the request may clear.
    private var kind: ValueKind { spec.value ?? .text(name) }

    private func argument(_ texts: [String]) -> [String: [String]] { option.map { [$0: texts] } ?? [:] }

    private func text(_ value: JSONValue, _ kind: ValueKind) throws(Problem) -> String {
        switch (kind.isNumber, value) {
        case (true, .int(let number)): return String(number)
        case (true, .double(let number)): return "\(number)"
        case (false, .string(let text)): return text
        case (true, _): throw .parameter(name, Self.complaint("", kind) ?? "must be a number")
        case (false, _): throw .parameter(name, "must be a text")
        }
    }

    private func checked(_ text: String, _ kind: ValueKind) throws(Problem) -> String {
        if let complaint = Self.complaint(text, kind) { throw .parameter(name, complaint) }
        guard text.unicodeScalars.count <= Limits.apiTextCharacters, !text.unicodeScalars.contains("\0") else {
            throw .parameter(name, "must be a text of at most \(Limits.apiTextCharacters) characters, without U+0000")
        }
        return text
    }

    /// Requests give times as whole seconds, without a unit.
    private static func complaint(_ text: String, _ kind: ValueKind) -> String? {
        guard case .seconds(let most) = kind else { return kind.complaint(text) }
        if let seconds = UInt64(text), seconds <= most { return nil }
        return "must be a whole number of seconds from 0 to \(most)"
    }

    private func choices(_ text: String, _ words: [String]) throws(Problem) -> [String] {
        func isBetween(_ character: Character) -> Bool { character == "," || character == " " }
        let chosen = text.split(whereSeparator: isBetween).map(String.init)
        let isList = text.first.map { !isBetween($0) } == true && text.last.map { !isBetween($0) } == true
        guard isList, chosen.allSatisfy(words.contains) else {
            let list = words.map { "`\($0)`" }.joined(separator: ", ")
            throw .parameter(name, "must be one or more of \(list), separated by commas")
        }
        return chosen
    }

    private func matching(_ text: String, _ pattern: String) throws(Problem) -> String {
        let isMatch = (try? Regex(pattern).wholeMatch(in: text)) != nil
        guard isMatch else { throw .parameter(name, "must be \(help.isEmpty ? pattern : help)") }
        return text
    }

    /// A time as the command line writes it.
    private func time(_ text: String) throws(Problem) -> String {
        // In milliseconds it would be a time on the first day of 1970.
        if text.utf8.count == 8, ValueKind.day.complaint(text) == nil { return text }
        if let milliseconds = Int64(text), ISOTime.range.contains(milliseconds) {
            return ISOTime.text(milliseconds: milliseconds)
        }
        guard ValueKind.form("TIME", .past).complaint(text) == nil else {
            throw .parameter(name, "must be a time such as 2026-11-21T08:30:00Z, a day, or milliseconds since 1970")
        }
        return text
    }

    private func participants(_ list: [JSONValue]) throws(Problem) -> [String] {
        guard list.count <= RequestedParticipant.most else {
            throw .parameter(name, "must be \(RequestedParticipant.allowed), not of \(list.count)")
        }
        var (texts, bytes): ([String], Int) = ([], 0)
        for (place, value) in list.enumerated() {
            do throws(FieldError) {
                let participant = try RequestedParticipant(given: value)
                texts.append(participant.text)
                bytes += participant.bytes
            } catch {
                let field = error.within("\(name)[\(place)]")
                throw .parameter(field.field, field.reason ?? "must be given")
            }
        }
        guard bytes <= RequestedParticipant.bytesOfAll else {
            throw .parameter(name, "must have at most \(RequestedParticipant.bytesOfAll) bytes together, not \(bytes)")
        }
        return texts
    }

    // MARK: Schema

    /// The allowed values, as JSON Schema (2020-12).
    var schema: JSONValue {
        switch form {
        case .value(let kind): return kind.schema
        case .given, .onOff: return ["type": "boolean"]
        case .pattern(let pattern): return ["type": "string", "pattern": .string(pattern)]
        case .words: return ValueKind.text(name).schema
        case .choices(let words):
            let word = "(\(words.joined(separator: "|")))"
            return ["type": "string", "pattern": .string("^\(word)([, ]+\(word))*$")]
        case .day:
            let number: JSONValue = "the number that answers have for a day"
            let text: JSONValue = [
                "type": "string", "pattern": .string(ValueKind.dayNumbers), "description": number,
            ]
            // A path and a query have texts alone.
            guard place == .body else { return ["anyOf": [ValueKind.day.schema, text]] }
            return [
                "anyOf": [
                    ValueKind.day.schema, text,
                    ["type": "integer", "minimum": 19_700_101, "maximum": 99_991_231, "description": number],
                ]
            ]
        case .time:
            return [
                "anyOf": [
                    ["type": "string", "format": "date-time", "pattern": .string(ValueKind.years)],
                    ValueKind.day.schema,
                    [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .int(ISOTime.range.upperBound),
                        "description": "milliseconds since 1970, or a day as a number such as 20261121",
                    ],
                ]
            ]
        case .clearable:
            return nullable(kind.schema)
        case .participants:
            return RequestedParticipant.listSchema
        }
    }
}

extension TextForm {
    /// The schema of a text that is bound in characters, each of which may be several of those that JSON Schema counts:
    /// it refuses no allowed text. Nil for other forms.
    fileprivate var bounded: JSONValue? {
        guard let most else { return nil }
        return [
            "type": "string", "minLength": 1, "maxLength": .number(most.bytes),
            "description": .string("at most \(most.characters) characters and \(most.bytes) bytes of UTF-8"),
        ]
    }
}

extension ValueKind {
    fileprivate var isOnOff: Bool {
        if case .choice(_, let words) = self { words == ["on", "off"] } else { false }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .number, .seconds: true
        default: false
        }
    }

    /// Days as numbers, `20261121`, as a regular expression: all but the 29th of February, which not each year has.
    fileprivate static let dayNumbers =
        "^(19[7-9][0-9]|[2-9][0-9]{3})"
        + "((0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])(29|30)|(0[13578]|1[02])31)$"

    /// From 1970 to 9999, as a regular expression for the beginning of a day.
    fileprivate static let years = "^(19[7-9]|[2-9][0-9]{2})[0-9]-"

    /// The allowed values, as JSON Schema (2020-12).
    var schema: JSONValue {
        switch self {
        case .text:
            [
                "type": "string", "minLength": 1, "maxLength": .number(Limits.apiTextCharacters),
                "pattern": "^[^\\u0000]*$",
            ]
        case .limited(_, let bytes): FieldRule.bytes(bytes, of: .text).schema
        case .line(_, let bytes): FieldRule.bytes(bytes, of: .line).schema
        case .form(let word, let form):
            // A form without a pattern is described by the error that a wrong text gets.
            form.pattern.map { ["type": "string", "pattern": .string($0)] } ?? form.bounded
                ?? ValueKind.text(word).schema
        case .number(_, let range):
            ["type": "integer", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .seconds(let most): ["type": "integer", "minimum": 0, "maximum": .number(most)]
        case .hostPort, .peer, .discovery, .api, .peers: ["type": "string"]
        case .txid: FieldRule<String>.txid.schema
        case .day: ["type": "string", "format": "date", "pattern": .string(Self.years)]
        case .choice(_, let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        }
    }
}
