import Node
import NodeModel

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
