import JSONLines
import NodeCore
import ProcessHarness

/// `message search` on the running node: from the start of the command until its first hit, and until everything was
/// searched.
struct SearchRow {
    let options: BenchOptions
    let home: String
    let messages: Int

    func measure() throws -> [Figure] {
        var command = Command(
            Subject.program, ["--home", home, "run", "--listen", "127.0.0.1:0", "--discovery", "off"])
        command.errorOutput = .discarded
        let node = try ChildProcess(command)
        defer { node.stop() }
        _ = try node.output?.first(within: .seconds(60)) { $0.contains("ready") }
        let word = try newestWord()
        var (first, all): ([Double], [Double]) = ([], [])
        for _ in 0..<max(options.runs, 5) {
            first.append(try time(of: word, limit: 10).first)
            all.append(try time(of: "no message has this", limit: 10).end)
        }
        return [
            Figure(row: "search", what: "first hit", value: first.median, unit: "ms", goal: .atMost(50)),
            Figure(
                row: "search", what: "\(messages) messages to the end", value: all.median / 1_000, unit: "s",
                goal: .atMost(1.5)),
        ]
    }

    /// The longest word of the newest message of all.
    private func newestWord() throws -> String {
        let list = try Subject.run(["--home", home, "conversation", "list", "--json"])
        let newest = list.split(separator: "\n").first.flatMap { JSONValue(json: Array($0.utf8)) }
        let shown = try Subject.run(["--home", home, "message", "show", newest?["lastTxid"]?.text ?? "", "--json"])
        let body = JSONValue(json: Array(shown.utf8))?["body"]?.text ?? ""
        guard let word = body.split(whereSeparator: { !$0.isLetter }).max(by: { $0.count < $1.count }) else {
            throw BenchError("the newest message has no word")
        }
        return String(word)
    }

    private func time(of words: String, limit: Int) throws -> (first: Double, end: Double) {
        var command = Command(
            Subject.program, ["--home", home, "message", "search", words, "--limit", "\(limit)", "--json"])
        command.errorOutput = .discarded
        let clock = SystemClock()
        let start = clock.now().nanoseconds
        let child = try ChildProcess(command)
        var first: Double?
        while try child.output?.next(within: .seconds(60)) != nil {
            first = first ?? Double(clock.now().nanoseconds - start) / 1e6
        }
        try child.wait(within: .seconds(60))
        return (first ?? .infinity, Double(clock.now().nanoseconds - start) / 1e6)
    }
}
