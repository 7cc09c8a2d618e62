import NodeCore

/// Notices that the machine slept: a turn comes much later than it was planned.
struct SleepWatch {
    private var planned: MonotonicTime?

    /// - Parameter deadline: of the next turn; nil where only something from outside brings one.
    package mutating func plan(_ deadline: MonotonicTime?, now: MonotonicTime) {
        // What is due at once is planned for now: a deadline long past is no sleep.
        planned = deadline.map { max($0, now) }
    }

    /// Whether the turn at that time looks like one after a sleep.
    func hasSlept(now: MonotonicTime) -> Bool { planned.map { now - $0 > Limits.sleepNoticed } ?? false }
}
