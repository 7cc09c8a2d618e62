import NodeCore

/// Judges whether enough bytes move while something is under way: `Limits.progressBytes` in each window.
struct ProgressWatch {
    private var windowEnd: MonotonicTime?
    private var bytes = 0

    /// When `isTooSlow` is to be asked next; nil while nothing is under way.
    var deadline: MonotonicTime? { windowEnd }

    /// Starts the first window, or ends the watch. A watch that runs already goes on.
    mutating func set(running: Bool, now: MonotonicTime) {
        guard running != (windowEnd != nil) else { return }
        windowEnd = running ? now + Limits.progressWindow : nil
        bytes = 0
    }

    mutating func add(_ count: Int) {
        bytes += count
    }

    /// At the end of a window: whether too little moved in it. Starts the next one.
    mutating func isTooSlow(now: MonotonicTime) -> Bool {
        guard let end = windowEnd, now >= end else { return false }
        guard bytes >= Limits.progressBytes else { return true }
        windowEnd = now + Limits.progressWindow
        bytes = 0
        return false
    }
}
