import Commands
import Node
import NodeCore
import NodeModel

/// How much of a file was read; the size is known if it is a plain file.
final class InputMeter {
    var done = 0
    var all: Int?
}

/// The progress of a command, in one line of the terminal that is overwritten.
final class ProgressLine {
    private let output: Output
    private let clock: any Clock
    private let start: MonotonicTime
    /// The line changes at most ten times a second.
    private var next: MonotonicTime
    private var isShown = false
    /// The input of an import.
    let meter = InputMeter()

    /// Nil if nobody watches: with `--json` or `--quiet`, or if standard error is no terminal.
    init?(_ context: ToolContext) {
        guard context.errors.isTerminal, !context.command.isQuiet, !context.command.isJSON else { return nil }
        output = context.errors
        clock = context.clock
        start = clock.now()
        next = start
    }

    deinit { clear() }

    /// - Parameters:
    ///   - done: out of `all`, in any unit.
    ///   - text: what is done, such as `1,204 lines`.
    func show(_ done: Int, of all: Int, _ text: String) {
        draw { elapsed, columns in Self.text(done, of: all, text, elapsed: elapsed, columns: columns) }
    }

    func show(_ text: String) { draw { _, columns in Terminal.shortened(text, to: columns) } }

    /// Progress from the node: an import's lines, a backup's pages, an export's messages, or a sync.
    func show(_ value: JSONValue) {
        if let progress = try? RestoreProgress(json: value) {
            draw { _, columns in progress.bar(columns: columns) }
        } else if let waits = value["waitsFor"]?.text {
            show("\(waits), \(Wording.duration(seconds: Double(value["secondsLeft"]?.integer ?? 0))) left")
        } else if let lines = value["lines"]?.integer {
            let text = Wording.count(Int(lines), "line")
            if let all = meter.all { show(meter.done, of: all, text) } else { show(text) }
        } else if let given = value["messages"]?.integer, let all = value["of"]?.integer {
            show(Int(given), of: Int(all), Wording.count(Int(given), "message"))
        } else if let pages = value["pages"]?.integer, let all = value["of"]?.integer {
            show(Int(pages), of: Int(all), "copied")
        }
        if value["isLast"]?.boolean == true { clear() }
    }

    func clear() {
        guard isShown else { return }
        isShown = false
        output.raw("\r\u{1B}[K")
    }

    private func draw(_ text: (_ elapsed: Duration, _ columns: Int) -> String) {
        let now = clock.now()
        guard now >= next else { return }
        next = now + .milliseconds(100)
        isShown = true
        // A full line would wrap, and the part above would not be overwritten.
        output.raw("\r\(text(now - start, output.columns - 1))\u{1B}[K")
    }

    /// `[#####.....]  50 %  1,204 lines, 40 s left`. The time left is told after a second; a short line leaves out the
    /// bar first.
    static func text(_ done: Int, of all: Int, _ text: String, elapsed: Duration, columns: Int) -> String {
        let fraction = all > 0 ? min(1, Double(done) / Double(all)) : 1
        let percent = Output.padded("\(Int(fraction * 100))", 3, right: true) + " %"
        var left = ""
        if elapsed >= .seconds(1), fraction > 0, fraction < 1 {
            let seconds = elapsed / .seconds(1) * (1 - fraction) / fraction
            left = ", \(Wording.duration(seconds: seconds)) left"
        }
        func bar(_ width: Int) -> String {
            let filled = Int(fraction * Double(width))
            return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))]  "
        }
        let texts = [bar(30) + percent + "  " + text + left, bar(10) + percent + "  " + text + left, percent + left]
        return texts.first { Terminal.width($0) <= columns } ?? Terminal.shortened(percent, to: columns)
    }
}
