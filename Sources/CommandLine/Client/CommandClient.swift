import Commands
import Node
import NodeCore

/// Sends a request over a link and shows what comes back.
struct CommandClient: ~Copyable {
    let link: any CommandLink
    let output: Output
    let errors: Output
    /// Shows one datum to people; nil: as JSON, a line each.
    var render: ((JSONValue, Output) -> Void)?
    /// Takes the data instead of the output.
    var take: (([UInt8]) throws(NodeError) -> Void)?
    /// Looks at each datum besides.
    var also: ((JSONValue) throws(NodeError) -> Void)?
    /// Shows how far an import is; nil where nobody looks.
    var progress: ((JSONValue, Output) throws(NodeError) -> Void)?

    init(link: any CommandLink, output: Output, errors: Output) {
        self.link = link
        self.output = output
        self.errors = errors
    }

    /// The command's status. The input's lines follow the request.
    consuming func run(_ request: ControlRequest, input: consuming CommandInput?) throws(NodeError) -> ExitStatus {
        var input = input
        var outgoing = request.encoded + [UInt8(ascii: "\n")]
        var lines = LineBuffer(limit: 16 * Commands.Limits.controlLineBytes)
        defer { output.flush() }
        while true {
            // What was read may hold no whole line yet.
            while outgoing.isEmpty, let more = try input?.next() { outgoing = more }
            guard let received = try link.exchange(&outgoing) else {
                throw NodeError(.notReachable, "the node has closed the connection: it may have been stopped")
            }
            lines.append(received)
            while let line = lines.next() {
                guard case .line(let bytes) = line, let said = ControlReplyLine(bytes) else { continue }
                if let status = try show(said) { return status }
            }
            // What has come is shown: a search goes on behind its first hits.
            output.flush()
            // Nobody reads any more (a pager that was left): the command has done its work.
            if !output.isOpen { return .done }
        }
    }

    /// The status, if that was the last line.
    private func show(_ line: ControlReplyLine) throws(NodeError) -> ExitStatus? {
        switch line {
        case .data(let bytes):
            if let also, let value = JSONValue(json: bytes) { try also(value) }
            if let take {
                try take(bytes)
            } else if let render, let value = JSONValue(json: bytes) {
                render(value, output)
            } else {
                output.bufferedLine(bytes)
            }
        case .note(let text): errors.complaint(text)
        case .progress(let value): try progress?(value, errors)
        case .end(let exit, _, let message):
            if !message.isEmpty { errors.complaint(message) }
            return ExitStatus(rawValue: exit) ?? .failed
        }
        return nil
    }
}
