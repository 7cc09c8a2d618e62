import Node

/// A parsed command line; every value has been checked against its kind.
package struct ParsedCommand: Sendable {
    package let spec: CommandSpec
    /// Values by option name (`--limit`) or place name (`TXID`); a switch has one empty value.
    package var values: [String: [String]]
    package var home: String?
    package var isJSON = false
    package var isQuiet = false
    /// `--help` or `-h` was given; everything else is ignored.
    package var wantsHelp = false
    /// False if the command line named no command; the spec is that of `help` then.
    package var isNamed = true

    package init(spec: CommandSpec, values: [String: [String]]) { (self.spec, self.values) = (spec, values) }

    package var name: String { spec.name }

    /// The same arguments for another command.
    package func with(spec: CommandSpec) -> ParsedCommand {
        var command = ParsedCommand(spec: spec, values: values)
        (command.home, command.isJSON) = (home, isJSON)
        return command
    }

    package func has(_ name: String) -> Bool { values[name] != nil }
    package func text(_ name: String) -> String? { values[name]?.first }
    package func texts(_ name: String) -> [String] { values[name] ?? [] }
    package func number(_ name: String) -> UInt64? { text(name).flatMap(UInt64.init) }
}

extension Invocation {
    package init(_ parsed: ParsedCommand) { self.init(command: parsed.name, arguments: parsed.values) }
}
