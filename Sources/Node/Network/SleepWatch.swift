import NodeCore

/// Detects that the machine slept: a turn comes much later than planned.
struct SleepWatch {
    private var planned: MonotonicTime?

    /// - Parameter deadline: of the next turn; nil if only an outside event causes one.
    package mutating func plan(_ deadline: MonotonicTime?, now: MonotonicTime) {
        // Work due at once is planned for now: a deadline long past does not mean sleep.
        planned = deadline.map { max($0, now) }
    }

    /// True if a turn at this time looks like one after a sleep.
    func hasSlept(now: MonotonicTime) -> Bool { planned.map { now - $0 > Limits.sleepNoticed } ?? false }
}
