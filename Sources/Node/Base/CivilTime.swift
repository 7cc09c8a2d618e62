import LeaderboardShare

/// A date in UTC for people (proleptic Gregorian calendar, after Hinnant's "days from civil").
package struct CivilTime {
    package let year: Int64
    package let month: Int64
    package let day: Int64
    let hour: Int64
    package let minute: Int64

    package init(milliseconds: Int64) {
        let minutes = Int64((Double(milliseconds) / 60_000).rounded(.down))
        let days = minutes >= 0 ? minutes / 1440 : (minutes - 1439) / 1440
        let ofDay = minutes - days * 1440
        hour = ofDay / 60
        minute = ofDay % 60
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The day of a time in seconds: `2026-11-21`
    package static func day(_ seconds: Int64) -> String {
        String(CivilTime(milliseconds: seconds.multipliedClamped(by: 1_000)).text.prefix { $0 != " " })
    }

    /// `2026-11-21 02:12`
    package var text: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))"
    }
}

extension Int64 {
    package func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}

/// A day in UTC as users write it (proleptic Gregorian calendar, after Hinnant's "days from civil").
package struct CivilDay: Equatable {
    /// Days since 1970-01-01.
    package let number: UInt64

    package static let milliseconds: UInt64 = 86_400_000

    /// `2026-11-21` or `20261121`, from 1970 to 9999.
    package init?(_ text: String) {
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 1, text.count == 8 {
            parts = [text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2)]
        }
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]), year >= 1970,
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // A day that the month lacks is converted to one of the next month.
        let civil = CivilTime(milliseconds: days * Int64(Self.milliseconds))
        guard civil.month == month, civil.day == day else { return nil }
        number = UInt64(days)
    }
}

extension Day {
    /// `20261121` or `2026-11-21`.
    package init?(text: String) {
        if text.utf8.count == 8, let number = Int(text) {
            self.init(dateInt: number)
        } else if let day = CivilDay(text) {
            self.init(number: Int(day.number))
        } else {
            return nil
        }
    }
}
