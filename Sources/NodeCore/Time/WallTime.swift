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
