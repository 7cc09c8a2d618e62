package import NodeCore

/// A clock that stands still until told otherwise.
package final class ManualClock: Clock {
    private struct Reading: Sendable {
        var now: MonotonicTime
        var wall: WallTime
    }

    private let reading: Lock<Reading>

    package init(now: MonotonicTime = .zero, wall: WallTime = WallTime(milliseconds: 0)) {
        reading = Lock(Reading(now: now, wall: wall))
    }

    package func now() -> MonotonicTime { reading.withLock { $0.now } }

    package func wall() -> WallTime { reading.withLock { $0.wall } }

    /// Advances both clocks.
    package func advance(by duration: Duration) {
        reading.withLock {
            $0.now = $0.now + duration
            $0.wall = $0.wall + duration
        }
    }
}
