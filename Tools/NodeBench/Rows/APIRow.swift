import Node
import NodeCore
import ProcessHarness

/// The local API compared with its foundation: requests on one connection, and the delay of a message from a POST on
/// one node to the events of another, compared with the delay without the API.
struct APIRow {
    private static let requests = 20_000
    private static let messages = 500
    let subject: Subject
    let options: BenchOptions

    func measure() throws -> [Figure] {
        let bare = try PushRow(subject: subject, options: options).nodeMilliseconds().median
        let told = try toldMilliseconds()
        return [
            Figure("api", "GET /v1/status", try statusPerSecond(), "requests/s", goal: .atLeast(10_000)),
            Figure("api", "POST to event elsewhere, p50", told.median, "ms", limit: bare, goal: .atMost(bare + 3)),
            Figure("api", "POST to event elsewhere, p99", told.percentile(0.99), "ms"),
        ]
    }

    /// On one connection, one request after the other.
    private func statusPerSecond() throws -> Double {
        let node = try RunningNode(try subject.home("api"))
        let probe = try TCPProbe(port: node.api)
        let request = try node.head("GET", "/v1/status")
        probe.send(request)
        let length = probe.receive(within: .milliseconds(500)).count
        let time = Stopwatch()
        for _ in 0..<Self.requests {
            probe.send(request)
            guard probe.receive(upTo: length).count == length else { throw BenchError("an answer was cut short") }
        }
        let seconds = time.seconds
        node.stop()
        return Double(Self.requests) / seconds
    }

    private func toldMilliseconds() throws -> [Double] {
        let homes = [try subject.home("poster"), try subject.home("told")]
        let poster = try RunningNode(homes[0])
        let told = try RunningNode(homes[1], peer: poster.listen)
        try Subject.run(["--home", homes[1], "sync", "--wait", "--timeout", "30"])
        let times = try Self.toldMilliseconds(from: poster, to: told, messages: Self.messages, series: "told")
        poster.stop()
        told.stop()
        return times
    }

    /// From a POST on one node until the event on the other, for one message after the other.
    ///
    /// - Parameter series: messages of another series have other txids.
    static func toldMilliseconds(
        from poster: RunningNode, to told: RunningNode, messages: Int, series: String
    ) throws -> [Double] {
        let events = try TCPProbe(port: told.api)
        events.send(try told.head("GET", "/v1/events"))
        _ = events.receive(within: .milliseconds(500))
        let client = try TCPProbe(port: poster.api)
        // Cut at once: otherwise a message waits for others, and that would be measured.
        let flush = try poster.head("POST", "/v1/flush")
        var times: [Double] = []
        for number in 0..<messages {
            let txid = Blake2b.hash32(Array("\(series) \(number)".utf8)).hex
            let message = JSONValue.object([
                "txid": .string(txid), "conversationId": .string("push"), "contact": .string("somebody"),
                "direction": .string("sent"), "senderTs": .number(1_103_966_040 + number),
                "blockTime": .number((1_103_966_040 + number) * 1_000), "body": .string("Measured message \(number)."),
            ]).encoded
            let request = try poster.head("POST", "/v1/messages", body: message.count) + message + flush
            let time = Stopwatch()
            client.send(request)
            try wait(for: txid, events)
            times.append(time.milliseconds)
            _ = client.receive(upTo: 64 << 10, within: .milliseconds(5))
        }
        return times
    }

    private static func wait(for txid: String, _ events: TCPProbe) throws {
        var text = ""
        while !text.contains(txid) {
            let bytes = events.receive(upTo: 1, within: .seconds(10)) + events.receive(within: .zero)
            guard !bytes.isEmpty else { throw BenchError("a message was not told") }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }
}
