/// The moment after which a call stops waiting for the node.
struct Deadline: Sendable {
    private let moment: ContinuousClock.Instant

    init(after patience: Duration) { moment = .now + patience }

    var hasPassed: Bool { moment <= .now }

    /// The remaining time for poll(2), rounded up so that the deadline has passed when the wait ends.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: moment)).components
        return Int32(clamping: min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
