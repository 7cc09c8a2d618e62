import Glibc
package import NodeCore

/// The node's log: one line per condition on standard error, with a level and a searchable code.
///
/// Never a secret, body or phrase: callers pass only ids and counts.
package final class Log {
    package enum Level: Int, Comparable, Sendable, CaseIterable {
        /// Details for tracing an error.
        case debug
        case info
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// The priority of syslog(3).
        fileprivate var priority: Int {
            switch self {
            case .debug: 7
            case .info: 6
            case .warning: 4
            case .error: 3
            }
        }
    }

    /// The format of a line.
    package enum Format: String, Sendable, CaseIterable {
        /// `warning storage-full: …`
        case text
        /// One object per line: `at` (ms), `level`, `code`, `text`.
        case json
    }

    private let output: Output
    private let least: Level
    private let format: Format
    /// The lines go to the journal: each begins with its priority (sd-daemon(3)).
    private let isJournal: Bool
    private let clock: any Clock
    /// Conditions that were logged and are not over.
    private var told: [String] = []
    /// Called for each warning and error, even if it is not written again.
    var didNote: (_ code: String) -> Void = { _ in }

    package init(
        output: Output, least: Level = .info, format: Format = .text, isJournal: Bool = false,
        clock: any Clock = SystemClock()
    ) {
        self.output = output
        self.least = least
        self.format = format
        self.isJournal = isJournal
        self.clock = clock
    }

    /// True if lines of this level are written; otherwise callers can skip expensive ones.
    package func tells(_ level: Level) -> Bool { level >= least }

    /// `warning storage-full: …`
    package func line(_ level: Level, _ code: String, _ text: String) {
        if level > .info { didNote(code) }
        write(level, code, text)
    }

    /// Logs a lasting condition: once for each subject until `over` is called.
    package func once(_ level: Level, _ code: String, subject: String = "", _ text: String) {
        let key = code + " " + subject
        if level > .info { didNote(code) }
        guard !told.contains(key) else { return }
        if told.count == Limits.toldConditions { told.removeFirst() }
        told.append(key)
        write(level, code, text)
    }

    private func write(_ level: Level, _ code: String, _ text: String) {
        guard tells(level) else { return }
        let line: String
        switch format {
        case .text: line = "\(level) \(code): \(Terminal.harmless(text))"
        case .json:
            let fields: [String: JSONValue] = [
                "at": .int(clock.wall().milliseconds), "level": .string("\(level)"), "code": .string(code),
                "text": .string(text),
            ]
            line = String(decoding: JSONValue.object(fields).encoded, as: UTF8.self)
        }
        output.line((isJournal ? "<\(level.priority)>" : "") + line)
    }

    /// The condition is over, so it will be logged again next time. True if it had been logged.
    @discardableResult
    package func over(_ code: String, subject: String = "") -> Bool {
        guard let index = told.firstIndex(of: code + " " + subject) else { return false }
        told.remove(at: index)
        return true
    }
}

extension Output {
    /// True if standard error goes to systemd's journal: its device and inode match `JOURNAL_STREAM` (systemd.exec(5)).
    /// They do not match if there is a program in between.
    package func isJournal(_ environment: Environment) -> Bool {
        guard let stream = environment[name: "JOURNAL_STREAM"], let own = identity else { return false }
        return stream == "\(own.device):\(own.inode)"
    }
}
