/// The time from a hint until the body is here and durable, while the device restores a large backlog from the same
/// peer.
struct HintRow {
    let subject: Subject
    let options: BenchOptions

    func measure() throws -> [Figure] {
        let home = try subject.home("backlog")
        try HintFill(seed: options.seed).fill(home)
        let bytes = Double(try FilledHome.size(home)) / 1e6
        var (times, left): ([Double], [Double]) = ([], [])
        for _ in 0..<options.runs {
            let sender = try Subject.worker("node", ["--home", home, "--records", "0"])
            let arguments = ["--home", try subject.home("hinted"), "--seed", "\(options.seed)"]
            let receiver = try Subject.worker("hints", arguments + ["--port", try sender.port()])
            times += try receiver.numbers("hints", within: 120).map { Double($0) / 1e6 }
            left.append(Double(try receiver.numbers("left")[1]) / 1e6)
            receiver.stop()
            sender.stop()
        }
        return [
            Figure(
                "hints", "\(times.count / options.runs) hints a restore of \(Int(bytes)) MB, p50", times.median,
                "ms", goal: .atMost(100)),
            Figure("hints", "p99", times.percentile(0.99), "ms", goal: .atMost(500)),
            Figure(
                "hints", "blobs still to come at the last hint, at least", left.min() ?? 0, "MB",
                goal: .atLeast(100)),
        ]
    }
}
