import Testing

@testable import Node

@Suite struct CivilDayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1970-12-31", 364), ("2000-02-29", 11_016), ("2026-11-21", 20_778), ("20261121", 20_778),
        ("9999-12-31", 2_932_896),
    ]) func days(text: String, number: UInt64) {
        #expect(CivilDay(text)?.number == number)
    }

    @Test(arguments: [
        "", "2026-11", "2026-11-21-", "2026-11-32", "2026-02-29", "2026-13-01", "2026-00-10", "1969-12-31", "26-11-21",
        "2026-1-1", "2026/11/21", "+026-11-21", "2026-11-2١",
    ]) func noDays(text: String) {
        #expect(CivilDay(text) == nil)
    }

    /// Every day comes back from its milliseconds.
    @Test func eachDayIsItself() {
        for number in stride(from: Int64(0), to: 40_000, by: 1) {
            let text = String(CivilTime(milliseconds: number * 86_400_000).text.prefix(10))
            #expect(CivilDay(text)?.number == UInt64(number))
        }
    }
}
