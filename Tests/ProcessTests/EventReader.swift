import ProcessHarness

/// Reads a stream of server-sent events as it comes.
final class EventReader {
    struct Event: Equatable {
        var name = ""
        var id: String?
        var data = ""
    }

    private let probe: TCPProbe
    private var bytes: [UInt8] = []
    /// The number of bytes of the content that were made into events.
    private var used = 0
    /// The number of bytes that were examined: without more there is no further event.
    private var seen = 0
    private(set) var lastID: String?
    private(set) var beats = 0

    init(
        _ client: APIClient, _ path: String = "/v1/events", since: String? = nil, lastID: String? = nil
    ) throws {
        probe = try TCPProbe(port: client.port)
        self.lastID = lastID
        let target = path + (since.map { "?since=\($0)" } ?? "")
        let headers = lastID.map { ["Last-Event-ID": $0] } ?? [:]
        probe.send(Array(client.head("GET", target, headers: headers).utf8))
    }

    /// The head, once it is there.
    func answer(within duration: Duration = Deadline.patience) throws -> APIAnswer {
        let deadline = Deadline(after: duration)
        while !bytes.contains(0x0A), !deadline.hasPassed { take(.milliseconds(50)) }
        return try APIClient.answer(bytes)
    }

    private func take(_ duration: Duration) { bytes += probe.receive(upTo: 1 << 20, within: duration) }

    /// Returns the events that came, after waiting that long for more.
    func next(within duration: Duration = .milliseconds(50)) -> [Event] {
        take(duration)
        guard bytes.count > seen else { return [] }
        seen = bytes.count
        guard let answer = try? APIClient.answer(bytes) else { return [] }
        let text = String(decoding: answer.body[min(used, answer.body.count)...], as: UTF8.self)
        guard let end = text.endOfLast("\n\n") else { return [] }
        used += text[..<end].utf8.count
        var events: [Event] = []
        for block in text[..<end].split(separator: "\n\n") {
            var event = Event()
            for line in block.split(separator: "\n") {
                if line.hasPrefix(":") { beats += 1 }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
            }
            if let id = event.id { lastID = id }
            if !event.name.isEmpty { events.append(event) }
        }
        return events
    }
}

extension String {
    /// The end of the last occurrence of the text.
    fileprivate func endOfLast(_ text: String) -> String.Index? {
        ranges(of: text).last?.upperBound
    }
}
