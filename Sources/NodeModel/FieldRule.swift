package import JSONLines

/// A restriction of a field beyond its type: for reading, for what an error says, and as JSON Schema.
package struct FieldRule<Value>: Sendable {
    /// The allowed values in words, to follow "must be"; nil if the rule restricts nothing, or has words of its own.
    let allowed: String?
    /// Why the value is not allowed, as a continuation of the field's name; nil if it is allowed.
    package let complaint: @Sendable (Value) -> String?
    /// Adds the rule to the type's schema.
    let narrow: @Sendable (JSONValue) -> JSONValue

    package init(adding members: [String: JSONValue], _ complaint: @escaping @Sendable (Value) -> String?) {
        self.init(adding: members, inWords: nil, complaint: complaint)
    }

    /// - Parameter fault: what the value is instead, to follow "not"; empty if that needs no words, nil if it is
    ///   allowed.
    init(adding members: [String: JSONValue], allowed: String, not fault: @escaping @Sendable (Value) -> String?) {
        self.init(
            adding: members, inWords: allowed,
            complaint: { value in fault(value).map { "must be \(allowed)" + ($0.isEmpty ? "" : ", not \($0)") } })
    }

    private init(
        adding members: [String: JSONValue], inWords allowed: String?,
        complaint: @escaping @Sendable (Value) -> String?
    ) {
        self.allowed = allowed
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

/// The characters that a text may have.
package enum TextCharacters: Sendable {
    case any
    /// No U+0000, which no command line and no URL can give.
    case text
    /// The same, and no `=`, which the command line writes after an address.
    case address
    /// No control characters.
    case line

    func allows(_ text: String) -> Bool {
        switch self {
        case .any: true
        case .text: !text.utf8.contains(0)
        case .address: !text.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }
        case .line: !text.utf8.contains { $0 < 0x20 }
        }
    }

    fileprivate var pattern: String? {
        switch self {
        case .any: nil
        case .text: "^[^\\u0000]*$"
        case .address: "^[^=\\u0000]*$"
        case .line: "^[^\\x00-\\x1f]*$"
        }
    }
}

extension FieldRule where Value == String {
    /// A text of one byte of UTF-8, or none, to `most`. JSON Schema counts characters, of which a text has no more than
    /// bytes: the schema refuses no allowed text, and its description tells the bytes.
    package static func bytes(_ most: Int, orEmpty: Bool = false, of characters: TextCharacters = .any) -> FieldRule {
        var members: [String: JSONValue] = [
            "maxLength": .number(most), "description": .string("at most \(most) bytes of UTF-8"),
        ]
        if !orEmpty { members["minLength"] = 1 }
        if let pattern = characters.pattern { members["pattern"] = .string(pattern) }
        let size = (orEmpty ? "at most" : "1 to") + " \(most) bytes"
        let allowed =
            switch characters {
            case .any: "a text of \(size)"
            case .text: "a text of \(size), without U+0000"
            case .address: "a text of \(size), without `=` and U+0000"
            case .line: "one line of \(size)"
            }
        return FieldRule(adding: members, allowed: allowed) { text in
            if text.utf8.count > most { return "\(text.utf8.count)" }
            return text.isEmpty && !orEmpty || !characters.allows(text) ? "" : nil
        }
    }

    /// One to `most` bytes in base64. Their number is not checked here, but where they are decoded.
    package static func base64(_ most: Int) -> FieldRule {
        let members: [String: JSONValue] = [
            "minLength": 1, "maxLength": .number((most + 2) / 3 * 4), "contentEncoding": "base64",
            "description": .string("at most \(most) bytes in base64"),
        ]
        return FieldRule(adding: members, allowed: "1 to \(most) bytes in base64") { $0.isEmpty ? "" : nil }
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
    /// A whole number from 0 to `most`.
    package static func upTo(_ most: Int, adding members: [String: JSONValue] = [:]) -> FieldRule {
        FieldRule(
            adding: ["minimum": 0, "maximum": .number(most)].merging(members) { $1 },
            allowed: "a whole number from 0 to \(most)"
        ) { (0...most).contains($0) ? nil : "\($0)" }
    }

    /// A given time in milliseconds since 1970.
    package static let milliseconds = upTo(
        Limits.timeMilliseconds, adding: ["description": "milliseconds since 1970"])

    /// A given time in seconds since 1970. A time in milliseconds is the commonest slip.
    package static let seconds = FieldRule(
        adding: ["minimum": 0, "maximum": .number(Limits.timestampSeconds), "description": "seconds since 1970"],
        allowed: "a whole number of seconds since 1970, from 0 to \(Limits.timestampSeconds)"
    ) { time in
        if (0...Limits.timestampSeconds).contains(time) { return nil }
        return "\(time)" + (time > 0 && time <= Limits.timeMilliseconds ? ", which looks like milliseconds" : "")
    }
}

extension FieldRule {
    /// A list of at most `count` elements.
    package static func most<Element>(_ count: Int) -> FieldRule where Value == [Element] {
        FieldRule(adding: ["maxItems": .number(count)], allowed: "a list of at most \(count)") { list in
            list.count > count ? "of \(list.count)" : nil
        }
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
