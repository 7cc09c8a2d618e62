package import JSONLines

/// A value in a field of a model.
package protocol FieldValue: Hashable, Sendable {
    var json: JSONValue { get }
    /// Writes what `json` would be written as.
    func write(into bytes: inout [UInt8])
    init(json: JSONValue) throws(FieldError)
    /// The value of a missing field; nil if the field is required.
    static var absent: Self? { get }
    /// An arbitrary value, for reading to overwrite.
    static var blank: Self { get }
    static func schema(_ schemas: inout Schemas) -> JSONValue
}

extension FieldValue {
    package static var absent: Self? { nil }
    package func write(into bytes: inout [UInt8]) { json.write(into: &bytes) }
}

extension Model {
    package static var blank: Self { Self() }
}

extension String: FieldValue {
    package var json: JSONValue { .string(self) }
    package func write(into bytes: inout [UInt8]) { JSONValue.write(self, into: &bytes) }
    package static var blank: String { "" }

    package init(json: JSONValue) throws(FieldError) {
        guard case .string(let text) = json else { throw FieldError("", "must be a text") }
        self = text
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue { ["type": "string"] }
}

extension Int: FieldValue {
    package var json: JSONValue { .int(Int64(self)) }
    package static var blank: Int { 0 }

    package init(json: JSONValue) throws(FieldError) {
        guard case .int(let number) = json else { throw FieldError("", "must be a whole number from 0 to 2^63 - 1") }
        self = Int(number)
    }

    /// With its width, since generated clients take 32 bits otherwise.
    package static func schema(_ schemas: inout Schemas) -> JSONValue { ["type": "integer", "format": "int64"] }
}

extension Double: FieldValue {
    package var json: JSONValue { .double(self) }
    package static var blank: Double { 0 }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .double(let number): self = number
        case .int(let whole): self = Double(whole)
        default: throw FieldError("", "must be a number")
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue { ["type": "number"] }
}

extension Bool: FieldValue {
    package var json: JSONValue { .bool(self) }
    package static var blank: Bool { false }

    package init(json: JSONValue) throws(FieldError) {
        guard case .bool(let flag) = json else { throw FieldError("", "must be true or false") }
        self = flag
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue { ["type": "boolean"] }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    package var json: JSONValue { self?.json ?? .null }
    package static var blank: Wrapped? { nil }
    package static var absent: Wrapped?? { .some(nil) }

    package init(json: JSONValue) throws(FieldError) { self = json == .null ? nil : try Wrapped(json: json) }

    package func write(into bytes: inout [UInt8]) {
        if let self { self.write(into: &bytes) } else { JSONValue.null.write(into: &bytes) }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue { nullable(Wrapped.schema(&schemas)) }
}

extension Array: FieldValue where Element: FieldValue {
    package var json: JSONValue { .array(map(\.json)) }
    package static var blank: [Element] { [] }

    package init(json: JSONValue) throws(FieldError) {
        guard case .array(let elements) = json else { throw FieldError("", "must be a list") }
        self = []
        reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(FieldError) {
                append(try Element(json: element))
            } catch {
                throw error.within("[\(index)]")
            }
        }
    }

    package func write(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["type": "array", "items": Element.schema(&schemas)]
    }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    package var json: JSONValue { .object(mapValues(\.json)) }
    package static var blank: [String: Value] { [:] }

    package init(json: JSONValue) throws(FieldError) {
        guard case .object(let fields) = json else { throw FieldError("", "must be an object") }
        self = [:]
        for (name, field) in fields {
            do throws(FieldError) {
                self[name] = try Value(json: field)
            } catch {
                throw error.within(name)
            }
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["type": "object", "additionalProperties": Value.schema(&schemas)]
    }
}

/// One of a set of words that may grow; words of later versions are kept as they are.
package protocol OpenWord: FieldValue, RawRepresentable<String> {
    init(rawValue: String)
}

extension OpenWord {
    package var json: JSONValue { .string(rawValue) }
    package static var blank: Self { Self(rawValue: "") }
    package init(json: JSONValue) throws(FieldError) { self.init(rawValue: try String(json: json)) }
    package static func schema(_ schemas: inout Schemas) -> JSONValue { String.schema(&schemas) }
}

/// One of a fixed set of words. If a later version may have more, a field is an `OpenWord`, or read by `known`.
package protocol Word: FieldValue, RawRepresentable<String>, CaseIterable {}

extension Word {
    package var json: JSONValue { .string(rawValue) }
    // invariant: there is at least one word.
    package static var blank: Self { allCases.first! }

    package init(json: JSONValue) throws(FieldError) {
        guard case .string(let text) = json else { throw FieldError("", "must be a text") }
        guard let word = Self(rawValue: text) else {
            let instead = text.isEmpty ? "" : ", not `\(String(text.prefix(64)))`"
            throw FieldError("", "must be \(Self.list)\(instead)")
        }
        self = word
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })]
    }

    /// "`a`, `b` or `c`"
    private static var list: String {
        let words = allCases.map { "`\($0.rawValue)`" }
        return words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}

/// One of two models: the first if its fields are present.
package enum Either<First: Model, Second: Model>: Model {
    case first(First)
    case second(Second)

    package init() { self = .first(First()) }

    package init(json value: JSONValue) throws(FieldError) {
        if let first = try? First(json: value) {
            self = .first(first)
        } else {
            self = .second(try Second(json: value))
        }
    }

    package mutating func fields(_ field: inout FieldCoder) {
        switch self {
        case .first(var first): first.fields(&field)
        case .second(var second): second.fields(&field)
        }
    }

    package static var modelName: String { "\(First.modelName)Or\(Second.modelName)" }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        schemas.named[modelName] = ["anyOf": [First.schema(&schemas), Second.schema(&schemas)]]
        return schemas.reference(to: Self.self)
    }
}

/// Any JSON scalar: the value of a setting.
package struct Scalar: FieldValue {
    package let json: JSONValue
    package static var blank: Scalar { Scalar(.null) }
    package static var absent: Scalar? { Scalar(.null) }

    package init(_ json: JSONValue) { self.json = json }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .array, .object: throw FieldError("", "must be a text, a number, true, false or null")
        default: self.json = json
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["type": ["string", "number", "boolean", "null"]]
    }
}

/// The named schemas of a document, each defined once.
package struct Schemas {
    package fileprivate(set) var named: [String: JSONValue] = [:]

    package init() {}

    package mutating func reference<Value: Model>(to type: Value.Type) -> JSONValue {
        let name = type.modelName
        if named[name] == nil {
            // Ends the recursion of a model that contains itself.
            named[name] = .null
            named[name] = type.definition(&self)
        }
        return ["$ref": "#/components/schemas/\(name)"]
    }
}

/// The schema, or null.
package func nullable(_ schema: JSONValue) -> JSONValue {
    guard case .object(var fields) = schema, case .string(let type)? = fields["type"], fields["enum"] == nil else {
        if case .object(let fields) = schema, case .array? = fields["type"] { return schema }
        return ["anyOf": [schema, ["type": "null"]]]
    }
    fields["type"] = [.string(type), "null"]
    return .object(fields)
}
