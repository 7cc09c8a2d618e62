import JSONLines
import ProcessHarness

/// `message search` on the running node: from the start of the command until its first hit, and until everything was
/// searched.
struct SearchRow {
    let options: BenchOptions
    let source: FilledHome
    private var home: String { source.home }

    func measure() throws -> [Figure] {
        let node = try RunningNode(home)
        defer { node.stop() }
        let word = try newestWord()
        var (first, all): ([Double], [Double]) = ([], [])
        for _ in 0..<max(options.runs, 5) {
            first.append(try time(of: word, limit: 10).first)
            all.append(try time(of: "no message has this", limit: 10).end)
        }
        return [
            Figure("search", "first hit", first.median, "ms", goal: .atMost(50)),
            Figure("search", "\(source.messages) messages to the end", all.median / 1_000, "s", goal: .atMost(1.5)),
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
        let time = Stopwatch()
        let child = try Subject.start(["--home", home, "message", "search", words, "--limit", "\(limit)", "--json"])
        var first: Double?
        while try child.output?.next(within: .seconds(60)) != nil { first = first ?? time.milliseconds }
        try child.wait(within: .seconds(60))
        return (first ?? .infinity, time.milliseconds)
    }
}
