/// Untrusted text on a terminal.
package enum Terminal {
    /// Replaces characters that could move the cursor, hide or reorder text, or end the line: control characters and
    /// Unicode's directional ones.
    package static func harmless(_ text: String, keepingNewlines: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where keepingNewlines: result.append(scalar)
            case 0x09, 0x0A, 0x0D: result.append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
