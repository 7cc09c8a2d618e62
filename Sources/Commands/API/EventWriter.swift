import JSONLines
import Node
import Transport

/// Streams changes as server-sent events (WHATWG HTML §9.2): the id of each is its token, its name the kind.
struct EventWriter: AnswerWriter {
    private var out = OutputBuffer()
    private var isOver = false
    private var hasBegun = false
    /// Why the reader has to read everything anew: told with the next token.
    private var reset: Problem?
    package private(set) var answer: HTTPAnswer?
    var waitingBytes: Int { out.count }

    /// The feed cannot go on from where the reader was: it begins anew.
    var needsReset: Bool { reset != nil }

    package mutating func data(_ json: ArraySlice<UInt8>) {
        begin()
        let token = JSONText.field("token", in: json) ?? ""
        guard let reset else {
            return event(JSONText.field("kind", in: json) ?? "change", id: token, Array(json))
        }
        self.reset = nil
        var problem = reset
        problem.fields["token"] = .string(token)
        event("reset", id: token, problem.json.encoded)
    }

    package mutating func note(_ text: String) {}

    package mutating func end(_ problem: Problem?) {
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

    /// Codes of tokens from which the feed cannot go on.
    private static let resets: Set<String> = [
        NodeError.Code.foreignToken.rawValue, NodeError.Code.expiredToken.rawValue,
    ]

    package mutating func flush() {
        guard answer == nil, reset == nil else { return }
        begin()
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.eventsType)], body: .stream)
    }

    /// A sign of life where nothing is to be told.
    mutating func beat() { if out.isEmpty, !isOver { out.append(Array(": \n\n".utf8)) } }

    /// Nothing more is told.
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

    /// JSON of ours has no line breaks, so that one data line holds it.
    private mutating func event(_ name: String, id: String?, _ json: [UInt8]) {
        var text = Array("event: \(name)\n".utf8)
        if let id { text += Array("id: \(id)\n".utf8) }
        text += Array("data: ".utf8)
        out.append(text + json + Array("\n\n".utf8))
    }
}
