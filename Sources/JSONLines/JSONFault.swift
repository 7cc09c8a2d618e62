/// A place in a text, counted from 1; columns are counted in characters.
package struct JSONPlace: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    init(_ offset: Int, in bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
        line = 1 + bytes[..<offset].count { $0 == newline }
        column = 1 + String(decoding: bytes[start..<offset], as: UTF8.self).count
    }
}

/// The place where a text stops being JSON, for those who have to mend it.
package struct JSONFault: Hashable, Sendable {
    package let place: JSONPlace
    /// The character there; nil if the text ends too early, or if there is none.
    private let found: Character?
    /// Whether the bytes there are not UTF-8.
    private let isNoText: Bool

    /// Nil if the bytes are JSON.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard let offset = bytes.withUnsafeBufferPointer({ JSONParser.fault($0) }) else { return nil }
        // The parser notices that only at the end of a string.
        let textEnd = Self.endOfText(bytes)
        isNoText = textEnd < bytes.count && textEnd <= offset
        place = JSONPlace(min(offset, textEnd), in: bytes)
        found = isNoText ? nil : String(decoding: bytes[offset...].prefix(64), as: UTF8.self).first
    }

    /// The offset of the first byte that is not UTF-8.
    private static func endOfText(_ bytes: [UInt8]) -> Int {
        var (decoder, rest, offset) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while case .valid(let scalar) = decoder.parseScalar(from: &rest) { offset += scalar.count }
        return offset
    }

    /// `unexpected "," at line 3, column 7`
    package var sentence: String {
        let place = place.line == 1 ? "column \(place.column)" : "line \(place.line), column \(place.column)"
        return reason + (isEnd ? ", at " : " at ") + place
    }

    /// The same without the place.
    package var reason: String {
        if isNoText { return "bytes that are not UTF-8" }
        guard let found else { return "it ends too early" }
        return found.isNewline ? "the line ends too early" : "unexpected `\(found)`"
    }

    private var isEnd: Bool { found?.isNewline ?? !isNoText }
}

/// A member of an object in a file that people write, with the places of its name and its value.
package struct JSONMember: Sendable {
    package let name: String
    package let value: JSONValue
    package let place: JSONPlace
    package let valuePlace: JSONPlace

    /// The members in their order, with those that repeat a name; nil for any text but an object.
    package static func all(of bytes: [UInt8]) -> [JSONMember]? {
        var members: [JSONMember] = []
        let isObject = bytes.withUnsafeBufferPointer { buffer in
            JSONParser.members(of: buffer) { name, value, start, valueStart in
                members.append(
                    JSONMember(
                        name: name, value: value, place: JSONPlace(start, in: bytes),
                        valuePlace: JSONPlace(valueStart, in: bytes)))
            }
        }
        return isObject ? members : nil
    }
}
