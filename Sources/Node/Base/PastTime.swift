package import NodeCore

/// A time up to now, as users write it: `12h` ago, `2026-11-21` (its first moment, in UTC), `2026-11-21T08:30:00Z`.
package enum PastTime {
    /// Nil for any other text.
    package static func wall(_ text: String, now: WallTime) -> WallTime? {
        if let seconds = Lifetime.seconds(text) { return now - .seconds(Int64(seconds)) }
        if let day = Day(text: text), day.number >= 0 { return day.start }
        return ISOTime.milliseconds(text).map { WallTime(milliseconds: $0) }
    }
}
