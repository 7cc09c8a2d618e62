package import NodeCore

/// A day in UTC, as a count from 1970-01-01: results belong to days, and days are the same everywhere.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int32

    /// 0001-01-01 to 9999-12-31: the range of a number with eight digits.
    private static let numbers: ClosedRange<Int32> = -719_162...2_932_896
    static let first = Day(number: Int(numbers.lowerBound))
    static let last = Day(number: Int(numbers.upperBound))

    /// Clamps the number to the representable range.
    package init(number: Int) {
        self.number = Int32(Swift.min(Swift.max(number, Int(Self.numbers.lowerBound)), Int(Self.numbers.upperBound)))
    }

    /// The day that contains a moment: 00:00:00 is its start, and 23:59:59.999 still belongs to it.
    package init(_ time: WallTime) {
        let length: Int64 = 86_400_000
        let (quotient, rest) = time.milliseconds.quotientAndRemainder(dividingBy: length)
        self.init(number: Int(rest < 0 ? quotient - 1 : quotient))
    }

    /// The day `yyyymmdd`; nil if there is none.
    package init?(dateInt: Int) {
        guard (1_01_01...9999_12_31).contains(dateInt) else { return nil }
        self.init(year: dateInt / 10_000, month: dateInt / 100 % 100, day: dateInt % 100)
        guard self.dateInt == dateInt else { return nil }
    }

    /// Uses the proleptic Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms"). Numbers
    /// that are not a date give another day, which the caller detects by converting it back.
    private init(year: Int, month: Int, day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(number: era * 146_097 + dayOfEra - 719_468)
    }

    /// `yyyymmdd`.
    package var dateInt: Int {
        let (year, month, day) = civil
        return year * 10_000 + month * 100 + day
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(number) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The Monday of this day's week (ISO 8601).
    package var weekStart: Day {
        // 1970-01-01 was a Thursday.
        let fromMonday = (Int(number) + 3) % 7
        return self - (fromMonday < 0 ? fromMonday + 7 : fromMonday)
    }

    /// The first and last day of this day's month.
    package var month: ClosedRange<Day> {
        let (year, month, day) = civil
        let first = self - (day - 1)
        let next = month == 12 ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: month + 1, day: 1)
        return first...max(first, next - 1)
    }

    /// The start of the day.
    package var start: WallTime { WallTime(milliseconds: Int64(number) * 86_400_000) }

    /// The start of the next day.
    package var end: WallTime { WallTime(milliseconds: (Int64(number) + 1) * 86_400_000) }

    package static func < (left: Day, right: Day) -> Bool { left.number < right.number }
    package static func + (day: Day, days: Int) -> Day { Day(number: Int(day.number) + days) }
    package static func - (day: Day, days: Int) -> Day { Day(number: Int(day.number) - days) }
}
