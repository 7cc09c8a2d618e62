/// What is asked of a command: its arguments as texts, each checked against the kind of its parameter.
package struct Invocation: Equatable, Sendable {
    package let command: String
    /// By the name that the command line has for a parameter: `--limit`, `TXID`. A switch has one empty text.
    package var arguments: [String: [String]]

    package init(command: String, arguments: [String: [String]]) {
        self.command = command
        self.arguments = arguments
    }

    package func text(_ name: String) -> String? { arguments[name]?.first }
    package func number(_ name: String) -> UInt64? { text(name).flatMap(UInt64.init) }
    package func has(_ name: String) -> Bool { arguments[name] != nil }

    /// It takes as long as the user likes: it follows or waits, or takes or gives lines at the user's pace.
    package var isLasting: Bool {
        has("--follow") || has("--wait") || ["import", "export"].contains(command.split(separator: " ").last)
    }
}
