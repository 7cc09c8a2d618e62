/// A new device gets everything from one peer, over encrypted loopback, durably.
struct RestoreRow {
    let name: String
    let subject: Subject
    let options: BenchOptions
    /// The complete home and its content.
    let source: FilledHome

    /// The home of the last restored device, for later rows.
    private(set) var restored = ""

    init(_ name: String, _ subject: Subject, _ options: BenchOptions, _ source: FilledHome) {
        self.name = name
        self.subject = subject
        self.options = options
        self.source = source
    }

    /// Seconds from the process's start until everything is here; and the time from the connection until the newest
    /// messages were here.
    private struct Run {
        var seconds = 0.0
        var newest = Double.nan
        var sender: WorkerUsage?
        var receiver: WorkerUsage?
    }

    mutating func measure() throws -> [Figure] {
        var (nodes, plain): ([Run], [Double]) = ([], [])
        // Alternating, so that both run under the same conditions.
        for _ in 0..<options.runs {
            plain.append(try runPlain())
            nodes.append(try runNodes())
        }
        let limit = plain.median
        let seconds = nodes.map(\.seconds).median
        return source.messages > 0 ? figures(nodes, seconds, limit) : blobFigures(nodes, seconds, limit)
    }

    private func blobFigures(_ runs: [Run], _ seconds: Double, _ limit: Double) -> [Figure] {
        let megabytes = Double(source.bytes) / 1e6
        return [
            Figure(
                name, "\(source.records) records, \(Int(megabytes)) MB", seconds, "s", limit: limit,
                goal: .atMost(1.2 * limit)),
            Figure(name, "speed", megabytes / seconds, "MB/s"),
        ] + usage(runs)
    }

    private func figures(_ runs: [Run], _ seconds: Double, _ limit: Double) -> [Figure] {
        [
            Figure(name, "\(source.messages) messages", seconds, "s", limit: limit),
            Figure(name, "speed", Double(source.messages) / seconds, "messages/s", goal: .atLeast(200_000)),
            Figure(
                "newest", "newest \(source.newestCount) readable", runs.map(\.newest).median, "s",
                goal: .atMost(0.5)),
        ] + usage(runs)
    }

    private func usage(_ runs: [Run]) -> [Figure] {
        func figure(_ what: String, _ side: (Run) -> WorkerUsage?, _ value: (WorkerUsage) -> Double) -> Figure {
            Figure(
                source.messages > 0 ? "memory" : name, what, runs.compactMap(side).map(value).median / 1_024, "MiB",
                goal: .atMost(48))
        }
        let cpu = runs.compactMap(\.receiver).map(\.cpuSeconds).median
        return [
            Figure(name, "receiver's CPU", cpu, "s"),
            figure("receiver resident", \.receiver, \.residentKiB), figure("receiver at most", \.receiver, \.peakKiB),
            figure("sender resident", \.sender, \.residentKiB), figure("sender at most", \.sender, \.peakKiB),
        ]
    }

    private mutating func runNodes() throws -> Run {
        let sender = try Subject.worker("node", ["--home", source.home, "--records", "0"])
        let home = try subject.home("restored")
        var arguments = ["--home", home, "--records", "\(source.records)", "--expect", "\(source.messages)"]
        if let newest = source.newestList { arguments += ["--newest", newest] }
        let port = try sender.port()
        let receiver = try Subject.worker("node", arguments + ["--port", port])
        let complete = try receiver.numbers("complete")
        var run = Run(seconds: Double(complete[0] - receiver.started) / 1e9)
        if source.newestList != nil { run.newest = Double(try receiver.numbers("newest")[0] - complete[2]) / 1e9 }
        run.receiver = receiver.stop()
        run.sender = sender.stop()
        if !restored.isEmpty { subject.discard(restored) }
        restored = home
        return run
    }

    private func runPlain() throws -> Double {
        let sender = try Subject.worker("plain-serve", ["--home", source.home])
        defer { sender.stop() }
        let folder = subject.path("plain")
        let receiver = try Subject.worker("plain-fetch", ["--home", folder, "--port", try sender.port()])
        let seconds = Double(try receiver.numbers("complete")[0] - receiver.started) / 1e9
        receiver.stop()
        subject.discard(folder)
        return seconds
    }
}
