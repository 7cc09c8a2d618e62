/// Numbers and bars for people.
enum Text {
    /// `40,000`
    static func count(_ number: Int) -> String {
        var groups: [String] = []
        var rest = number.magnitude
        while rest >= 1_000 {
            groups.append(String(String(rest % 1_000 + 1_000).dropFirst()))
            rest /= 1_000
        }
        groups.append(String(rest))
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// `1 message`, `40,000 messages`
    static func count(_ number: Int, _ word: String) -> String { "\(count(number)) \(word)\(number == 1 ? "" : "s")" }

    /// `1.25 s`, `310 ms`
    static func duration(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        let hundredths = String(milliseconds % 1_000 / 10 + 100).dropFirst()
        return "\(milliseconds / 1_000).\(hundredths) s"
    }

    static func bar(_ part: Int, of whole: Int, width: Int = 24) -> String {
        let filled = whole > 0 ? min(width, part * width / whole) : width
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    }

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
