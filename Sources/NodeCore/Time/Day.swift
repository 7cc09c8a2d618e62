/// A day in UTC, as a count from 1970-01-01: the same everywhere.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int32

    /// 0001-01-01 to 9999-12-31: the range of a number with eight digits.
    private static let numbers: ClosedRange<Int32> = -719_162...2_932_896
    package static let first = Day(number: Int(numbers.lowerBound))

    /// Clamps the number to the representable range.
    package init(number: Int) {
        self.number = Int32(Swift.min(Swift.max(number, Int(Self.numbers.lowerBound)), Int(Self.numbers.upperBound)))
    }

    /// The day that contains a moment: 00:00:00 is its start, and 23:59:59.999 still belongs to it.
    package init(_ time: WallTime) {
        self.init(number: time.sinceMidnight.days)
    }

    /// The day `yyyymmdd`; nil if there is none.
    package init?(dateInt: Int) {
        guard (1_01_01...9999_12_31).contains(dateInt) else { return nil }
        self.init(CivilDate(year: dateInt / 10_000, month: dateInt / 100 % 100, day: dateInt % 100))
        guard self.dateInt == dateInt else { return nil }
    }

    /// The day `2026-11-21` or `20261121`; nil if there is none.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let sizes = parts.map(\.utf8.count)
        guard sizes == [4, 2, 2] || sizes == [8], let number = Int(parts.joined()),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        self.init(dateInt: number)
    }

    private init(_ date: CivilDate) { self.init(number: date.daysSince1970) }

    /// `yyyymmdd`.
    package var dateInt: Int {
        let date = CivilDate(daysSince1970: Int(number))
        return date.year * 10_000 + date.month * 100 + date.day
    }

    /// The Monday of this day's week (ISO 8601).
    package var weekStart: Day {
        // 1970-01-01 was a Thursday.
        let fromMonday = (Int(number) + 3) % 7
        return self - (fromMonday < 0 ? fromMonday + 7 : fromMonday)
    }

    /// The first and last day of this day's month.
    package var month: ClosedRange<Day> {
        let date = CivilDate(daysSince1970: Int(number))
        let first = self - (date.day - 1)
        let next =
            date.month == 12
            ? CivilDate(year: date.year + 1, month: 1, day: 1)
            : CivilDate(year: date.year, month: date.month + 1, day: 1)
        return first...max(first, Day(next) - 1)
    }

    /// The start of the day.
    package var start: WallTime { WallTime(milliseconds: Int64(number) * 86_400_000) }

    /// The start of the next day.
    package var end: WallTime { WallTime(milliseconds: (Int64(number) + 1) * 86_400_000) }

    package static func < (left: Day, right: Day) -> Bool { left.number < right.number }
    package static func + (day: Day, days: Int) -> Day { Day(number: Int(day.number) + days) }
    package static func - (day: Day, days: Int) -> Day { Day(number: Int(day.number) - days) }
}
