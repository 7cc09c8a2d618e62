import NodeCore

/// The number of bytes of blobs that a session may have in flight: about what it delivers in a second. So a later
/// request is answered soon even on a slow link, and a fast one never waits for requests.
///
/// Measured over each half of the window: it doubles while that arrives fast enough, and follows the rate down.
struct AskWindow {
    private(set) var bytes = Limits.wantedBytesAtFirst
    /// When the current half was started; nil while nothing is in flight.
    private var since: MonotonicTime?
    private var arrived = 0

    /// Something is in flight again, after nothing was.
    mutating func begin(now: MonotonicTime) { (since, arrived) = (now, 0) }

    /// Nothing is in flight any more, so idle time does not count.
    mutating func rest() { since = nil }

    /// True if that was the rest of a half.
    @discardableResult
    mutating func arrived(_ count: Int, now: MonotonicTime) -> Bool {
        guard let since else { return false }
        arrived += count
        guard arrived >= bytes / 2 else { return false }
        let elapsed = max(now - since, .milliseconds(1)) / Limits.wantedTime
        let most = min(2 * bytes, Limits.wantedBytesInFlight)
        bytes = max(Limits.wantedBytesLeast, Int(min(Double(arrived) / elapsed, Double(most))))
        begin(now: now)
        return true
    }
}
