import Node
import Transport

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
