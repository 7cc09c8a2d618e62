package import Commands

/// The text of `--help`. Examples come first, since most people look for one to adapt.
package enum Help {
    /// One command.
    package static func text(_ spec: CommandSpec) -> String {
        var lines = ["\(spec.summary)", "", "examples:"]
        lines += spec.examples.map { "  \($0)" }
        lines += ["", "usage:"] + wrapped(spec.usage)
        if !spec.options.isEmpty { lines += ["", "options:"] + table(spec.options.map { ($0.usage, $0.help) }) }
        lines += ["", "for every command:"] + table(CommandLineParser.global.map { ($0.usage, $0.help) })
        return lines.joined(separator: "\n")
    }

    /// The program.
    package static func text(_ commands: [CommandSpec]) -> String {
        var lines = [
            "kachat-node keeps the chats of one person the same on all of that person's devices, without a server.",
            "", "examples:",
            "  kachat-node init --name laptop            a new account; other devices join with its phrase",
            "  kachat-node run                           find the other devices and keep in sync",
            "  kachat-node status                        what is here, and which devices are in reach",
            "  kachat-node message list --conversation alice --limit 20",
            "", "commands:",
        ]
        lines += table(commands.map { ($0.name, $0.summary) })
        lines += ["", "for every command:"] + table(CommandLineParser.global.map { ($0.usage, $0.help) })
        lines += ["", "`kachat-node help COMMAND` explains a command."]
        return lines.joined(separator: "\n")
    }

    /// Lines of at most 100 characters, broken before an option.
    private static func wrapped(_ usage: String) -> [String] {
        var lines: [String] = []
        var line = " "
        for part in usage.split(separator: " [", omittingEmptySubsequences: false).enumerated() {
            let words = part.offset == 0 ? String(part.element) : "[" + part.element
            if line.count + words.count > 100 {
                lines.append(line)
                line = "     "
            }
            line += " " + words
        }
        return lines + [line]
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map { $0.0.count }.max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right
        }
    }
}
