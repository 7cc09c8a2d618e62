/// The place where a text stops being JSON, for those who have to mend it.
package struct JSONFault: Hashable, Sendable {
    /// From 1. Columns are counted in characters.
    package let line: Int
    package let column: Int
    /// The character there; nil if the text ends too early.
    package let found: Character?

    /// Nil for JSON.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard let place = bytes.withUnsafeBufferPointer({ JSONParser.fault($0) }) else { return nil }
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
        line = 1 + bytes[..<place].count { $0 == newline }
        column = 1 + String(decoding: bytes[start..<place], as: UTF8.self).count
        found = String(decoding: bytes[place...].prefix(64), as: UTF8.self).first
    }

    /// `unexpected "," at line 3, column 7`
    package var sentence: String {
        let place = line == 1 ? "column \(column)" : "line \(line), column \(column)"
        guard let found else { return "it ends too early, at \(place)" }
        return found.isNewline ? "the line ends too early, at \(place)" : "unexpected `\(found)` at \(place)"
    }
}
