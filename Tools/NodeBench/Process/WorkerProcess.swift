import NodeCore
import ProcessHarness

/// A worker process, as used by its parent.
final class WorkerProcess {
    private let child: ChildProcess
    private var lines: [String: [Int64]] = [:]
    /// The start time.
    let started: Int64

    init(_ arguments: [String]) throws {
        started = SystemClock().now().nanoseconds
        child = try Subject.start(arguments, program: Subject.worker, errors: .inherited)
    }

    /// The numbers of the first line with this word; earlier lines are kept.
    func numbers(_ word: String, within seconds: Int = 600) throws -> [Int64] {
        while lines[word] == nil {
            guard let line = try child.output?.next(within: .seconds(seconds)) else {
                throw BenchError("a worker ended without `\(word)`")
            }
            let parts = line.split(separator: " ")
            guard let first = parts.first else { continue }
            lines[String(first)] = parts.dropFirst().compactMap { Int64($0) }
        }
        return lines[word] ?? []
    }

    /// The numbers of the latest line with this word.
    func last(_ word: String) throws -> [Int64] {
        var latest = try numbers(word)
        while let line = try? child.output?.next(within: .milliseconds(10)) {
            let parts = line.split(separator: " ")
            if parts.first.map(String.init) == word { latest = parts.dropFirst().compactMap { Int64($0) } }
        }
        return latest
    }

    func port() throws -> String { "\(try numbers("listen").first ?? 0)" }

    var times: CPUTimes { CPUTimes(of: child.pid) }

    /// CPU time of all its threads so far, in nanoseconds.
    var cpuNanoseconds: Int64 {
        let path = "/proc/\(child.pid)/schedstat"
        guard let bytes = FileTree.read(path) else { return 0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: " ").first.flatMap { Int64($0) } ?? 0
    }

    /// Stops it and returns its usage, if it reports that.
    @discardableResult
    func stop() -> WorkerUsage? {
        child.terminate()
        let numbers = try? numbers("usage", within: 30)
        child.stop()
        guard let numbers, numbers.count == 3 else { return nil }
        return WorkerUsage(
            cpuSeconds: Double(numbers[0]) / 1e6, peakKiB: Double(numbers[1]), residentKiB: Double(numbers[2]))
    }

    func kill() { child.killNow() }
}

/// The resources a worker used.
struct WorkerUsage {
    let cpuSeconds: Double
    let peakKiB: Double
    let residentKiB: Double
}
