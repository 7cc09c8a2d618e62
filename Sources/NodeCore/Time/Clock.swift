#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells shells the time; cores get it as an argument. Deliberately shadows the standard library's protocol.
package protocol Clock: Sendable {
    /// The clock for timers. It keeps running while the machine sleeps.
    func now() -> MonotonicTime

    /// The clock for dates.
    func wall() -> WallTime
}

/// The operating system's clocks.
package struct SystemClock: Clock {
    package init() {}

    package func now() -> MonotonicTime {
        // Includes time asleep, so that a device that wakes up finds its timers due.
        #if canImport(Darwin)
            let time = Self.read(CLOCK_MONOTONIC)
        #else
            let time = Self.read(CLOCK_BOOTTIME)
        #endif
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func wall() -> WallTime {
        let time = Self.read(CLOCK_REALTIME)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// clock_gettime(2).
    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        let failed = clock_gettime(clock, &time)
        precondition(failed == 0, "invariant: the clocks used here exist")
        return time
    }
}

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

    /// Advances both clocks.
    package func advance(by duration: Duration) {
        reading.withLock {
            $0.now = $0.now + duration
            $0.wall = $0.wall + duration
        }
    }
}
