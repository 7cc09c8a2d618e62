package import Commands
package import Node
import NodeCore

/// Parses command lines against a catalogue of commands. Pure: it opens nothing and knows no command by name.
package struct CommandLineParser: Sendable {
    package let commands: [CommandSpec]

    /// Options that every command takes, before or after its name.
    static let global: [ParameterSpec] = [
        ParameterSpec(
            "--home", .text("DIR"), help: "folder of the node (default: KACHAT_HOME, or the XDG data folder)"),
        ParameterSpec("--json", help: "print JSON: one object, or one a line"),
        ParameterSpec("--quiet", help: "print only data and errors"),
        ParameterSpec("--help", help: "show help for the command"),
    ]

    package init(commands: [CommandSpec]) { self.commands = commands }

    /// Parses the arguments after the program's name. Usage errors say what is allowed.
    package func parse(_ arguments: [String]) throws(NodeError) -> ParsedCommand {
        guard arguments.count <= Limits.arguments else { throw usage("too many arguments") }
        guard arguments.allSatisfy({ $0.utf8.count <= Limits.argumentBytes }) else {
            throw usage("an argument is longer than \(Limits.argumentBytes) bytes")
        }
        var words = Words(arguments)
        var globals = GlobalOptions()
        let spec = try command(&words, &globals)
        var parsed = ParsedCommand(spec: spec, values: [:])
        var plain: [String] = []
        while let word = words.next() {
            let isPlain = words.areOptionsOver || !word.hasPrefix("-") || word == "-"
            if isPlain || Self.goesOn(word, plain, spec) {
                plain.append(word)
            } else if try !globals.take(word, &words, self, spec) {
                try option(word, &words, &parsed)
            }
        }
        let lacking = try place(plain, &parsed)
        parsed.home = globals.home
        parsed.isJSON = globals.isJSON
        parsed.isQuiet = globals.isQuiet
        parsed.wantsHelp = globals.wantsHelp
        parsed.isNamed = !globals.isBare
        if let lacking, !parsed.wantsHelp { throw usage("\(spec.name) needs \(lacking.usage)", spec) }
        let absent = spec.options.first { $0.isRequired && parsed.values[$0.name] == nil }
        if let absent, !parsed.wantsHelp {
            throw usage("\(spec.name) needs \(absent.usage)\(Self.choices(of: absent))", spec)
        }
        return parsed
    }

    /// Gives the words their places. An optional place stays empty if the words are needed behind it, or if the word
    /// does not fit it and another place follows.
    ///
    /// - Returns: the first required place without a word.
    private func place(_ words: [String], _ parsed: inout ParsedCommand) throws(NodeError) -> ParameterSpec? {
        let spec = parsed.spec
        var places = spec.places.filter { parsed.values[$0.name] == nil }[...]
        for (index, word) in words.enumerated() {
            while let place = places.first, !place.isRequired, places.count > 1 {
                let isNeeded = places.count(where: \.isRequired) >= words.count - index
                guard isNeeded || place.value?.complaint(word) != nil else { break }
                places.removeFirst()
            }
            guard let place = places.popFirst() ?? spec.places.last(where: \.isRepeatable) else {
                throw usage("\(spec.name) takes no argument `\(Terminal.harmless(word))`", spec)
            }
            if let kind = place.value { try check(word, kind, place.usage, spec) }
            parsed.values[place.name, default: []].append(word)
        }
        return places.first(where: \.isRequired)
    }

    private static func choices(of option: ParameterSpec) -> String {
        switch option.value {
        case .choice, .form: ": \(option.value?.allowed ?? "")"
        default: ""
        }
    }

    /// True if the word continues an invitation that was split at blanks: the hyphens between its groups start no
    /// options.
    private static func goesOn(_ word: String, _ plain: [String], _ spec: CommandSpec) -> Bool {
        guard !word.hasPrefix("--"), word != "-h", spec.places.last?.isRepeatable == true else { return false }
        return plain.first?.lowercased().hasPrefix("kachat:") == true
    }

    /// The command's name: the longest path of the catalogue that the words begin with.
    private func command(_ words: inout Words, _ globals: inout GlobalOptions) throws(NodeError) -> CommandSpec {
        while let word = words.peek(), word.hasPrefix("-"), word != "-" {
            _ = words.next()
            if word == "--version", let version = commands.first(where: { $0.name == "version" }) { return version }
            guard try globals.take(word, &words, self, nil) else {
                throw usage("unknown option \(word)\(EditDistance.suggestion(for: word, in: Self.global.map(\.name)))")
            }
        }
        guard let first = words.next() else {
            globals.isBare = true
            guard let help = commands.first(where: { $0.name == "help" }) else { throw usage("which command?") }
            return help
        }
        if let renamed = commands.first(where: { $0.formerName == first }) { return renamed }
        let family = commands.filter { $0.path[0] == first }
        if let second = words.peek(), let spec = family.first(where: { $0.path == [first, second] }) {
            _ = words.next()
            return spec
        }
        if let spec = family.first(where: { $0.path.count == 1 }) { return spec }
        guard !family.isEmpty else {
            throw usage("unknown command `\(first)`\(suggestion(forCommand: first)); see `kachat-node help`")
        }
        let seconds = family.compactMap { $0.path.last }
        if words.peek() == "--help" || words.peek() == "-h", let help = commands.first(where: { $0.name == "help" }) {
            // `message --help` means `help message`.
            words.replaceNext(by: first)
            return help
        }
        guard let second = words.peek(), !second.hasPrefix("-") else {
            throw usage("`\(first)` needs one of: \(seconds.joined(separator: ", "))")
        }
        throw usage(
            "unknown command `\(first) \(second)`\(EditDistance.suggestion(for: second, in: seconds)); "
                + "`\(first)` has: \(seconds.joined(separator: ", "))")
    }

    private func option(_ word: String, _ words: inout Words, _ parsed: inout ParsedCommand) throws(NodeError) {
        let (name, attached) = split(word)
        let spec = parsed.spec
        guard let option = spec.parameters.first(where: { $0.isOption && !$0.isOnlyRequested && $0.name == name })
        else {
            let known = spec.options.map(\.name) + CommandLineParser.global.map(\.name)
            throw usage("\(spec.name) has no option \(name)\(EditDistance.suggestion(for: name, in: known))", spec)
        }
        guard option.isRepeatable || parsed.values[name] == nil else { throw usage("\(name) is given twice", spec) }
        parsed.values[name, default: []].append(try value(of: option, attached, &words, spec))
    }

    /// The checked value of an option: after `=`, or the next word.
    fileprivate func value(
        of option: ParameterSpec, _ attached: String?, _ words: inout Words, _ spec: CommandSpec?
    ) throws(NodeError) -> String {
        guard let kind = option.value else {
            guard attached == nil else { throw usage("\(option.name) takes no value", spec) }
            return ""
        }
        guard let value = attached ?? words.next() else {
            throw usage("\(option.name) needs a value: \(option.usage)", spec)
        }
        try check(value, kind, option.name, spec)
        return value
    }

    private func check(_ value: String, _ kind: ValueKind, _ name: String, _ spec: CommandSpec?) throws(NodeError) {
        guard let complaint = kind.complaint(value) else { return }
        // Shortened: the beginning is enough to recognise it.
        let shown = Terminal.harmless(String(value.prefix(60))) + (value.count > 60 ? "…" : "")
        let meant = kind.nearest(to: value).map { " (did you mean `\($0)`?)" } ?? ""
        throw usage("\(name) \(complaint)\(Wording.instead(shown))\(meant)", spec)
    }

    private func suggestion(forCommand word: String) -> String {
        let meant = FirstNeeds.meant(by: word, in: commands.map(\.path))
        guard let last = meant.last else { return EditDistance.suggestion(for: word, in: commands.firstWords) }
        let others = meant.dropLast().map { "`\($0)`" }.joined(separator: ", ")
        return " (did you mean \(others.isEmpty ? "" : others + " or ")`\(last)`?)"
    }

    fileprivate func usage(_ message: String, _ spec: CommandSpec? = nil) -> NodeError {
        NodeError(.usage, spec.map { "\(message)\nusage: \($0.usage)" } ?? message)
    }
}

