import NodeCore

/// Times as RFC 3339 writes them: `2025-01-31T12:00:00.000Z`.
package enum ISOTime {
    /// The years 1970 to 9999, in milliseconds.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    package static func text(milliseconds: Int64) -> String {
        let time = CivilTime(milliseconds: milliseconds)
        return "\(time.date.text)T\(time.clock).\(String(1_000 + time.milliseconds % 1_000).dropFirst())Z"
    }

    /// Reads a date and a time with its zone, optionally with a fraction of up to nine digits; nil for any other text,
    /// and for a time that its zone moves out of `range`.
    package static func milliseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let day = Day(text: String(parts[0])), let zone = zone(parts[1]) else { return nil }
        let time = zone.time.split(separator: ".", omittingEmptySubsequences: false)
        let clock = time[0].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count <= 2, clock.map(\.utf8.count) == [2, 2, 2] else { return nil }
        guard clock.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let numbers = clock.compactMap { Int64($0) }
        guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 61 else { return nil }
        var fraction: Int64 = 0
        if time.count == 2 {
            guard (1...9).contains(time[1].utf8.count), time[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            fraction = Int64((time[1] + "00").prefix(3)) ?? 0
        }
        let seconds = numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
        let whole = day.start.milliseconds + (seconds - zone.ahead) * 1_000 + fraction
        return range.contains(whole) ? whole : nil
    }

    /// The time without its zone, and the seconds that the zone is ahead of UTC: `Z`, `+02:00`.
    private static func zone(_ text: Substring) -> (time: Substring, ahead: Int64)? {
        if text.last == "Z" { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let parts = text[sign...].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2], parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return (text[..<sign], (text[sign] == "+" ? 1 : -1) * (hours * 3_600 + minutes * 60))
    }
}
