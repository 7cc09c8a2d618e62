import Commands
import Node
import NodeCore

/// Sends a request over a link and shows the answer.
struct CommandClient: ~Copyable {
    let link: any CommandLink
    let output: Output
    let errors: Output
    /// Shows one datum as text; nil: one line of JSON each.
    var render: ((JSONValue, Output) -> Void)?
    /// Shows the data as rows instead.
    var table: ListTable? { didSet { printer = table?.printer(output) } }
    private var printer: ListPrinter?
    /// Receives the data instead of the output.
    var take: (([UInt8]) throws(NodeError) -> Void)?
    /// Also receives each datum.
    var also: ((JSONValue) throws(NodeError) -> Void)?
    /// The user is asked for a confirmation next, so its absence is not shown as an error.
    var asksAnyway = false
    /// Shows the progress of an import; nil if nobody watches.
    var progress: ((JSONValue, Output) throws(NodeError) -> Void)?
    /// The line of progress, which is cleared before anything else is shown.
    private var progressLine: ProgressLine?
    /// Refused lines that are named, so that an unsuitable file does not fill the screen; nil: all that are noted.
    var namedRefusals: Int?
    /// What to say if every line was refused.
    var expected: String?
    private var notes = 0
    private var counts = JSONValue.null

    init(link: any CommandLink, output: Output, errors: Output) {
        (self.link, self.output, self.errors) = (link, output, errors)
    }

    /// Shows the progress as the user wants it: in the line, as JSON, or not at all.
    mutating func showProgress(_ command: ParsedCommand, _ line: ProgressLine?) {
        if command.isJSON, !command.isQuiet {
            progress = { value, errors in errors.line(String(decoding: value.encoded, as: UTF8.self)) }
        } else if let line {
            progress = { value, _ in line.show(value) }
            progressLine = line
        }
    }

    /// The exit status.
    consuming func run(_ request: Invocation, input: consuming CommandInput?) throws(NodeError) -> ExitStatus {
        defer {
            printer?.finish(isWhole: false)
            output.flush()
        }
        var status: ExitStatus?
        try link.run(request, input: input) { lines throws(NodeError) in
            for line in lines where status == nil { status = try show(line) }
            // Show results as they arrive: a search continues behind its first hits. A closed output (the user left the
            // pager) ends the command successfully.
            output.flush()
            return output.isOpen && status == nil
        }
        return status ?? .done
    }

    /// The exit status, if this was the last line.
    private mutating func show(_ line: ReplyLine) throws(NodeError) -> ExitStatus? {
        switch line {
        case .data(let bytes):
            if output.isTerminal { progressLine?.clear() }
            if notes > 0, let value = JSONValue(json: bytes) { counts = value }
            if let also, let value = JSONValue(json: bytes) { try also(value) }
            if let take {
                try take(bytes)
            } else if let table, let value = JSONValue(json: bytes) {
                printer?.add(table.rows(of: value))
            } else if let render, let value = JSONValue(json: bytes) {
                render(value, output)
            } else {
                output.bufferedLine(bytes)
            }
        case .note(let text):
            notes += 1
            if let namedRefusals, notes > namedRefusals { return nil }
            progressLine?.clear()
            output.flush()
            errors.complaint(text)
        case .progress(let value): try progress?(value, errors)
        case .more: break
        case .end(let exit, let code, let message):
            progressLine?.clear()
            // The rows before stand above the error.
            printer?.finish(isWhole: exit == ExitStatus.done.rawValue)
            printer = nil
            output.flush()
            explainRefusals()
            let isAsked = asksAnyway && code == NodeError.Code.unconfirmed.rawValue
            if !message.isEmpty, !isAsked { errors.failure(message) }
            return ExitStatus(rawValue: exit) ?? .failed
        }
        return nil
    }

    /// Says what the notes left out, and what the file should be if nothing of it was taken.
    private func explainRefusals() {
        guard let refused = counts["refused"]?.integer else { return }
        if let namedRefusals, notes > namedRefusals {
            let most = Commands.Limits.importComplaints
            let listed = refused > most ? "the first \(Wording.grouped(most))" : "them all"
            errors.complaint("and \(Wording.grouped(Int(refused) - namedRefusals)) more: `--json` lists \(listed)")
        }
        let blank = counts["skipped"]?.integer ?? 0
        if let expected, refused > 0, counts["lines"]?.integer == refused + blank { errors.complaint(expected) }
    }
}

/// Connects a command to the node that runs it: the running node, or one opened in this process.
protocol CommandLink: AnyObject {
    /// Runs a command and passes on its reply lines as they arrive, until the end or until `hear` returns false.
    func run(
        _ request: Invocation, input: consuming CommandInput?,
        hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError)
}
