/// A clock that stands still until told otherwise: for tests and for the simulator's virtual time.
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

    /// Moves both clocks on.
    package func advance(by duration: Duration) {
        reading.withLock {
            $0.now = $0.now + duration
            $0.wall = $0.wall + duration
        }
    }

    /// Moves the timers' clock to `time`, and the date by as much; never back.
    package func advance(to time: MonotonicTime) {
        reading.withLock {
            guard time > $0.now else { return }
            $0.wall = $0.wall + (time - $0.now)
            $0.now = time
        }
    }

    /// Somebody sets the date; the timers' clock goes on.
    package func set(wall: WallTime) { reading.withLock { $0.wall = wall } }
}