extension [CommandSpec] {
    /// The first words of all commands, in their order.
    var firstWords: [String] {
        var seen: [String] = []
        for command in self where !seen.contains(command.path[0]) { seen.append(command.path[0]) }
        return seen
    }
}

/// `--name=value` as name and value.
private func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
}

/// The arguments still to be read; `--` ends the options.
private struct Words {
    private var rest: ArraySlice<String>
    private(set) var areOptionsOver = false

    init(_ arguments: [String]) { rest = arguments[...] }

    func peek() -> String? { rest.first }

    mutating func replaceNext(by word: String) { rest = [word] + rest.dropFirst() }

    mutating func next() -> String? {
        if !areOptionsOver && rest.first == "--" {
            rest.removeFirst()
            areOptionsOver = true
        }
        return rest.popFirst()
    }
}

/// The global options read so far.
private struct GlobalOptions {
    var home: String?
    var isJSON = false
    var isQuiet = false
    var wantsHelp = false
    /// No command was named.
    var isBare = false

    /// False if the word is not a global option.
    mutating func take(
        _ word: String, _ words: inout Words, _ parser: CommandLineParser, _ spec: CommandSpec?
    ) throws(NodeError) -> Bool {
        let (name, attached) = split(word == "-h" ? "--help" : word)
        guard let option = CommandLineParser.global.first(where: { $0.name == name }) else { return false }
        let value = try parser.value(of: option, attached, &words, spec)
        switch name {
        case "--home": home = value
        case "--json": isJSON = true
        case "--quiet": isQuiet = true
        default: wantsHelp = true
        }
        return true
    }
}
