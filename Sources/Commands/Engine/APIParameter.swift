import Node
import NodeModel

/// A parameter of an endpoint, and the option or place of the command that it stands for. What is allowed there comes
/// from the command.
struct APIParameter: Sendable {
    enum Place: String, Sendable {
        case path
        case query
        /// A field of the JSON object.
        case body
    }

    enum Kind: Sendable {
        case value(ValueKind)
        /// A text of this form (a regular expression that JSON Schema and Swift read alike).
        case pattern(String)
        /// A boolean; the command has a switch for it.
        case isGiven
        /// A boolean that the command takes as `on` or `off`.
        case isOn
        /// A text, or null to take it away, for which the command has a switch.
        case clearable(by: String)
        /// Objects with `address` and `name`.
        case participants
        /// Texts, of each of which the command takes one.
        case words
    }

    let place: Place
    let name: String
    /// Of the command; nil for what only the API looks at.
    let option: String?
    let kind: Kind
    let isRequired: Bool
    let help: String
    /// What it is where it is not given, if that is another than the command's own.
    let standard: String?

    /// One that stands for no parameter of the command.
    init(_ place: Place, _ name: String, _ kind: ValueKind, help: String) {
        self.place = place
        self.name = name
        self.kind = .value(kind)
        self.help = help
        option = nil
        standard = nil
        isRequired = place == .path
        isRepeatable = false
        commandLineKind = kind
    }

    /// Of the command line's parameter: several texts may be given.
    let isRepeatable: Bool
    /// What the command line allows there; nil: a switch.
    private let commandLineKind: ValueKind?

    /// A command's parameter at its place in requests.
    init(_ place: Place, _ spec: ParameterSpec) {
        self.place = place
        name = spec.field
        option = spec.name
        kind = APIParameter.kind(spec)
        isRequired = spec.isRequired || place == .path
        help = spec.help
        standard = spec.standard
        isRepeatable = spec.isRepeatable
        commandLineKind = spec.value
    }

    private static func kind(_ spec: ParameterSpec) -> Kind {
        switch spec.request {
        case .value(let kind): return .value(kind)
        case .given: return .isGiven
        case .pattern(let pattern): return .pattern(pattern)
        case .clearable(let option): return .clearable(by: option)
        case .participants: return .participants
        case .words: return .words
        case nil: break
        }
        guard let kind = spec.value else { return .isGiven }
        return kind.isOnOff ? .isOn : .value(kind)
    }

    var isSwitch: Bool { option != nil && commandLineKind == nil }

    /// `--limit N`, `TXID`
    var usage: String {
        guard let option, option.hasPrefix("-"), let kind = commandLineKind else { return option ?? name }
        return "\(option) \(kind.placeholder)"
    }

    // MARK: Reading

    /// The command's arguments for a value from a path or a query.
    func arguments(text: String) throws(Problem) -> [String: [String]] {
        switch kind {
        case .value(let kind): return argument([try checked(text, kind)])
        case .words: return argument([try checked(text, .text(name))])
        case .pattern(let pattern): return argument([try matching(text, pattern)])
        case .isGiven, .isOn:
            guard text == "true" || text == "false" else { throw .parameter(name, "must be true or false") }
            return try arguments(json: .bool(text == "true"))
        case .clearable, .participants: throw .parameter(name, "must stand in the body")
        }
    }

    /// The command's arguments for a value of the body.
    func arguments(json value: JSONValue) throws(Problem) -> [String: [String]] {
        switch (kind, value) {
        case (.value(let kind), _): return argument([try checked(try text(value, kind), kind)])
        case (.isGiven, .bool(let isGiven)): return isGiven ? argument([""]) : [:]
        case (.isOn, .bool(let isOn)): return argument([isOn ? "on" : "off"])
        case (.isGiven, _), (.isOn, _): throw .parameter(name, "must be true or false")
        case (.clearable(let clear), .null): return [clear: [""]]
        case (.clearable, .string(let text)): return argument([try checked(text, .text(name))])
        case (.clearable, _): throw .parameter(name, "must be a text that is not empty, or null")
        case (.participants, .array(let list)): return argument(try participants(list))
        case (.participants, _): throw .parameter(name, "must be a list of objects with `address` and `name`")
        case (.pattern(let pattern), .string(let text)): return argument([try matching(text, pattern)])
        case (.pattern, _): throw .parameter(name, "must be a text")
        case (.words, _): throw .parameter(name, "must stand in the query")
        }
    }

