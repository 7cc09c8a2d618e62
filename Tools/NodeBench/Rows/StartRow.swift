import ProcessHarness

/// The time from starting `run` until it prints that it serves.
struct StartRow {
    let options: BenchOptions
    let source: FilledHome

    func measure() throws -> [Figure] {
        var (plain, killed): ([Double], [Double]) = ([], [])
        for _ in 0..<max(options.runs, 5) {
            plain.append(try start { $0.stop() })
            _ = try start { $0.killNow() }
            killed.append(try start { $0.stop() })
        }
        return [
            Figure("start", "with \(source.messages) messages", plain.median, "ms", goal: .atMost(60)),
            Figure("start", "after a SIGKILL", killed.median, "ms", goal: .atMost(150)),
        ]
    }

    private func start(_ end: (ChildProcess) -> Void) throws -> Double {
        let time = Stopwatch()
        let child = try Subject.start(["--home", source.home, "run", "--listen", "127.0.0.1:0", "--discovery", "off"])
        _ = try child.output?.first(within: .seconds(60)) { $0.contains("ready") }
        let milliseconds = time.milliseconds
        end(child)
        try child.wait(within: .seconds(60))
        return milliseconds
    }
}
