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
    mutating func cut() {}
}

/// Sends an answer as it comes.
protocol StreamWriter: AnswerWriter {
    var stream: AnswerStream { get set }
    /// A sign of life, which readers ignore.
    static var sign: String { get }
}

/// The encoded bytes that the reader has not taken yet.
struct AnswerStream {
    fileprivate var out = OutputBuffer()
    /// Nothing is added any more.
    var isOver = false

    mutating func append(_ bytes: [UInt8]) { out.append(bytes) }
}

extension StreamWriter {
    var waitingBytes: Int { stream.out.count }

    mutating func beat() { if stream.out.isEmpty, !stream.isOver { stream.append(Array(Self.sign.utf8)) } }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = min(stream.out.count, buffer.count)
        guard count > 0 else { return stream.isOver ? nil : 0 }
        stream.out.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        stream.out.consume(count)
        return count
    }
}

/// Streams the whole reply as it comes: `Accept: application/vnd.kachat.reply`.
struct ReplyWriter: StreamWriter {
    var stream = AnswerStream()
    private(set) var answer: HTTPAnswer?
    static let sign = "\n"

    mutating func take(_ item: CommandReply.Item) {
        if case .end = item { stream.isOver = true }
        stream.append(ReplyLine(item).encoded)
    }

    mutating func flush() {
        guard answer == nil, stream.isOver || waitingBytes > 0 else { return }
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.replyType)], body: .stream)
    }

    mutating func cut() {
        guard !stream.isOver else { return }
        take(.end(NodeError(.notAllowed, "the token was revoked or has expired")))
        flush()
    }
}

/// Streams the reply, one JSON value a line. An error after the first line is the last line: `{"error":…}`.
struct LineWriter: StreamWriter {
    let endpoint: Endpoint
    var stream = AnswerStream()
    private(set) var answer: HTTPAnswer?
    private(set) var hasData = false
    static let sign = "\n"

    mutating func take(_ item: CommandReply.Item) {
        switch item {
        case .data(let datum): data(datum.json)
        case .note, .progress, .more: break
        case .end(let error): end(error.map(endpoint.problem))
        }
    }

    private mutating func data(_ json: [UInt8]) {
        hasData = true
        stream.append(json + [0x0A])
    }

    private mutating func end(_ problem: Problem?) {
        stream.isOver = true
        guard let problem else { return }
        if hasData {
            data(JSONValue.object(["error": problem.json]).encoded)
        } else {
            answer = problem.answer
        }
    }

    mutating func flush() {
        guard answer == nil, hasData || stream.isOver else { return }
        answer = HTTPAnswer(status: 200, headers: [("Content-Type", Endpoint.linesType)], body: .stream)
    }

    mutating func cut() {
        guard !stream.isOver else { return }
        end(Problem(NodeError(.notAllowed, "the token was revoked or has expired")))
    }
}
