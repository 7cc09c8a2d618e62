import JSONLines
import Node
import Transport

/// Turns a command's reply into an HTTP answer.
protocol AnswerWriter {
    /// Nil until it is known.
    var answer: HTTPAnswer? { get }
    /// Encoded bytes of a stream that the reader has not taken yet.
    var waitingBytes: Int { get }

    mutating func take(_ item: CommandReply.Item)
    /// Sends what the slice has written. Called at the end of a slice.
    mutating func flush()
    /// Moves bytes of the stream; nil at its end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// The reply ended, and the command must restart from the present.
    var needsReset: Bool { get }
    /// Sends a sign of life.
    mutating func beat()
    /// Ends the answer early.
    mutating func cut()
}

extension AnswerWriter {
    var needsReset: Bool { false }
    mutating func beat() {}
    package mutating func cut() {}
}

/// Streams the whole reply as it comes: `Accept: application/vnd.kachat.reply`.
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

    package mutating func cut() {
        guard !isOver else { return }
        take(.end(NodeError(.notAllowed, "the token was revoked or has expired")))
        flush()
    }

    /// An empty line, which readers ignore.
    mutating func beat() { if out.isEmpty, !isOver { out.append([0x0A]) } }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = out.move(into: buffer)
        return count == 0 && isOver ? nil : count
    }
}

/// Streams the reply, one JSON value a line. An error after the first line is the last line: `{"error":…}`.
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
        case .note, .progress, .more: break
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

    /// An empty line, which readers ignore.
    mutating func beat() { if out.isEmpty, !isOver { out.append([0x0A]) } }

    package mutating func cut() {
        guard !isOver else { return }
        end(Problem(NodeError(.notAllowed, "the token was revoked or has expired")))
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = out.move(into: buffer)
        return count == 0 && isOver ? nil : count
    }
}

extension OutputBuffer {
    /// Moves the first bytes to the buffer and returns their number.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(self.count, buffer.count)
        guard count > 0 else { return 0 }
        withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        consume(count)
        return count
    }
}
