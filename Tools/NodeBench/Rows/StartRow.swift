import Node
import NodeCore
import ProcessHarness

/// The time from starting `run` until it prints that it serves.
struct StartRow {
    let subject: Subject
    let options: BenchOptions
    let home: String
    let messages: Int

    func measure() throws -> [Figure] {
        var (plain, killed): ([Double], [Double]) = ([], [])
        for _ in 0..<max(options.runs, 5) {
            plain.append(try start { $0.stop() })
            _ = try start { $0.killNow() }
            killed.append(try start { $0.stop() })
        }
        return [
            Figure(
                row: "start", what: "with \(messages) messages", value: plain.median, unit: "ms", goal: .atMost(60)),
            Figure(row: "start", what: "after a SIGKILL", value: killed.median, unit: "ms", goal: .atMost(150)),
        ]
    }

    private func start(_ end: (ChildProcess) -> Void) throws -> Double {
        var command = Command(
            Subject.program, ["--home", home, "run", "--listen", "127.0.0.1:0", "--discovery", "off"])
        command.errorOutput = .discarded
        let clock = SystemClock()
        let before = clock.now().nanoseconds
        let child = try ChildProcess(command)
        _ = try child.output?.first(within: .seconds(60)) { $0.contains("ready") }
        let milliseconds = Double(clock.now().nanoseconds - before) / 1e6
        end(child)
        try child.wait(within: .seconds(60))
        return milliseconds
    }
}