    /// The command's arguments for what the command line gives: a text, several of them, or true for a switch.
    func arguments(ofCommandLine value: JSONValue) throws(Problem) -> [String: [String]] {
        if case .clearable(let option) = kind, value == .null { return [option: [""]] }
        guard let kind = commandLineKind else {
            guard value == .bool(true) || value == .string("true") else { throw .parameter(name, "must be true") }
            return argument([""])
        }
        let texts = if case .array(let list) = value { list } else { [value] }
        guard !texts.isEmpty, isRepeatable || texts.count == 1 else { throw .parameter(name, "must be given once") }
        var checked: [String] = []
        for text in texts {
            guard case .string(let text) = text else { throw .parameter(name, "must be a text") }
            // As of any command line: others than ours may ask like this, too.
            guard text.utf8.count <= Limits.sentArgumentBytes, !text.utf8.contains(0) else {
                throw .parameter(name, "must be a text of at most \(Limits.sentArgumentBytes) bytes, none of them 0")
            }
            if let complaint = kind.complaint(text) { throw .parameter(name, complaint) }
            checked.append(text)
        }
        return argument(checked)
    }

    private func argument(_ texts: [String]) -> [String: [String]] { option.map { [$0: texts] } ?? [:] }

    private func text(_ value: JSONValue, _ kind: ValueKind) throws(Problem) -> String {
        switch (kind.isNumber, value) {
        case (true, .int(let number)): return String(number)
        case (true, .uint(let number)): return String(number)
        case (true, .double(let number)): return "\(number)"
        case (false, .string(let text)): return text
        case (true, _): throw .parameter(name, kind.complaint("") ?? "must be a number")
        case (false, _): throw .parameter(name, "must be a text")
        }
    }

    private func checked(_ text: String, _ kind: ValueKind) throws(Problem) -> String {
        if let complaint = kind.complaint(text) { throw .parameter(name, complaint) }
        if case .seconds(let most) = kind, UInt64(text) == nil {
            throw .parameter(name, "must be a whole number of seconds from 0 to \(most)")
        }
        guard text.unicodeScalars.count <= Limits.apiTextCharacters, !text.unicodeScalars.contains("\0") else {
            throw .parameter(name, "must be a text of at most \(Limits.apiTextCharacters) characters, none of them 0")
        }
        return text
    }

    private func matching(_ text: String, _ pattern: String) throws(Problem) -> String {
        let isMatch = (try? Regex(pattern).wholeMatch(in: text)) != nil
        guard isMatch else { throw .parameter(name, "must be \(help.isEmpty ? pattern : help)") }
        return text
    }

    private func participants(_ list: [JSONValue]) throws(Problem) -> [String] {
        var texts: [String] = []
        for value in list {
            guard case .object(let fields) = value, let address = fields["address"]?.text, !address.isEmpty,
                !address.contains("="), fields.keys.allSatisfy({ $0 == "address" || $0 == "name" })
            else { throw .parameter(name, "must be a list of objects with `address` and `name`") }
            switch fields["name"] {
            case nil, .null: texts.append(try checked(address, .text(name)))
            case .string(let called): texts.append(try checked("\(address)=\(called)", .text(name)))
            default: throw .parameter(name, "must be a list of objects with `address` and `name`")
            }
        }
        return texts
    }
}

extension ValueKind {
    var isOnOff: Bool {
        if case .choice(_, let words) = self { words == ["on", "off"] } else { false }
    }

    package var isNumber: Bool {
        switch self {
        case .number, .seconds, .decimal: true
        default: false
        }
    }
}

extension ValueKind {
    /// What is allowed, as JSON Schema (2020-12).
    var schema: JSONValue {
        switch self {
        case .text:
            .object([
                "type": .string("string"), "minLength": .int(1), "maxLength": .number(Limits.apiTextCharacters),
                "pattern": .string("^[^\\u0000]*$"),
            ])
        case .line(_, let bytes): FieldRule.bytes(bytes, isLine: true).schema
        case .form(let word, let form):
            // Where there is no pattern, the answer to a wrong one says what the form is.
            form.pattern.map { .object(["type": .string("string"), "pattern": .string($0)]) }
                ?? ValueKind.text(word).schema
        case .number(_, let range):
            .object([
                "type": .string("integer"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
            ])
        case .seconds(let most):
            .object(["type": .string("integer"), "minimum": .int(0), "maximum": .number(most)])
        case .decimal(_, let most):
            .object(["type": .string("number"), "exclusiveMinimum": .int(0), "maximum": .double(most)])
        case .hostPort, .peer, .discovery, .api, .peers: .object(["type": .string("string")])
        case .txid: .object(["type": .string("string"), "pattern": .string("^[0-9a-fA-F]{64}$")])
        case .day:
            .object([
                "type": .string("string"), "format": .string("date"),
                "pattern": .string("^(19[7-9]|[2-9][0-9]{2})[0-9]-"),
            ])
        case .choice(_, let words): .object(["type": .string("string"), "enum": .array(words.map { .string($0) })])
        }
    }
}
