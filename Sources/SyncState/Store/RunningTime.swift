import NodeCore

/// Counts the time that nodes ran on a store. It is written with a commit each minute.
struct RunningTime {
    private(set) var total = Duration.zero
    private var stored = Duration.zero
    private var last: MonotonicTime?

    init() {}

    /// - Parameter encoded: nil or unreadable in a new store.
    init(encoded: [UInt8]?) {
        guard let encoded else { return }
        var reader = CBORReader(encoded)
        guard let milliseconds = try? reader.readUInt() else { return }
        total = .milliseconds(Int64(clamping: milliseconds))
        stored = total
    }

    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.write(UInt64(clamping: total.heldMilliseconds))
        return writer.bytes
    }

    mutating func advance(to now: MonotonicTime) {
        if let last, last < now { total += now - last }
        last = now
    }

    /// Whether the next commit has to write it.
    var isDue: Bool { total - stored >= Limits.runningTimeStep }

    mutating func noteCommit() {
        if isDue { stored = total }
    }
}

/// The clocks of a store, as its owner sets them on each turn.
struct StoreTimes {
    var wall = WallTime(milliseconds: 0)
    var running = RunningTime()
}
