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

    /// The command's status.
    consuming func run(_ request: Invocation, input: consuming CommandInput?) throws(NodeError) -> ExitStatus {
        defer { output.flush() }
        var status: ExitStatus?
        try link.run(request, input: input) { lines throws(NodeError) in
            for line in lines where status == nil { status = try show(line) }
            // What has come is shown: a search goes on behind its first hits. Where nobody reads any more (a pager that
            // was left) the command has done its work.
            output.flush()
            return output.isOpen && status == nil
        }
        return status ?? .done
    }

    /// The status, if that was the last line.
    private func show(_ line: ReplyLine) throws(NodeError) -> ExitStatus? {
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
