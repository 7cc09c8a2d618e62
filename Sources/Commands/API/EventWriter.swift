import JSONLines
import Node

extension Endpoint {
    static let lastEventHeader = "Last-Event-ID"

    /// The arguments for the id of the last event that a reader has seen.
    func arguments(lastEvent id: String) throws(Problem) -> [String: [String]] {
        guard let since = parameters.first(where: { $0.option == ChangesOperation.since.spec.name }) else { return [:] }
        do throws(Problem) {
            return try since.arguments(text: id)
        } catch {
            throw Problem(
                400, "usage", "`\(Self.lastEventHeader)` must be the id of an event", parameter: Self.lastEventHeader,
                allowed: "the id of an event")
        }
    }
}

/// Streams changes as server-sent events (WHATWG HTML §9.2). An event's id is the change's token, its name the kind.
struct EventWriter: StreamWriter {
    private let endpoint: Endpoint
    var stream = AnswerStream()
    private var hasBegun = false
    /// Why the reader must read everything again; sent with the next token.
    private var reset: Problem?
    private(set) var answer: HTTPAnswer?
    /// A comment.
    static let sign = ": \n\n"

    /// True if the feed cannot continue from the reader's place, so it restarts.
    var needsReset: Bool { reset != nil }

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    mutating func take(_ item: CommandReply.Item) {
        switch item {
        case .data(let datum): change(datum)
        case .note, .progress, .more: break
        case .end(let error): end(error.map(endpoint.problem))
        }
    }

    private mutating func change(_ datum: CommandReply.Datum) {
        begin()
        guard var problem = reset else { return event(datum.kind ?? "change", id: datum.place ?? "", datum.json) }
        reset = nil
        problem.fields["token"] = .string(datum.place ?? "")
        event("reset", id: datum.place ?? "", problem.json.encoded)
    }

    private mutating func end(_ problem: Problem?) {
        if let problem, EventWriter.resets.contains(problem.code) {
            reset = problem
            return
        }
        stream.isOver = true
        if hasBegun {
            event("end", id: nil, (problem?.json ?? .object([:])).encoded)
        } else if let problem {
            answer = problem.answer
        }
    }

    /// Error codes for tokens from which the feed cannot continue.
    private static let resets: Set<String> = [
        NodeError.Code.foreignToken.rawValue, NodeError.Code.expiredToken.rawValue,
    ]

    mutating func flush() {
        guard answer == nil, reset == nil else { return }
        begin()
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.eventsType)], body: .stream)
    }

    mutating func cut() { stream.isOver = true }

    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        stream.append(Array("retry: \(Limits.eventRetryMilliseconds)\n\n".utf8))
    }

    /// Writes one event. Our JSON has no line breaks, so it fits one data line.
    private mutating func event(_ name: String, id: String?, _ json: [UInt8]) {
        var text = Array("event: \(name)\n".utf8)
        if let id { text += Array("id: \(id)\n".utf8) }
        text += Array("data: ".utf8)
        stream.append(text + json + Array("\n\n".utf8))
    }
}
