import FoundationEssentials

extension JSONValue: Decodable {
    /// Reads one value of at most `Limits.controlLineBytes` bytes; nil where the bytes are no JSON.
    package init?(json bytes: some Collection<UInt8>) {
        guard bytes.count <= Limits.controlLineBytes else { return nil }
        let decoder = JSONDecoder()
        guard let value = try? decoder.decode(JSONValue.self, from: Data(bytes)) else { return nil }
        self = value
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: JSONKey.self) {
            var fields: [String: JSONValue] = [:]
            for key in container.allKeys { fields[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(fields)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try JSONValue(scalar: try decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .uint(value)
        } else {
            self = .double(try container.decode(Double.self))
        }
    }
}

/// Any field name.
struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
