import JSONLines
import Node
import NodeModel

/// docs/COMMANDS.md: each command with its options, its ways over HTTP and its answers, made of the values that the
/// parser and the router read.
package enum Reference {
    /// - Parameter specs: all commands of the program, in the order of its help.
    package static func markdown(_ specs: [CommandSpec]) -> String {
        var schemas = Schemas()
        let sections = specs.map { section($0, &schemas) }
        let answers = schemas.named.sorted { $0.key < $1.key }.map(answer)
        return ([head] + sections + [tail] + answers).joined(separator: "\n\n") + "\n"
    }

    private static let head = """
        # Commands and their answers

        Made by `kachat-node help --reference` of what the program itself reads; [SCRIPTING](SCRIPTING.md) says what
        scripts may rely on besides, [API](API.md) how requests are made. With `--json` a command prints its answer: one
        object, or one a line.
        """

    private static let tail = """
        # Answers

        A field with `?` may be absent; `null` stands where there is no value. Later versions may have further fields.
        """

    private static func section(_ spec: CommandSpec, _ schemas: inout Schemas) -> String {
        var parts = ["## \(spec.name)", spec.summary + ".", "```\n\(spec.usage)\n```"]
        let options = spec.options.map { "- `\($0.usage)`: \($0.help)" }
        if !options.isEmpty { parts.append(options.joined(separator: "\n")) }
        let ways = (Command.named(spec.name)?.endpoints ?? []).map { way($0, &schemas) }
        if !ways.isEmpty { parts.append(ways.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private static func way(_ endpoint: Endpoint, _ schemas: inout Schemas) -> String {
        _ = endpoint.answer.model.schema(&schemas)
        let name = endpoint.answer.model.name
        let answer = "[\(name)](#\(name.lowercased()))"
        let what =
            switch endpoint.answer.form {
            case .object: answer
            case .list, .lines, .events: "\(answer), each"
            case .metrics: "of \(answer), as text"
            }
        return "- `\(endpoint.method.rawValue) \(endpoint.template)` (\(endpoint.access.words)): \(what)"
    }

    private static func answer(_ name: String, _ schema: JSONValue) -> String {
        guard case .object(let fields)? = schema["properties"] else { return "## \(name)" }
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        let lines = fields.sorted { $0.key < $1.key }.map { field, schema in
            "- `\(field)\(required.contains(field) ? "" : "?")`: \(type(schema))"
        }
        return "## \(name)\n\n" + lines.joined(separator: "\n")
    }

    /// `text`, `number or null`, `list of Gap`.
    private static func type(_ schema: JSONValue) -> String {
        if let name = schema["$ref"]?.text?.split(separator: "/").last { return "[\(name)](#\(name.lowercased()))" }
        if let words = schema["enum"] {
            return words.elements.compactMap(\.text).map { "`\($0)`" }.joined(separator: ", ")
        }
        switch schema["type"] {
        case .string("array")?: return "list of " + type(schema["items"] ?? .null)
        case .string("object")?: return "object of " + type(schema["additionalProperties"] ?? .null)
        case .string(let name)?: return words[name] ?? name
        case .array(let types)?:
            guard case .object(var one) = schema, types.count == 2, let first = types.first else {
                return types.compactMap(\.text).map { words[$0] ?? $0 }.joined(separator: ", ")
            }
            one["type"] = first
            return type(.object(one)) + " or null"
        default: return (schema["anyOf"]?.elements ?? []).map(type).joined(separator: " or ")
        }
    }

    private static let words = [
        "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null",
    ]
}

extension Endpoint.Access {
    /// What a token needs.
    fileprivate var words: String {
        switch self {
        case .open: "open to all"
        case .anyToken: "any token"
        case .scope(let scope): "scope `\(scope.rawValue)`"
        case .feed: "scope `chat:read` or `groups:read`"
        case .owner: "the home's socket and the dashboard"
        case .home: "the home's socket"
        }
    }
}
