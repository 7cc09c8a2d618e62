package import JSONLines

/// A JSON object of the node's API. It names each of its fields once, in `fields`; encoding, decoding and the schema of
/// the OpenAPI document follow from that.
///
/// ```swift
/// package mutating func fields(_ field: inout FieldCoder) {
///     field("txid", &txid, .txid)
///     field.optional("blockTime", &blockTime, .time)
/// }
/// ```
package protocol Model: FieldValue {
    init()
    mutating func fields(_ field: inout FieldCoder)
    /// Its name among the schemas of the OpenAPI document.
    static var modelName: String { get }
    /// The place after this item, from which its list or feed continues.
    var nextPlace: String? { get }
    /// The name of this item as an event of a feed.
    var eventName: String? { get }
}

extension Model {
    /// Fills in the fields of an empty model.
    package init(_ fill: (inout Self) throws -> Void) rethrows {
        self.init()
        try fill(&self)
    }

    package static var modelName: String { "\(Self.self)" }
    package var nextPlace: String? { nil }
    package var eventName: String? { nil }

    package var json: JSONValue { .object(jsonFields) }

    package var jsonFields: [String: JSONValue] {
        var coder = FieldCoder(.collecting)
        var copy = self
        copy.fields(&coder)
        return coder.written
    }

    /// Writes the object in one line with keys in ascending order, as `json` would be written. Avoids a dictionary,
    /// which would double the time of an export of a million messages.
    package func write(into bytes: inout [UInt8]) {
        var coder = FieldCoder.writer()
        var copy = self
        copy.fields(&coder)
        coder.assemble(into: &bytes)
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    /// Ignores unknown fields, which a later version may have.
    package init(json value: JSONValue) throws(FieldError) {
        guard case .object(let given) = value else { throw FieldError("", "must be an object") }
        var coder = FieldCoder(.reading)
        coder.given = given
        self.init()
        fields(&coder)
        if let error = coder.error { throw error }
    }

    /// Reads one JSON text, such as a line of an import.
    package init(json text: some Collection<UInt8>) throws(FieldError) {
        try self.init(json: try JSONValue(object: text))
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue { schemas.reference(to: Self.self) }

    /// The schema itself, without a name.
    static func definition(_ schemas: inout Schemas) -> JSONValue {
        var coder = FieldCoder(.describing)
        coder.schemas = schemas
        var blank = Self()
        blank.fields(&coder)
        schemas = coder.schemas
        var fields: [String: JSONValue] = ["type": "object", "properties": .object(coder.written)]
        if !coder.required.isEmpty { fields["required"] = .array(coder.required.map { .string($0) }) }
        return .object(fields)
    }
}

extension JSONValue {
    /// Reads one JSON object, such as a line of an import.
    package init(object text: some Collection<UInt8>) throws(FieldError) {
        if let value = JSONValue(json: text) {
            switch value {
            case .object: self = value
            case .array: throw FieldError("", "is a JSON array: put each object on its own line")
            default: throw FieldError("", "is not a JSON object")
            }
            return
        }
        let isList = text.first { $0 > 0x20 } == UInt8(ascii: "[")
        let hint = isList ? "; it begins an array: put each object on its own line" : ""
        throw FieldError("", "is not a JSON object" + (JSONFault(text).map { ": \($0.sentence)" } ?? "") + hint)
    }
}

/// An error in a JSON value, and the field that has it.
package struct FieldError: Error, Hashable, CustomStringConvertible {
    /// Such as `attachments[0].mimeType`; empty for the value as a whole.
    package let field: String
    /// Continues the field's name: `must be a text`. Nil if the field is missing.
    package let reason: String?

    package init(_ field: String, _ reason: String?) {
        self.field = field
        self.reason = reason
    }

    package var description: String {
        guard let reason else { return "lacks `\(field)`" }
        return field.isEmpty ? reason : "`\(field)` \(reason)"
    }

    package func within(_ outer: String) -> FieldError {
        let isInner = !field.isEmpty && !field.hasPrefix("[")
        return FieldError(outer + (isInner ? "." : "") + field, reason)
    }
}

/// Visits the fields of a model, and writes, reads or describes each.
package struct FieldCoder {
    fileprivate enum Work {
        /// As bytes.
        case writing
        /// As JSON values by their names.
        case collecting
        case reading
        case describing
    }

    private let work: Work
    /// The fields or their schemas, by name.
    package private(set) var written: [String: JSONValue] = [:]
    /// The first error in the given object.
    package private(set) var error: FieldError?
    fileprivate var given: [String: JSONValue] = [:]
    fileprivate var required: [String] = []
    fileprivate var schemas = Schemas()

    /// The encoded fields in a row, each with its name, and the start of each.
    private var bytes: [UInt8] = []
    private var starts: [(name: String, start: Int)] = []

    fileprivate init(_ work: Work) { self.work = work }

    static func writer() -> FieldCoder {
        var coder = FieldCoder(.writing)
        coder.bytes.reserveCapacity(512)
        coder.starts.reserveCapacity(24)
        return coder
    }

    /// Appends the object with its fields in the order of their names.
    fileprivate func assemble(into target: inout [UInt8]) {
        target.append(UInt8(ascii: "{"))
        let order = starts.indices.sorted { starts[$0].name < starts[$1].name }
        for (number, index) in order.enumerated() {
            if number > 0 { target.append(UInt8(ascii: ",")) }
            let end = index + 1 < starts.count ? starts[index + 1].start : bytes.count
            target.append(contentsOf: bytes[starts[index].start..<end])
        }
        target.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ name: String, _ value: some FieldValue) {
        starts.append((name, bytes.count))
        JSONValue.write(name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(into: &bytes)
    }

    /// A field that is always present. Nil is written as null; null and a missing field are read as nil.
    package mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ rule: FieldRule<Value>? = nil
    ) {
        switch work {
        case .writing: write(name, value)
        case .collecting: written[name] = value.json
        case .reading: read(name, &value, rule)
        case .describing:
            describe(name, Value.self, rule)
            required.append(name)
        }
    }

    /// A field that is left out if it has no value.
    ///
    /// - Parameter asNull: write null instead.
    package mutating func optional<Value: FieldValue>(
        _ name: String, _ value: inout Value?, _ rule: FieldRule<Value>? = nil, asNull: Bool = false
    ) {
        switch work {
        case .writing: if value != nil || asNull { write(name, value) }
        case .collecting: if value != nil || asNull { written[name] = value.json }
        case .reading:
            guard let json = given[name], json != .null else { return }
            var present = value ?? Value.blank
            read(name, &present, rule, json)
            value = present
        case .describing: describe(name, Value?.self, rule)
        }
    }

    /// A field that is left out unless it `isTold`; a missing field keeps its value.
    package mutating func callAsFunction<Value: FieldValue>(_ name: String, _ value: inout Value, ifTold isTold: Bool) {
        var told: Value? = isTold ? value : nil
        optional(name, &told)
        value = told ?? value
    }

    /// A word that is always present. A word that this version does not know is read as nil.
    package mutating func known<Value: Word>(_ name: String, _ value: inout Value?) {
        var word = value?.rawValue ?? ""
        self(name, &word)
        value = Value(rawValue: word)
    }

    /// Reads the field by a former name if it is missing under its present one. Call this before naming the field.
    package mutating func formerName(_ former: String, of name: String) {
        guard work == .reading, given[name] == nil || given[name] == .null else { return }
        given[name] = given[former]
    }

    /// A list that is left out if it is empty.
    package mutating func list<Value: FieldValue>(_ name: String, _ values: inout [Value], most: Int? = nil) {
        var list: [Value]? = values.isEmpty ? nil : values
        optional(name, &list, most.map { .most($0) })
        values = list ?? []
    }

    /// Fields that are present all together or not at all.
    ///
    /// - Parameter mark: the part is present if this field of it is.
    package mutating func together<Part: Model>(_ part: inout Part?, by mark: String) {
        switch work {
        case .writing, .collecting: part?.fields(&self)
        case .reading:
            guard given[mark] != nil else { return }
            var read = Part()
            read.fields(&self)
            part = read
        case .describing:
            let needed = required
            var blank = Part()
            blank.fields(&self)
            required = needed
        }
    }

    private mutating func describe<Value>(_ name: String, _ type: Value.Type, _ rule: FieldRule<Value>?)
    where Value: FieldValue {
        let schema = Value.schema(&schemas)
        written[name] = rule?.narrow(schema) ?? schema
    }

    private mutating func describe<Value>(_ name: String, _ type: Value?.Type, _ rule: FieldRule<Value>?)
    where Value: FieldValue {
        let schema = Value.schema(&schemas)
        written[name] = nullable(rule?.narrow(schema) ?? schema)
    }

    private mutating func read<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ rule: FieldRule<Value>?, _ json: JSONValue? = nil
    ) {
        guard error == nil else { return }
        guard let json = json ?? given[name], json != .null || Value.absent != nil else {
            if let absent = Value.absent { value = absent } else { error = FieldError(name, nil) }
            return
        }
        do throws(FieldError) {
            value = try read(json, rule)
            if let complaint = rule?.complaint(value) { throw FieldError("", complaint) }
        } catch {
            self.error = error.within(name)
        }
    }
    /// A value of another type gets the rule's words.
    private func read<Value: FieldValue>(_ json: JSONValue, _ rule: FieldRule<Value>?) throws(FieldError) -> Value {
        do throws(FieldError) {
            return try Value(json: json)
        } catch {
            guard error.field.isEmpty, let allowed = rule?.allowed else { throw error }
            throw FieldError("", "must be \(allowed)")
        }
    }
}
