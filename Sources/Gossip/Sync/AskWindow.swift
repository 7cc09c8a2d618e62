import NodeCore

/// How many bytes of blobs a session may have asked for and not yet have: about what it brings in a second. So what is
/// asked for next is soon here on a slow link too, and a fast one never waits for questions.
///
/// Measured over each half of the window: it doubles as long as that comes fast enough, and follows the rate down.
struct AskWindow {
    private(set) var bytes = Limits.wantedBytesAtFirst
    /// When the half that is on its way was begun; nil while nothing is.
    private var since: MonotonicTime?
    private var arrived = 0

    /// Something is on its way from now on, where nothing was.
    mutating func begin(now: MonotonicTime) { (since, arrived) = (now, 0) }

    /// Nothing is on its way any more: what comes next was not waited for meanwhile.
    mutating func rest() { since = nil }

    mutating func arrived(_ count: Int, now: MonotonicTime) {
        guard let since else { return }
        arrived += count
        guard arrived >= bytes / 2 else { return }
        let elapsed = max(now - since, .milliseconds(1)) / Limits.wantedTime
        let most = min(2 * bytes, Limits.wantedBytesInFlight)
        bytes = max(Limits.wantedBytesLeast, Int(min(Double(arrived) / elapsed, Double(most))))
        begin(now: now)
    }
}
