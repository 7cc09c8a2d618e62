/// A position in the settings file, counted from 1; columns in characters.
struct TextPlace: Equatable {
    package var line = 1
    package var column = 1
}

/// An error in the settings file, and its position.
struct SettingsError: Error, Equatable {
    package let place: TextPlace
    /// Continues the sentence "line 3, column 7: …".
    package let reason: String
}

/// Reads the settings file: a JSON object (RFC 8259) whose values are numbers, texts, true, false or null. Unlike a
/// general reader it knows the position of each name and value, so that a person finds the error.
struct SettingsScanner {
    struct Member {
        package let name: String
        package let place: TextPlace
        package let value: JSONValue
        let valuePlace: TextPlace
    }

    private let bytes: [UInt8]
    private var position = 0
    private var place = TextPlace()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func members() throws(SettingsError) -> [Member] {
        try expect("{")
        var members: [Member] = []
        skipBlanks()
        if peek == UInt8(ascii: "}") {
            advance()
        } else {
            repeat { members.append(try member()) } while try isFollowedByAnother()
        }
        skipBlanks()
        guard peek == nil else { throw error("nothing may follow the closing `}`") }
        return members
    }

    private mutating func member() throws(SettingsError) -> Member {
        skipBlanks()
        let namePlace = place
        guard peek == UInt8(ascii: "\""), case .string(let name) = try token() else {
            throw SettingsError(place: namePlace, reason: "expected a name in double quotes")
        }
        try expect(":")
        skipBlanks()
        let valuePlace = place
        return Member(name: name, place: namePlace, value: try token(), valuePlace: valuePlace)
    }

    private mutating func isFollowedByAnother() throws(SettingsError) -> Bool {
        skipBlanks()
        switch peek {
        case UInt8(ascii: ","):
            advance()
            return true
        case UInt8(ascii: "}"):
            advance()
            return false
        default: throw error("expected `,` or `}`")
        }
    }

    /// Reads a text, a number or a word. This finds its end; the JSON reader interprets it.
    private mutating func token() throws(SettingsError) -> JSONValue {
        let (start, startPlace) = (position, place)
        if peek == UInt8(ascii: "\"") {
            advance()
            while let byte = peek, byte != UInt8(ascii: "\""), byte != 0x0A {
                advance()
                if byte == UInt8(ascii: "\\"), peek != nil { advance() }
            }
            guard peek == UInt8(ascii: "\"") else { throw error("the text has no closing quote") }
            advance()
        } else {
            while let byte = peek, !" \t\r\n,:{}[]\"".utf8.contains(byte) { advance() }
        }
        let text = bytes[start..<position]
        guard !text.isEmpty, let value = JSONValue(json: [0x5B] + text + [0x5D])?.elements.first else {
            throw SettingsError(place: startPlace, reason: "expected a number or a text in double quotes")
        }
        return value
    }

    private mutating func expect(_ character: Character) throws(SettingsError) {
        skipBlanks()
        guard let byte = peek, byte == character.asciiValue else { throw error("expected `\(character)`") }
        advance()
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { advance() }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() {
        if bytes[position] == 0x0A {
            place = TextPlace(line: place.line + 1, column: 1)
        } else if position + 1 == bytes.count || bytes[position + 1] & 0xC0 != 0x80 {
            // The last byte of a character.
            place.column += 1
        }
        position += 1
    }

    private func error(_ reason: String) -> SettingsError { SettingsError(place: place, reason: reason) }
}
