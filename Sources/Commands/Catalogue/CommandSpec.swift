package import Node

/// An option of a command: `--name VALUE`, or a switch without a value.
package struct OptionSpec: Sendable {
    package let name: String
    package let value: ValueKind?
    package let isRepeatable: Bool
    package let isRequired: Bool
    package let help: String

    package init(
        _ name: String, _ value: ValueKind? = nil, repeatable: Bool = false, required: Bool = false, help: String
    ) {
        self.name = name
        self.value = value
        isRepeatable = repeatable
        isRequired = required
        self.help = help
    }

    package var usage: String {
        guard let value else { return name }
        return "\(name) \(value.placeholder)"
    }
}

/// An argument that is known by its place.
package struct PlaceSpec: Sendable {
    package let name: String
    package let value: ValueKind
    package let isRequired: Bool
    /// All further arguments belong to it; only the last place may be so.
    package let isRepeatable: Bool

    package init(_ name: String, _ value: ValueKind, required: Bool = true, repeatable: Bool = false) {
        self.name = name
        self.value = value
        isRequired = required
        isRepeatable = repeatable
    }
}

/// One command: how it is called and what it does, from which parser, help and (later) completions are made.
package struct CommandSpec: Sendable {
    /// One word or two, such as `["message", "list"]`.
    package let path: [String]
    package let summary: String
    package let examples: [String]
    package let places: [PlaceSpec]
    package let options: [OptionSpec]

    package init(
        _ path: String, summary: String, examples: [String], places: [PlaceSpec] = [], options: [OptionSpec] = []
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.examples = examples
        self.places = places
        self.options = options
    }

    /// The path as one text, by which the program recognises the command.
    package var name: String { path.joined(separator: " ") }

    /// `kachat-node message list --conversation C [--limit N]`.
    package var usage: String {
        let places = places.map { ($0.isRequired ? $0.name : "[\($0.name)]") + ($0.isRepeatable ? "…" : "") }
        let options = options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" + ($0.isRepeatable ? "…" : "") }
        return (["kachat-node"] + path + places + options).joined(separator: " ")
    }
}
