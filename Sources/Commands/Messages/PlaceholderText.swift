/// The text that an old app's archive has in place of a missing body, also garbled by reading UTF-8 in another
/// encoding.
struct PlaceholderText {
    private let forms: Set<String>

    init(_ text: String) { forms = [text, Self.misread(text, Self.windows1252), Self.misread(text) { UInt32($0) }] }

    /// True if the body is this text, ignoring blanks at its ends.
    func matches(_ body: String) -> Bool {
        let isBlank: (Character) -> Bool = \.isWhitespace
        guard let first = body.firstIndex(where: { !isBlank($0) }), let last = body.lastIndex(where: { !isBlank($0) })
        else { return false }
        return forms.contains(String(body[first...last]))
    }

    private static func misread(_ text: String, _ decode: (UInt8) -> UInt32) -> String {
        var misread = String.UnicodeScalarView()
        for byte in text.utf8 { if let scalar = Unicode.Scalar(decode(byte)) { misread.append(scalar) } }
        return String(misread)
    }

    /// Windows-1252: Latin-1 except for 0x80 to 0x9f. Five of these have no character; programs keep the number.
    private static func windows1252(_ byte: UInt8) -> UInt32 {
        let upper: [UInt32] = [
            0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
            0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
            0x0153, 0x9d, 0x017e, 0x0178,
        ]
        return (0x80...0x9f).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
    }
}
