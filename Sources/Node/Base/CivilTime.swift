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
