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
