package import Node

/// One parameter of a command, as the command line and HTTP show it.
package struct ParameterSpec: Sendable {
    /// `--limit`, or `TXID` where it is known by its place.
    package let name: String
    /// Nil: a switch, which is given or not.
    package let value: ValueKind?
    package let isRepeatable: Bool
    package var isRequired: Bool
    package var help: String
    /// How requests name it, and what they may say where that is not what the command line may say.
    package var field: String
    package var request: RequestForm?
    /// The command line gives it by itself, if it does, and has no option for it.
    var isOnlyRequested = false
    /// What a request means that does not give it, if that is another than the command's own.
    var standard: String?

    /// How a request gives a value, where it is not as on the command line.
    package enum RequestForm: Sendable {
        /// Of this kind.
        case value(ValueKind)
        /// True or false, where the command line takes a value that concerns only itself.
        case given
        /// A text of this form (a regular expression that JSON Schema and Swift read alike).
        case pattern(String)
        /// A text, or null to take it away; the command line has a switch for that.
        case clearable(by: String)
        /// Objects with `address` and `name`.
        case participants
        /// One text of several words.
        case words
    }

    /// An option: `--name VALUE`, or a switch without a value.
    package init(
        _ name: String, _ value: ValueKind? = nil, repeatable: Bool = false, required: Bool = false, help: String
    ) {
        self.init(name, value, isRepeatable: repeatable, isRequired: required, help: help)
    }

    /// An argument that is known by its place. All further arguments belong to one that is repeatable; only the last
    /// place may be so.
    package init(_ name: String, _ value: ValueKind, required: Bool = true, repeatable: Bool = false) {
        self.init(name, value, isRepeatable: repeatable, isRequired: required, help: "")
    }

    private init(_ name: String, _ value: ValueKind?, isRepeatable: Bool, isRequired: Bool, help: String) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
        self.help = help
        field = Self.field(of: name)
    }

    /// `blockTime` of `--block-time`, `txid` of `TXID`.
    private static func field(of name: String) -> String {
        let words = name.lowercased().split(separator: "-")
        return words.dropFirst().reduce(words.first.map(String.init) ?? "") { $0 + $1.capitalizedFirst }
    }

    package var isOption: Bool { name.hasPrefix("-") }

    package var usage: String { value.map { "\(name) \($0.placeholder)" } ?? name }
}

package typealias OptionSpec = ParameterSpec
package typealias PlaceSpec = ParameterSpec

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// How a command is called on the command line, from which parser, help, manual page and completions are made.
package struct CommandSpec: Sendable {
    /// One word or two, such as `["message", "list"]`.
    package let path: [String]
    package let summary: String
    package let examples: [String]
    package let parameters: [ParameterSpec]

    package init(_ path: String, summary: String, examples: [String], parameters: [ParameterSpec]) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.examples = examples
        self.parameters = parameters
    }

    package init(
        _ path: String, summary: String, examples: [String], places: [PlaceSpec] = [], options: [OptionSpec] = []
    ) {
        self.init(path, summary: summary, examples: examples, parameters: places + options)
    }

    package var places: [ParameterSpec] { parameters.filter { !$0.isOption } }
    package var options: [ParameterSpec] { parameters.filter { $0.isOption && !$0.isOnlyRequested } }

    /// The path as one text, by which the program recognises the command.
    package var name: String { path.joined(separator: " ") }

    /// `kachat-node message list --conversation C [--limit N]`.
    package var usage: String {
        let places = places.map { ($0.isRequired ? $0.name : "[\($0.name)]") + ($0.isRepeatable ? "…" : "") }
        let options = options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" + ($0.isRepeatable ? "…" : "") }
        return (["kachat-node"] + path + places + options).joined(separator: " ")
    }
}

extension CommandSpec {
    /// Whether the command takes `--account`.
    package var takesAccount: Bool { options.contains { $0.name == Command.account.spec.name } }
}

extension OptionSpec {
    /// Taken by every command that works on an account.
    package static let account = Command.account.spec
}
