import NodeCore

/// The notable events of a run, line by line.
struct Story {
    private(set) var lines: [String] = []
    private(set) var omitted = 0

    mutating func add(_ now: MonotonicTime, _ text: String) {
        guard lines.count < Limits.storyLines else {
            omitted += 1
            return
        }
        lines.append("\(Self.clock(now)) \(text)")
    }

    /// Hours, minutes, seconds and milliseconds of virtual time.
    static func clock(_ time: MonotonicTime) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let seconds = milliseconds / 1_000
        return "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(milliseconds % 1_000, 3)
    }
}
