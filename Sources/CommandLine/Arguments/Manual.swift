package import Commands
import Node

/// The manual page as scdoc(5) source, generated from the parser's catalogue.
package enum Manual {
    package static func scdoc(_ commands: [CommandSpec]) -> String {
        ([head, globalOptions, "# COMMANDS"] + commands.map(section) + [tail]).joined(separator: "\n\n") + "\n"
    }

    private static let head = """
        kachat-node(1)

        # NAME

        kachat-node - keeps one person's chats the same on all of that person's devices, without a server

        # SYNOPSIS

        *kachat-node* [--home DIR] [--json] [--quiet] COMMAND [ARGUMENTS]

        # DESCRIPTION

        A node runs on each of a person's devices. On the local network the nodes find each other and keep the same
        data: a chat archive, what has been read of it, and the results of groups of friends. The recovery phrase is
        the account.

        *kachat-node init* makes a device a node, *kachat-node run* serves, and *kachat-node doctor* says what is wrong.
        """

    private static var globalOptions: String {
        "# OPTIONS OF EVERY COMMAND\n\n" + CommandLineParser.global.map(entry).joined(separator: "\n\n")
    }

    private static func section(_ spec: CommandSpec) -> String {
        var parts = ["## kachat-node \(spec.name)", escaped(spec.summary) + ".", "```\n\(spec.usage)\n```"]
        parts += spec.options.map(entry)
        parts.append("```\n" + spec.examples.joined(separator: "\n") + "\n```")
        return parts.joined(separator: "\n\n")
    }

    private static func entry(_ option: ParameterSpec) -> String {
        let value = option.value.map { " " + escaped($0.placeholder) } ?? ""
        return "*\(escaped(option.name))*\(value)\n\t\(escaped(option.help))"
    }

    /// Escapes characters that scdoc treats as markup.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, letter in
            if "\\*_`#".contains(letter) { result += "\\" }
            result.append(letter)
        }
    }

    private static let tail = """
        # EXIT STATUS

        0 done; 1 failed; 2 usage; 3 the node is not reachable; 4 not allowed; 5 not found; 6 timed out.

        # ENVIRONMENT

        *KACHAT\\_HOME*
        \tThe folder of the node, where --home is not given.

        *KACHAT\\_ACCOUNT*
        \tThe account, where --account is not given.

        *KACHAT\\_...*
        \tEach setting has a variable that counts before the file: *kachat-node config list --json* names them.

        # FILES

        The home is --home, else KACHAT\\_HOME, else _kachat-node_ in the XDG data folder. *identity* holds the keys,
        *config.json* the settings, *zones* a database for each account and group.
        """
}
