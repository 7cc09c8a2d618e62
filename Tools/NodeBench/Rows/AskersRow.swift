import JSONLines
import NodeCore
import ProcessHarness

/// A member or viewer floods a node with questions: the cost of its owner's status and sync beside them, and whether
/// another device of the owner's still gets a session.
struct AskersRow {
    private static let statusSeconds: Int64 = 8
    private static let messages = 200
    let subject: Subject

    func measure() throws -> [Figure] {
        let home = try subject.home("asked")
        let made = try Subject.run(["--home", home, "account", "create", "--label", "shared", "--json"])
        guard let phrase = JSONValue(json: Array(made.utf8))?["phrase"]?.text else { throw BenchError("no phrase") }
        let phraseFile = subject.path("shared-phrase")
        try FileTree.write(Array(phrase.utf8), to: phraseFile)
        let node = try RunningNode(home)
        defer { node.stop() }
        let friendHome = try subject.home("friend")
        let friend = try RunningNode(friendHome, peer: node.listen)
        defer { friend.stop() }
        try Subject.run(["--home", friendHome, "sync", "--wait", "--timeout", "30"])
        let idle = (
            status: try node.statusMilliseconds(for: .seconds(2)),
            push: try APIRow.toldMilliseconds(from: node, to: friend, messages: Self.messages, series: "idle")
        )

        let askers = try Subject.worker("ask", [phraseFile, "--port", node.port])
        defer { askers.kill() }
        _ = try askers.numbers("asked", within: 60)
        let status = try node.statusMilliseconds(for: .seconds(Self.statusSeconds))
        let push = try APIRow.toldMilliseconds(from: node, to: friend, messages: Self.messages, series: "asked")
        let newcomer = try subject.home("newcomer")
        let time = Stopwatch()
        let own = try RunningNode(newcomer, peer: node.listen)
        defer { own.stop() }
        try own.wait(toBeConnected: true)
        let seconds = time.seconds
        let asked = try askers.last("asked")
        return [
            Figure("askers", "ranges asked about over \(asked[2]) sessions", asked.perSecond, "/s"),
            Figure(
                "askers", "beside them: GET /v1/status, p99", status.percentile(0.99), "ms",
                limit: idle.status.percentile(0.99), goal: .atMost(100)),
            Figure(
                "askers", "beside them: POST to event elsewhere, p99", push.percentile(0.99), "ms",
                limit: idle.push.percentile(0.99), goal: .atMost(100)),
            Figure("askers", "beside them: an own device gets a session", seconds, "s", goal: .atMost(3)),
        ]
    }
}
