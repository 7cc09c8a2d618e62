/// A moment on a clock that never goes back and has no date: for timers and back-off.
///
/// Arithmetic is clamped to the range, since durations may come from peers.
@usableFromInline
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    @usableFromInline package var nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = MonotonicTime(nanoseconds: 0)
    /// Later than anything that happens: "never" as a deadline.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    @inlinable
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (left: MonotonicTime, right: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: left.nanoseconds.addingHeld(right.heldNanoseconds))
    }

    package static func - (left: MonotonicTime, right: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: left.nanoseconds.subtractingHeld(right.heldNanoseconds))
    }

    package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(left.nanoseconds.subtractingHeld(right.nanoseconds))
    }

    package static func += (left: inout MonotonicTime, right: Duration) { left = left + right }
}

/// A date from a clock that people can set and that may be wrong.
///
/// Arithmetic is clamped to the range, since dates may come from peers.
@usableFromInline
package struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    @usableFromInline package var milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    @inlinable
    package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (left: WallTime, right: Duration) -> WallTime {
        WallTime(milliseconds: left.milliseconds.addingHeld(right.heldMilliseconds))
    }

    package static func - (left: WallTime, right: Duration) -> WallTime {
        WallTime(milliseconds: left.milliseconds.subtractingHeld(right.heldMilliseconds))
    }

    package static func - (left: WallTime, right: WallTime) -> Duration {
        .milliseconds(left.milliseconds.subtractingHeld(right.milliseconds))
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to the range of `Int64` (292 years).
    package var heldNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return whole.addingHeld(attoseconds / 1_000_000_000)
    }

    /// Whole milliseconds, clamped to the range of `Int64`.
    package var heldMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return whole.addingHeld(attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    /// The sum, clamped to the range.
    func addingHeld(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the range.
    func subtractingHeld(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
