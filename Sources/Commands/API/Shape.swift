import Chat
import Node
import SyncState

/// The form of a JSON object, written in one line, from which its JSON Schema is made.
///
/// ```
/// fields = field *("," field)        field = name ["?"] " " type ["?"]
/// type   = text / name / uuid / int / seconds / milliseconds / score / place / number / bool / txid / any / object
///        / Name of a shape / "[" type "]" / word 1*("|" word) ["|"]
/// ```
/// `?` behind the name: it may be absent; behind the type: it may be null. Further fields may come with later versions.
struct Shape: Sendable {
    package let name: String
    package let fields: String

    init(_ name: String, _ fields: String) {
        self.name = name
        self.fields = fields
    }

    var schema: JSONValue {
        var properties: [String: JSONValue] = [:]
        var required: [JSONValue] = []
        for field in fields.split(separator: ",") {
            let words = field.split(separator: " ")
            guard words.count == 2 else { preconditionFailure("invariant: a field is a name and a type, not \(field)") }
            let name = words[0].hasSuffix("?") ? words[0].dropLast() : words[0]
            properties[String(name)] = Shape.schema(of: words[1])
            if name.count == words[0].count { required.append(.string(String(name))) }
        }
        var schema: [String: JSONValue] = ["type": .string("object"), "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }

    private static func schema(of type: Substring) -> JSONValue {
        if type.hasSuffix("?") { return nullable(schema(of: type.dropLast())) }
        if type.hasPrefix("[") {
            return .object(["type": .string("array"), "items": schema(of: type.dropFirst().dropLast())])
        }
        switch type {
        case "text": return .object(["type": .string("string")])
        case "name": return text(bytes: Node.Limits.nameBytes, isLine: false)
        case "seconds": return count(upTo: Chat.Limits.timestampSeconds)
        case "milliseconds": return count(upTo: Chat.Limits.timeMilliseconds)
        case "place": return count(upTo: UInt64(Chat.Limits.senderOrder))
        case "score": return count(upTo: Chat.Limits.acceptingDaaScore)
        case "uuid":
            return .object([
                "type": .string("string"),
                "pattern": .string("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"),
            ])
        case "int": return .object(["type": .string("integer")])
        case "number": return .object(["type": .string("number")])
        case "bool": return .object(["type": .string("boolean")])
        case "txid": return ValueKind.txid.schema
        case "any": return .object([:])
        case "object": return .object(["type": .string("object")])
        case _ where type.contains("|"):
            return .object([
                "type": .string("string"), "enum": .array(type.split(separator: "|").map { .string(String($0)) }),
            ])
        default: return reference(String(type))
        }
    }

    /// A text of at most so many bytes of UTF-8, of which JSON Schema knows nothing: any text of a quarter as many
    /// characters, or one in ASCII.
    ///
    /// - Parameter isLine: without control characters.
    package static func text(bytes: Int, isLine: Bool = true) -> JSONValue {
        let any: [String: JSONValue] = isLine ? ["pattern": .string("^[^\\x00-\\x1f]*$")] : [:]
        let ascii = isLine ? "^[\\x20-\\x7f]*$" : "^[\\x00-\\x7f]*$"
        return .object([
            "type": .string("string"), "minLength": .int(1),
            "anyOf": .array([
                .object(any.merging(["maxLength": .number(bytes / 4)]) { $1 }),
                .object(["maxLength": .number(bytes), "pattern": .string(ascii)]),
            ]),
        ])
    }

    private static func count(upTo most: UInt64) -> JSONValue {
        .object(["type": .string("integer"), "minimum": .int(0), "maximum": .number(most)])
    }

    static func reference(_ name: String) -> JSONValue { .object(["$ref": .string("#/components/schemas/\(name)")]) }

    private static func nullable(_ schema: JSONValue) -> JSONValue {
        guard case .object(var fields) = schema, let type = fields["type"], fields["enum"] == nil else {
            return .object(["anyOf": .array([schema, .object(["type": .string("null")])])])
        }
        fields["type"] = .array([type, .string("null")])
        return .object(fields)
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
        case .line(_, let bytes): Shape.text(bytes: bytes)
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
