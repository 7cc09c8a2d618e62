package import Node

/// One parameter of a command, on the command line and over HTTP.
package struct ParameterSpec: Sendable {
    /// `--limit`, or `TXID` for an argument known by its place.
    package let name: String
    /// Nil for a switch.
    package let value: ValueKind?
    package let isRepeatable: Bool
    package var isRequired: Bool
    package var help: String
    /// Its name in requests.
    package var field: String
    /// The form of its value in requests, if it differs from the command line's.
    package var request: RequestForm?
    /// The command line has no option for it.
    package var isOnlyRequested = false
    /// For an option that is the command's object: its word as an argument known by its place, such as `GROUP` of
    /// `--group`. The option stays understood, and no help shows it.
    var place: String?
    /// The default of a request, if it differs from the command's.
    var standard: String?

    package enum RequestForm: Sendable {
        case value(ValueKind)
        /// A boolean for a switch, or for a value that concerns the command line alone.
        case given
        /// A boolean for `on` or `off`.
        case onOff
        /// A text that matches a regular expression, which JSON Schema and Swift read alike.
        case pattern(String)
        /// A text, or null to clear it; the command line has a switch for that.
        case clearable(by: String)
        /// Objects with `address` and `name`.
        case participants
        /// One text of several words.
        case words
        /// One text of some of these words, separated by commas or blanks.
        case choices([String])
        /// A day in UTC; also the number that answers have for it.
        case day
        /// A time up to now: RFC 3339, a day, also as a number, or milliseconds since 1970 as in answers.
        case time
    }

    /// An option (`--name VALUE`), a switch without a value, or an argument known by its place. A repeatable argument
    /// takes all further ones, so it must be the last.
    ///
    /// - Parameter required: nil: an argument known by its place is required.
    package init(
        _ name: String, _ value: ValueKind? = nil, required: Bool? = nil, repeatable: Bool = false, help: String = ""
    ) {
        self.name = name
        self.value = value
        isRepeatable = repeatable
        isRequired = required ?? (value != nil && !name.hasPrefix("-"))
        self.help = help
        field = Self.field(of: name)
    }

    /// `blockTime` of `--block-time`, `txid` of `TXID`.
    private static func field(of name: String) -> String {
        let words = name.lowercased().split(separator: "-")
        return words.dropFirst().reduce(words.first.map(String.init) ?? "") { $0 + Wording.capitalised($1) }
    }

    package var isOption: Bool { name.hasPrefix("-") }

    /// True for an argument that usage lines show by its place.
    package var isPlace: Bool { !isOption || place != nil }

    /// `--limit N`, `--json`, `TXID`.
    package var usage: String {
        guard !isPlace else { return place ?? name }
        return value.map { "\(name) \($0.placeholder)" } ?? name
    }

    /// The option as the command's object, known by its place.
    package func placed(_ word: String) -> ParameterSpec {
        var copy = self
        copy.place = word
        return copy
    }
}

/// A command as the command line knows it: the source of parser, help, manual page and completions.
package struct CommandSpec: Sendable {
    /// One word or two, such as `["message", "list"]`.
    package let path: [String]
    /// Another word by which it is understood; no help shows it.
    package let formerName: String?
    package let summary: String
    package let examples: [String]
    package let parameters: [ParameterSpec]

    /// - Parameter examples: what follows the command's name in each; or whole lines, which name the program.
    package init(
        _ path: String, formerly formerName: String? = nil, summary: String, examples: [String] = [""],
        parameters: [ParameterSpec] = []
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.formerName = formerName
        self.summary = summary
        self.examples = examples.map { example in
            if example.contains("kachat-node ") { return example }
            return "kachat-node \(path)" + (example.isEmpty ? "" : " " + example)
        }
        self.parameters = parameters
    }

    package var places: [ParameterSpec] { parameters.filter(\.isPlace) }
    package var options: [ParameterSpec] { parameters.filter { !$0.isPlace && !$0.isOnlyRequested } }

    /// The path as one text.
    package var name: String { path.joined(separator: " ") }

    /// `kachat-node message list --conversation C [--limit N]`.
    package var usage: String {
        let places = places.map { ($0.isRequired ? $0.usage : "[\($0.usage)]") + ($0.isRepeatable ? "…" : "") }
        let options = options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" + ($0.isRepeatable ? "…" : "") }
        return (["kachat-node"] + path + places + options).joined(separator: " ")
    }

    /// True if the command takes `--account`.
    package var takesAccount: Bool { parameters.contains { $0.name == Command.account.spec.name } }
}

extension ParameterSpec {
    /// Taken by every command that works on an account.
    package static let account = Command.account.spec
}
