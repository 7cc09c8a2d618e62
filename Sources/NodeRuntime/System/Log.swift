/// What the node says about itself: one line a condition on standard error, with a level and a code to search for.
///
/// Never a secret, never a body, never a phrase: callers give ids and counts only.
package final class Log {
    package enum Level: Int, Comparable, Sendable {
        case info
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let output: Output
    private let least: Level
    /// Conditions that were told and are not over; bounded, oldest out.
    private var told: [String] = []
    private static let toldLimit = 256
    /// Told of each warning and error, also of those that are not written again.
    var didNote: (_ code: String) -> Void = { _ in }

    package init(output: Output, least: Level = .info) {
        self.output = output
        self.least = least
    }

    /// `warning storage-full: …`
    package func line(_ level: Level, _ code: String, _ text: String) {
        if level > .info { didNote(code) }
        write(level, code, text)
    }

    /// A line for a condition that lasts: told once for each subject until `over` is called.
    package func once(_ level: Level, _ code: String, subject: String = "", _ text: String) {
        let key = code + " " + subject
        if level > .info { didNote(code) }
        guard !told.contains(key) else { return }
        if told.count == Log.toldLimit { told.removeFirst() }
        told.append(key)
        write(level, code, text)
    }

    private func write(_ level: Level, _ code: String, _ text: String) {
        guard level >= least else { return }
        output.line("\(level) \(code): \(text)")
    }

    /// The condition is over: the next time it is told again. True if it had been told.
    @discardableResult
    package func over(_ code: String, subject: String = "") -> Bool {
        guard let index = told.firstIndex(of: code + " " + subject) else { return false }
        told.remove(at: index)
        return true
    }
}
