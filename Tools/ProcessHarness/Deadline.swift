/// The moment when waiting ends. Harnesses run in real time, so this reads the clock itself.
package struct Deadline: Sendable {
    /// Time to wait for something that should happen by itself. Only a hang may exceed it, even on a slow and busy
    /// machine.
    package static let patience: Duration = .seconds(180)

    private let end: ContinuousClock.Instant

    package init(after duration: Duration) {
        end = .now + duration
    }

    package var hasPassed: Bool { ContinuousClock.now >= end }

    /// At least zero.
    package var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: end)) }

    /// For poll(2): rounded up, so that a wait never ends just before the deadline.
    var remainingMilliseconds: Int32 {
        let (seconds, attoseconds) = remaining.components
        return Int32(clamping: min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}

/// Measures elapsed time.
package struct Stopwatch: Sendable {
    private let start = ContinuousClock.now

    package init() {}

    package var elapsed: Duration { start.duration(to: .now) }
}
