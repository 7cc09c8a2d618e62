import NodeCore

/// Checks that enough bytes move during a transfer: `Limits.progressBytes` in each window.
struct ProgressWatch {
    private var windowEnd: MonotonicTime?
    private var bytes = 0

    /// When to call `isTooSlow` next; nil while no transfer runs.
    var deadline: MonotonicTime? { windowEnd }

    /// Starts the first window, or stops watching. A running watch is not restarted.
    mutating func set(running: Bool, now: MonotonicTime) {
        guard running != (windowEnd != nil) else { return }
        windowEnd = running ? now + Limits.progressWindow : nil
        bytes = 0
    }

    mutating func add(_ count: Int) {
        bytes += count
    }

    /// Called at the end of a window: true if too little moved in it. Starts the next window.
    mutating func isTooSlow(now: MonotonicTime) -> Bool {
        guard let end = windowEnd, now >= end else { return false }
        guard bytes >= Limits.progressBytes else { return true }
        windowEnd = now + Limits.progressWindow
        bytes = 0
        return false
    }
}
