/// A JSON value that keeps whole numbers exact (a double would round them beyond 2^53).
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// Used only for values above `Int64.max`.
    case uint(UInt64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var integer: Int64? {
        guard case .int(let value) = self else { return nil }
        return value
    }

    package var boolean: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// A number from an integer of any type.
    package static func number(_ value: some BinaryInteger) -> JSONValue {
        if let small = Int64(exactly: value) { return .int(small) }
        return .uint(UInt64(clamping: value))
    }

    /// The text, or null.
    package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// The number, or null.
    package static func optional(_ value: (some BinaryInteger)?) -> JSONValue { value.map { .number($0) } ?? .null }
}
