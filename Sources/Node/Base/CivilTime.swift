import NodeCore

/// A time in UTC for people.
package struct CivilTime {
    let date: CivilDate
    let milliseconds: Int

    package init(milliseconds: Int64) {
        let time = WallTime(milliseconds: milliseconds).sinceMidnight
        date = CivilDate(daysSince1970: time.days)
        self.milliseconds = time.milliseconds
    }

    /// The day of a time in seconds: `2026-11-21`
    package static func day(_ seconds: Int64) -> String {
        CivilTime(milliseconds: seconds.multipliedClamped(by: 1_000)).date.text
    }

    /// `2026-11-21 02:12`
    package var text: String { "\(date.text) \(clock.prefix(5))" }

    /// `02:12:05`
    var clock: String {
        [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1_000 % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension Int64 {
    package func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
