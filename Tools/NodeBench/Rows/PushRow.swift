/// The time from a message's acceptance on one device until it is visible on another, over an open session.
struct PushRow {
    private static let count = 1_000
    let subject: Subject
    let options: BenchOptions

    func measure() throws -> [Figure] {
        let plain = try plainMilliseconds()
        let nodes = try nodeMilliseconds()
        let (limit, high) = (plain.median, plain.percentile(0.99))
        return [
            Figure("push", "p50", nodes.median, "ms", limit: limit, goal: .atMost(2 * limit)),
            Figure("push", "p99", nodes.percentile(0.99), "ms", limit: high, goal: .atMost(6 * limit)),
        ]
    }

    private func plainMilliseconds() throws -> [Double] {
        let answering = try Subject.worker("plain-answer", ["--home", subject.path("answer")])
        let pushing = try Subject.worker(
            "plain-push",
            ["--home", subject.path("push"), "--port", try answering.port(), "--pushes", "\(Self.count)"])
        let times = try pushing.numbers("times")
        pushing.stop()
        answering.stop()
        return times.map { Double($0) / 1e6 }
    }

    func nodeMilliseconds() throws -> [Double] {
        let common = ["--records", "0", "--pushes", "\(Self.count)", "--wait"]
        let writer = try Subject.worker("node", ["--home", try subject.home("writer"), "--role", "writer"] + common)
        let port = try writer.port()
        let reader = try Subject.worker(
            "node", ["--home", try subject.home("reader"), "--role", "reader", "--port", port] + common)
        let accepted = try writer.numbers("pushed", within: 120)
        let seen = try reader.numbers("seen", within: 120)
        reader.stop()
        writer.stop()
        return zip(accepted, seen).map { Double($1 - $0) / 1e6 }
    }
}
