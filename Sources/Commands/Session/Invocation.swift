/// A request to a command: its arguments as texts, each checked against its parameter's kind.
package struct Invocation: Equatable, Sendable {
    package let command: String
    /// By the parameters' names on the command line: `--limit`, `TXID`. A switch has one empty text.
    package var arguments: [String: [String]]

    package init(command: String, arguments: [String: [String]]) {
        self.command = command
        self.arguments = arguments
    }

    package func text(_ name: String) -> String? { arguments[name]?.first }
    package func number(_ name: String) -> UInt64? { text(name).flatMap(UInt64.init) }
    package func has(_ name: String) -> Bool { arguments[name] != nil }

    /// The part of a list that is asked for; nil for all of it.
    var page: CommandReply.Page? {
        guard let limit = number(Self.pageLimit) else { return nil }
        return CommandReply.Page(skips: Int(number(Self.pageCursor) ?? 0), limit: Int(limit))
    }

    /// Arguments for a page, which requests have and no command line.
    static let pageLimit = "page limit"
    static let pageCursor = "page cursor"

    /// True if its duration is up to the user: it follows or waits, or reads or writes lines at the user's pace.
    package var isLasting: Bool {
        has("--follow") || has("--wait") || ["import", "export"].contains(command.split(separator: " ").last)
    }
}
