import JSONLines
import Node
import Transport

/// Streams changes as server-sent events (WHATWG HTML §9.2). An event's id is the change's token, its name the kind.
struct EventWriter: AnswerWriter {
    private var out = OutputBuffer()
    private var isOver = false
    private var hasBegun = false
    /// Why the reader must read everything again; sent with the next token.
    private var reset: Problem?
    package private(set) var answer: HTTPAnswer?
    var waitingBytes: Int { out.count }

    /// True if the feed cannot continue from the reader's place, so it restarts.
    var needsReset: Bool { reset != nil }

    private let endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    package mutating func take(_ item: CommandReply.Item) {
        switch item {
        case .data(let datum): change(datum)
        case .note, .progress, .more: break
        case .end(let error): end(error.map(endpoint.problem))
        }
    }

    private mutating func change(_ datum: CommandReply.Datum) {
        begin()
        guard var problem = reset else {
            return event(datum.kind ?? "change", id: datum.place ?? "", datum.json)
        }
        reset = nil
        problem.fields["token"] = .string(datum.place ?? "")
        event("reset", id: datum.place ?? "", problem.json.encoded)
    }

    private mutating func end(_ problem: Problem?) {
        if let problem, EventWriter.resets.contains(problem.code) {
            reset = problem
            return
        }
        isOver = true
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

    package mutating func flush() {
        guard answer == nil, reset == nil else { return }
        begin()
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.eventsType)], body: .stream)
    }

    /// A comment, which readers ignore.
    mutating func beat() { if out.isEmpty, !isOver { out.append(Array(": \n\n".utf8)) } }

    package mutating func cut() { isOver = true }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = out.move(into: buffer)
        return count == 0 && isOver ? nil : count
    }

    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        out.append(Array("retry: \(Limits.eventRetryMilliseconds)\n\n".utf8))
    }

    /// Writes one event. Our JSON has no line breaks, so it fits one data line.
    private mutating func event(_ name: String, id: String?, _ json: [UInt8]) {
        var text = Array("event: \(name)\n".utf8)
        if let id { text += Array("id: \(id)\n".utf8) }
        text += Array("data: ".utf8)
        out.append(text + json + Array("\n\n".utf8))
    }
}
