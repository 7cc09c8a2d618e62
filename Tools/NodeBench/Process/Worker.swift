import Glibc
import NodeCore

/// One side of a measurement, in a separate process. It reports events as lines on standard output: a word, then
/// numbers. Times are nanoseconds of the machine's clock, which all processes share.
enum Worker {
    static func say(_ word: String, _ numbers: Int64...) { say(word, numbers) }

    static func say(_ word: String, _ numbers: [Int64]) {
        var line = Array(([word] + numbers.map(String.init)).joined(separator: " ").utf8)
        line.append(UInt8(ascii: "\n"))
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// CPU microseconds, peak and current resident KiB.
    static func sayUsage() {
        let usage = Usage.now
        say("usage", Int64(usage.cpuSeconds * 1e6), Int64(usage.peakKiB), Int64(usage.residentKiB))
    }
}
