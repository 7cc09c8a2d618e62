import JSONLines
import Node
import Transport

/// What an exchange makes of the command's reply.
protocol AnswerWriter {
    /// Set when it is known.
    var answer: HTTPAnswer? { get }
    /// Bytes of a stream that the reader has not taken yet, in the stream's form.
    var waitingBytes: Int { get }

    mutating func take(_ item: CommandReply.Item)
    /// The slice is over: what it said goes out.
    mutating func flush()
    /// Moves bytes of the stream; nil at its end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// The reply ended in a way after which the command is to begin anew, from now on.
    var needsReset: Bool { get }
    /// Shows that the connection lives.
    mutating func beat()
    /// Nothing more is told.
    mutating func cut()
}

extension AnswerWriter {
    var needsReset: Bool { false }
    mutating func beat() {}
    package mutating func cut() {}
}

/// Streams all that the command says, as it comes: `Accept: application/vnd.kachat.reply`.
struct ReplyWriter: AnswerWriter {
    private var out = OutputBuffer()
    private var isOver = false
    package private(set) var answer: HTTPAnswer?
    var waitingBytes: Int { out.count }

    package mutating func take(_ item: CommandReply.Item) {
        if case .end = item { isOver = true }
        out.append(ReplyLine(item).encoded)
    }

    package mutating func flush() {
        guard answer == nil, isOver || !out.isEmpty else { return }
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.replyType)], body: .stream)
    }

    /// Nothing more is told but that.
    package mutating func cut() {
        guard !isOver else { return }
        take(.end(NodeError(.notAllowed, "the token is good no more")))
        flush()
    }

    /// An empty line, which says nothing.
    mutating func beat() { if out.isEmpty, !isOver { out.append([0x0A]) } }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = out.move(into: buffer)
        return count == 0 && isOver ? nil : count
    }
}

/// Streams the reply, one JSON value a line. What goes wrong behind the first line stands in the last one:
/// `{"error":…}`.
struct LineWriter: AnswerWriter {
    private var out = OutputBuffer()
    private var isOver = false
    private var hasData = false
    package private(set) var answer: HTTPAnswer?
    var waitingBytes: Int { out.count }

    private let endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    package mutating func take(_ item: CommandReply.Item) {
        switch item {
        case .data(let datum): data(datum.json)
        case .note, .progress: break
        case .end(let error): end(error.map(endpoint.problem))
        }
    }

    private mutating func data(_ json: [UInt8]) {
        hasData = true
        out.append(json + [0x0A])
    }

    private mutating func end(_ problem: Problem?) {
        isOver = true
        guard let problem else { return }
        if hasData {
            data(JSONValue.object(["error": problem.json]).encoded)
        } else {
            answer = problem.answer
        }
    }

    package mutating func flush() {
        guard answer == nil, hasData || isOver else { return }
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.linesType)], body: .stream)
    }

    /// An empty line, which is none of JSON.
    mutating func beat() { if out.isEmpty, !isOver { out.append([0x0A]) } }

    /// Nothing more is told.
    package mutating func cut() {
        guard !isOver else { return }
        end(Problem(NodeError(.notAllowed, "the token is good no more")))
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = out.move(into: buffer)
        return count == 0 && isOver ? nil : count
    }
}

extension OutputBuffer {
    /// Moves the first bytes to the buffer, and tells how many.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(self.count, buffer.count)
        guard count > 0 else { return 0 }
        withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        consume(count)
        return count
    }
}
