import NodeCore
import Testing

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
    }

    @Test(
        "Days as users write them",
        arguments: [
            ("1970-01-01", 0), ("1970-12-31", 364), ("2000-02-29", 11_016), ("2026-11-21", 20_778),
            ("20261121", 20_778), ("1969-12-31", -1), ("9999-12-31", 2_932_896),
        ])
    func text(text: String, number: Int32) {
        #expect(Day(text: text)?.number == number)
    }

    @Test(
        "Texts that are no days",
        arguments: [
            "", "2026-11", "2026-11-21-", "2026-11-32", "2026-02-29", "2026-13-01", "2026-00-10", "26-11-21",
            "2026-1-1",
            "2026/11/21", "+026-11-21", "+2026112", "2026-11-2١",
        ])
    func noDay(text: String) {
        #expect(Day(text: text) == nil)
    }

    @Test("Each date reads back from its text")
    func dates() {
        for days in -1_000..<40_000 {
            let date = CivilDate(daysSince1970: days)
            #expect(date.daysSince1970 == days && Day(text: date.text)?.number == Int32(days))
        }
    }
}
