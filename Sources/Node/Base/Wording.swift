package import NodeCore
package import SyncState

/// Numbers, times and words in sentences.
package enum Wording {
    package static func capitalised(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A wrong text, to follow what is allowed: `, not x` with the text in backticks; nothing for an empty one.
    package static func instead(_ text: some StringProtocol) -> String { text.isEmpty ? "" : ", not `\(text)`" }

    /// `1 device`, `2 devices`
    package static func count(_ number: Int, _ what: String) -> String {
        "\(grouped(number)) \(what)\(number == 1 ? "" : "s")"
    }

    /// `a, b and 2 more`, if `count` is 4.
    package static func list(_ named: [String], of count: Int) -> String {
        named.joined(separator: ", ") + (count > named.count ? " and \(count - named.count) more" : "")
    }

    /// Messages, or items if the records do not give the number of messages.
    package static func messages(_ sum: BlobSum) -> String {
        let size = " (\(bytes(sum.bytes)))"
        return (sum.messages > 0 ? count(sum.messages, "message") : count(sum.blobs, "item")) + size
    }

    /// `12,345`
    package static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// `3.4 MB`, in powers of ten, like the system's tools.
    package static func bytes(_ number: Int) -> String {
        guard number >= 1_000 else { return "\(number) B" }
        var value = Double(number)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB"]
        // A value that would be shown as 1000 uses the next unit.
        while value >= 999.5, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return value < 9.95 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
    }

    /// `2026-11-21 02:12 UTC`
    package static func time(_ wall: WallTime) -> String { CivilTime(milliseconds: wall.milliseconds).text + " UTC" }

    /// `40 s`, `3 min`, `2 h`, `5 days`
    package static func duration(seconds: Double) -> String {
        if seconds < 90 { return "\(Int(max(1, seconds.rounded(.up)))) s" }
        if seconds < 5_400 { return "\(Int((seconds / 60).rounded())) min" }
        if seconds < 172_800 { return "\(Int((seconds / 3_600).rounded())) h" }
        return "\(Int(min(seconds / 86_400, 1e9).rounded())) days"
    }
}
