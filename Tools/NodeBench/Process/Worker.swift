import CLinuxShim
import Glibc
import NodeCore

/// One side of a measurement, in a separate process. It reports events as lines on standard output: a word, then
/// numbers. Times are nanoseconds of the machine's clock, which all processes share.
enum Worker {
    static func run(_ arguments: [String]) throws {
        guard let role = arguments.first else { throw BenchError("a worker needs a role") }
        let options = try BenchOptions(Array(arguments.dropFirst()))
        kachat_end_with_parent()
        switch role {
        case "node": try NodeWorker(options).run()
        case "peer": try PeerWorker(options).run()
        case "hints": try HintWorker(options).run()
        case "lanes": try LanesWorker.run(options)
        case "echo": try RawLimits.echo(givesBack: options.count > 0)
        case "plain-serve": try PlainRestore.serve(try options.folder)
        case "plain-fetch": try PlainRestore.fetch(try options.folder, port: try options.port)
        case "plain-answer": try PlainPush.answer(try options.folder)
        case "plain-push": try PlainPush.push(try options.folder, port: try options.port, count: options.count)
        default: throw BenchError("no such role: \(role)")
        }
    }

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
