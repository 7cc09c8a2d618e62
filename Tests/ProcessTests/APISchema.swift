#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Any JSON value, and as much of JSON Schema (2020-12) as the API's document uses.
indirect enum AnyJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    init(_ text: String) throws { self = try JSONDecoder().decode(AnyJSON.self, from: Data(text.utf8)) }

    subscript(name: String) -> AnyJSON? { fields[name] }
    var fields: [String: AnyJSON] { if case .object(let fields) = self { fields } else { [:] } }
    var elements: [AnyJSON] { if case .array(let elements) = self { elements } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }

    private var types: Set<String> {
        switch self {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .number(let value): value == value.rounded() ? ["integer", "number"] : ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }

    /// The value's violations of that schema of the document.
    func complaints(_ schema: AnyJSON, in document: AnyJSON, at place: String = "$") -> [String] {
        // We did not define the document's own format.
        if schema == .bool(true) { return [] }
        if let name = schema["$ref"]?.text?.split(separator: "/").last {
            guard let found = document["components"]?["schemas"]?[String(name)] else { return ["no schema \(name)"] }
            return complaints(found, in: document, at: place)
        }
        if let choices = schema["anyOf"]?.elements {
            let fits = choices.contains { complaints($0, in: document, at: place).isEmpty }
            return fits ? [] : ["\(place) fits none of its schemas"]
        }
        let allowed = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) } ?? []
        guard allowed.isEmpty || !types.isDisjoint(with: allowed) else { return ["\(place) is no \(allowed)"] }
        if let values = schema["enum"]?.elements, !values.contains(self) { return ["\(place) is none of \(values)"] }
        switch self {
        case .array(let elements):
            guard let items = schema["items"] else { return [] }
            return elements.enumerated().flatMap {
                $0.element.complaints(items, in: document, at: "\(place)[\($0.offset)]")
            }
        case .object(let fields):
            let required = schema["required"]?.elements.compactMap(\.text) ?? []
            return required.filter { fields[$0] == nil }.map { "\(place) lacks \($0)" }
                + fields.flatMap { name, value in
                    guard let promised = schema["properties"]?[name] ?? schema["additionalProperties"] else {
                        return ["\(place).\(name) is not promised"]
                    }
                    return value.complaints(promised, in: document, at: "\(place).\(name)")
                }
        default: return []
        }
    }

    /// The places where the schema says nothing about a value or an object's fields.
    func holes(at place: String) -> [String] {
        guard case .object(let schema) = self else { return [] }
        if schema["$ref"] != nil { return [] }
        if let choices = schema["anyOf"]?.elements, schema["type"] == nil {
            return choices.flatMap { $0.holes(at: place) }
        }
        guard let type = schema["type"] else { return ["\(place) may be anything"] }
        let types = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
        var holes: [String] = []
        if types.contains("object") {
            if schema["properties"] == nil, schema["additionalProperties"] == nil {
                holes.append("\(place) may have any fields")
            }
            for (name, field) in schema["properties"]?.fields ?? [:] { holes += field.holes(at: "\(place).\(name)") }
        }
        if types.contains("array") {
            let elements = schema["items"].map { [$0] } ?? schema["prefixItems"]?.elements ?? []
            holes += elements.isEmpty ? ["\(place) may have any elements"] : []
            for element in elements { holes += element.holes(at: place + "[]") }
        }
        return holes
    }
}
