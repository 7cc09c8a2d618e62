package import Commands
import Node

/// The text of `--help`. Examples come first, since most people look for one to adapt.
package enum Help {
    /// One command.
    package static func text(_ spec: CommandSpec, columns: Int = .max) -> String {
        var lines = Terminal.wrapped(spec.summary, columns: columns) + ["", "examples:"]
        lines += spec.examples.map { "  \($0)" }
        lines += ["", "usage:"] + wrapped(spec.usage, columns: min(100, columns))
        if !spec.options.isEmpty {
            lines += ["", "options:"] + table(spec.options.map { ($0.usage, $0.help) }, columns: columns)
        }
        lines += ["", "for every command:"]
        lines += table(CommandLineParser.global.map { ($0.usage, $0.help) }, columns: columns)
        return lines.joined(separator: "\n")
    }

    /// The program: what a person needs first.
    static func first(_ commands: [CommandSpec], columns: Int) -> String {
        var lines = Terminal.wrapped(
            "kachat-node keeps your chats the same on all your devices, without a server.", columns: columns)
        let width = FirstNeeds.groups.flatMap(\.commands).map(\.count).max() ?? 0
        for group in FirstNeeds.groups {
            lines += ["", "\(group.title):"]
            lines += table(
                group.commands.compactMap { name in
                    commands.first { $0.name == name }.map { ($0.name, $0.summary) }
                }, width: width, columns: columns)
        }
        lines += [""]
        lines += Terminal.wrapped(
            "`kachat-node help COMMAND` explains a command, `kachat-node help --all` lists all \(commands.count).",
            columns: columns)
        return lines.joined(separator: "\n")
    }

    /// The commands that begin with one word.
    static func family(_ commands: [CommandSpec], columns: Int) -> String {
        let lines = table(commands.map { ($0.name, $0.summary) }, columns: columns)
        let more = Terminal.wrapped("`kachat-node help \(commands[0].name)` explains one of them.", columns: columns)
        return (["commands:"] + lines + [""] + more).joined(separator: "\n")
    }

    /// The program: every command.
    static func all(_ commands: [CommandSpec], columns: Int) -> String {
        var lines = ["commands:"]
        lines += table(commands.map { ($0.name, $0.summary) }, columns: columns)
        lines += ["", "for every command:"]
        lines += table(CommandLineParser.global.map { ($0.usage, $0.help) }, columns: columns)
        lines += ["", "`kachat-node help COMMAND` explains a command."]
        return lines.joined(separator: "\n")
    }

    /// Lines broken before an option.
    private static func wrapped(_ usage: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = " "
        for part in usage.split(separator: " [", omittingEmptySubsequences: false).enumerated() {
            let words = part.offset == 0 ? String(part.element) : "[" + part.element
            if line.count + words.count >= columns {
                lines.append(line)
                line = "     "
            }
            line += " " + words
        }
        return lines + [line]
    }

    /// The right column is wrapped; in a narrow terminal it stands below the left one.
    private static func table(_ rows: [(String, String)], width: Int? = nil, columns: Int = .max) -> [String] {
        let width = width ?? rows.map { $0.0.count }.max() ?? 0
        let indent = width + 4 > columns / 2 ? 6 : width + 4
        return rows.flatMap { left, right in
            var lines = Terminal.wrapped(right, columns: columns - indent)
            var first = "  " + left
            if indent == width + 4 {
                first += String(repeating: " ", count: width - left.count + 2) + lines.removeFirst()
            }
            return [first] + lines.map { String(repeating: " ", count: indent) + $0 }
        }
    }
}

/// The commands that a person needs first. `help` shows these, `help --all` every one.
enum FirstNeeds {
    static let groups: [(title: String, commands: [String])] = [
        ("start", ["setup", "account pair", "run"]),
        ("see how it is", ["status", "doctor", "dashboard"]),
        ("messages", ["conversation list", "message list", "message search", "import"]),
        ("leaderboards", ["group create", "group join", "score post", "leaderboard"]),
        ("be safe", ["backup", "restore", "device remove"]),
    ]

    /// For words that people try and no command has.
    private static let synonyms = [
        "send": ["message add"], "write": ["message add"], "chat": ["message list"], "chats": ["conversation list"],
        "start": ["run"], "serve": ["run"], "daemon": ["run"], "login": ["setup"], "new": ["setup"],
        "find": ["message search"], "ls": ["conversation list", "device list"], "board": ["leaderboard"],
        "lost": ["device remove"], "log": ["notices"], "notifications": ["notices"], "ui": ["dashboard"],
        "web": ["dashboard"],
    ]

    /// At most four commands that were probably meant by an unknown first word.
    static func meant(by word: String, in commands: [[String]]) -> [String] {
        let word = word.lowercased()
        let first = groups.flatMap(\.commands)
        func sorted(_ paths: [[String]]) -> [String] {
            let names = paths.map { $0.joined(separator: " ") }
            return first.filter(names.contains) + names.filter { !first.contains($0) }
        }
        let seconds = sorted(commands.filter { $0.count == 2 && $0[1] == word })
        if !seconds.isEmpty { return Array(seconds.prefix(4)) }
        if let known = synonyms[word] { return known }
        return []
    }
}
