package import NodeCore

/// The days of standings. Weeks start on Monday, months on their first; both include their last day, so that results of
/// tomorrow, from further east, count.
package enum StandingsPeriod: Hashable, Sendable {
    case today
    case yesterday
    case week
    case lastWeek
    case month
    case all
    case days(ClosedRange<Day>)

    /// The days of the period on which there can be results: none after tomorrow, which is today further east. Nil if
    /// there are none.
    func shown(today: Day) -> ClosedRange<Day>? {
        let shown = Day.first...(today + 1)
        return (days(today: today) ?? shown).limited(to: shown)
    }

    /// Nil for all days.
    package func days(today: Day) -> ClosedRange<Day>? {
        switch self {
        case .today: today...today
        case .yesterday: (today - 1)...(today - 1)
        case .week: today.weekStart...(today.weekStart + 6)
        case .lastWeek: (today.weekStart - 7)...(today.weekStart - 1)
        case .month: today.month
        case .all: nil
        case .days(let days): days
        }
    }

    /// The name used on the command line, which has other words for ranges.
    package init?(name: String) {
        switch name {
        case "today": self = .today
        case "yesterday": self = .yesterday
        case "week": self = .week
        case "last-week": self = .lastWeek
        case "month": self = .month
        case "all": self = .all
        default: return nil
        }
    }
}

extension ClosedRange<Day> {
    /// The part inside another range; nil if there is none.
    fileprivate func limited(to other: ClosedRange<Day>) -> ClosedRange<Day>? {
        overlaps(other) ? clamped(to: other) : nil
    }
}
