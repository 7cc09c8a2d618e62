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
