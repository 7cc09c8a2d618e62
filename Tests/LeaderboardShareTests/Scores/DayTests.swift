import NodeCore
import Testing

@testable import LeaderboardShare

@Suite("Days") struct DayTests {
    @Test("Each day of four centuries follows from the one before, and reads back")
    func calendar() throws {
        var day = try #require(Day(dateInt: 1900_01_01))
        var (year, month, date) = (1900, 1, 1)
        while year < 2300 {
            #expect(day.dateInt == year * 10_000 + month * 100 + date)
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            if date == 1 {
                #expect(Day(dateInt: day.dateInt) == day)
                #expect(day.month == day...(day + (length - 1)))
                #expect(Day(dateInt: year * 10_000 + month * 100 + length + 1) == nil)
            }
            date += 1
            if date > length { (month, date) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            day = day + 1
        }
    }

    @Test(
        "Dates that do not exist",
        arguments: [0, -1, 2025_02_29, 2025_13_01, 2025_00_10, 2025_04_31, 99_999_999, Int.max])
    func noSuchDay(dateInt: Int) {
        #expect(Day(dateInt: dateInt) == nil)
    }

    @Test("The last second of a day and the first of the next; clocks before 1970 and at the ends of time")
    func moments() {
        let midnight = WallTime(milliseconds: 1_735_689_600_000)
        #expect(Day(midnight).dateInt == 2025_01_01)
        #expect(Day(midnight - .milliseconds(1)).dateInt == 2024_12_31)
        #expect(Day(midnight).start == midnight && Day(midnight).end == midnight + .seconds(86_400))
        #expect(Day(WallTime(milliseconds: -1)).dateInt == 1969_12_31)
        #expect(Day(WallTime(milliseconds: 0)).dateInt == 1970_01_01)
        #expect(Day(WallTime(milliseconds: .max)).dateInt == 9999_12_31)
        #expect(Day(WallTime(milliseconds: .min)).dateInt == 1_01_01)
    }

    @Test("Weeks start on Monday")
    func weeks() throws {
        let monday = try #require(Day(dateInt: 2025_01_06))
        for offset in 0..<7 { #expect((monday + offset).weekStart == monday) }
        #expect((monday - 1).weekStart == monday - 7)
        #expect(try #require(Day(dateInt: 1969_12_30)).weekStart.dateInt == 1969_12_29)
        #expect(StandingsPeriod.lastWeek.days(today: monday) == (monday - 7)...(monday - 1))
    }
}
