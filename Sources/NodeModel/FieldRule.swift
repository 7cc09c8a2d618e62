package import JSONLines

/// A restriction of a field beyond its type, for reading and as JSON Schema.
package struct FieldRule<Value>: Sendable {
    /// Why the value is not allowed, as a continuation of the field's name; nil if it is allowed.
    package let complaint: @Sendable (Value) -> String?
    /// Adds the rule to the type's schema.
    let narrow: @Sendable (JSONValue) -> JSONValue

    package init(adding members: [String: JSONValue], _ complaint: @escaping @Sendable (Value) -> String?) {
        self.complaint = complaint
        narrow = { schema in
            guard case .object(let fields) = schema else { return schema }
            return .object(fields.merging(members) { $1 })
        }
    }
}

extension FieldRule where Value: FieldValue {
    /// The schema of a value that keeps the rule.
    package var schema: JSONValue {
        var schemas = Schemas()
        return narrow(Value.schema(&schemas))
    }
}

extension FieldRule where Value == String {
    /// A text of one byte of UTF-8, or none, to `most`. JSON Schema counts characters, not bytes: the schema allows any
    /// text of a quarter as many characters, and an ASCII text of as many.
    ///
    /// - Parameter isLine: refuses control characters.
    package static func bytes(_ most: Int, orEmpty: Bool = false, isLine: Bool = false) -> FieldRule {
        let any: [String: JSONValue] = isLine ? ["pattern": "^[^\\x00-\\x1f]*$"] : [:]
        let ascii = isLine ? "^[\\x20-\\x7f]*$" : "^[\\x00-\\x7f]*$"
        var members: [String: JSONValue] = [
            "anyOf": [
                .object(any.merging(["maxLength": .number(most / 4)]) { $1 }),
                ["maxLength": .number(most), "pattern": .string(ascii)],
            ]
        ]
        if !orEmpty { members["minLength"] = 1 }
        return FieldRule(adding: members) { text in
            if text.isEmpty { return orEmpty ? nil : "is empty" }
            if text.utf8.count > most { return "has \(text.utf8.count) bytes, more than \(most)" }
            return isLine && text.unicodeScalars.contains { $0.value < 0x20 } ? "has control characters" : nil
        }
    }

    /// A transaction id: 64 hexadecimal digits.
    package static let txid = FieldRule(adding: ["pattern": "^[0-9a-fA-F]{64}$"]) { text in
        let isHex = text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        guard text.utf8.count != 64 || !isHex else { return nil }
        let found = text.utf8.count == 64 ? "other characters" : "\(text.utf8.count) characters"
        return "must have 64 hexadecimal digits, not \(found)"
    }

    package static let uuid = FieldRule(adding: ["pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"]) {
        text in
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        let isUUID = parts == [8, 4, 4, 4, 12] && text.allSatisfy { $0 == "-" || $0.isHexDigit }
        return isUUID ? nil : "must be a UUID"
    }
}

extension FieldRule where Value == Int {
    /// A whole number from 0. The store refuses numbers above `most` itself.
    package static func count(upTo most: Int) -> FieldRule {
        FieldRule(adding: ["minimum": 0, "maximum": .number(most)]) { $0 < 0 ? "is negative" : nil }
    }

    /// A given time in milliseconds since 1970. The store refuses those that are too high itself.
    package static let milliseconds = FieldRule(
        adding: ["minimum": 0, "maximum": .number(Limits.timeMilliseconds), "description": "milliseconds since 1970"]
    ) { $0 < 0 ? "is negative" : nil }

    /// A given time in seconds since 1970.
    package static let seconds = FieldRule(
        adding: ["minimum": 0, "maximum": .number(Limits.timestampSeconds), "description": "seconds since 1970"]
    ) { time in
        if time < 0 { return "is negative" }
        guard time > Limits.timestampSeconds else { return nil }
        let guess = time <= Limits.timeMilliseconds ? "; \(time) looks like milliseconds" : ", not \(time)"
        return "must be in seconds since 1970" + guess
    }

    /// A whole number from 0 to `most`.
    package static func upTo(_ most: Int) -> FieldRule {
        FieldRule(adding: ["minimum": 0, "maximum": .number(most)]) { number in
            if number < 0 { return "is negative" }
            return number > most ? "is more than \(most)" : nil
        }
    }
}

extension FieldRule {
    /// A list of at most `count` elements.
    package static func most<Element>(_ count: Int) -> FieldRule where Value == [Element] {
        FieldRule(adding: ["maxItems": .number(count)]) { $0.count > count ? "has more than \(count)" : nil }
    }
}

/// Times and days, of which the document tells the unit.
extension FieldRule {
    /// Milliseconds since 1970, as all times of answers but those named `…Ts`.
    package static var time: FieldRule { told(["description": "milliseconds since 1970"]) }
    /// Seconds since 1970, as senders give their time: `…Ts`.
    package static var senderTime: FieldRule { told(["description": "seconds since 1970"]) }
    /// A day as a number.
    package static var day: FieldRule { told(["description": "a day in UTC as yyyymmdd, such as 20261121"]) }

    fileprivate static func told(_ members: [String: JSONValue]) -> FieldRule {
        FieldRule(adding: members) { _ in nil }
    }
}

extension FieldRule where Value == String {
    /// As RFC 3339 writes it, for what other programs read in that form.
    package static let dateTime = told(["format": "date-time"])
}

extension FieldRule where Value == [String: String] {
    /// The same for each of several names.
    package static let dateTimes = told(["additionalProperties": FieldRule<String>.dateTime.schema])
}
