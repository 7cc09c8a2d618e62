import Commands
import Glibc
import Node
import NodeCore

/// Options that name a file with a recovery phrase or a wallet's key.
enum AccountSecretOptions {
    /// True if the command sends a phrase or a key to the node.
    static func areTaken(by command: ParsedCommand) -> Bool {
        command.spec.options.contains { $0.name == "--wallet-key" }
    }

    /// The same command; if nothing says where the phrase is, it is typed at the terminal.
    static func completed(_ command: ParsedCommand) throws(NodeError) -> ParsedCommand {
        guard try path(in: command) == nil else { return command }
        guard isatty(STDIN_FILENO) == 1 else {
            throw NodeError(.usage, "\(command.name) needs --phrase-file F or --wallet-key FILE")
        }
        var command = command
        command.values["--phrase-file"] = ["-"]
        return command
    }

    /// The account, if the user gave its phrase or key.
    static func account(_ context: ToolContext) throws(NodeError) -> AccountAddition? {
        guard let path = try path(in: context.command) else { return nil }
        let text = try text(of: path, context)
        return context.command.has("--wallet-key")
            ? try AccountAddition(walletKey: text) : try AccountAddition(phrase: text)
    }

    /// The file, if one is given; giving both is an error.
    static func path(in command: ParsedCommand) throws(NodeError) -> String? {
        let (phrase, key) = (command.text("--phrase-file"), command.text("--wallet-key"))
        if phrase != nil, key != nil { throw NodeError(.usage, "give --phrase-file or --wallet-key, not both") }
        return phrase ?? key
    }

    /// The contents of the file, or of standard input if the path is `-`.
    static func text(of path: String, _ context: ToolContext) throws(NodeError) -> String {
        warnIfExposed(path, context)
        return try asking(context) { () throws(NodeError) in
            do throws(FileError) {
                return try Files.readText(path == "-" ? "/dev/stdin" : path, limit: Commands.Limits.phraseFileBytes)
            } catch {
                throw NodeError(.failed, "cannot read \(path): \(error.reason)")
            }
        }
    }

    /// Warns if other users of the machine can read the file.
    static func warnIfExposed(_ path: String, _ context: ToolContext) {
        guard path != "-", Files.isPlainFile(path), Files.isOpenToOthers(path) else { return }
        context.errors.complaint(
            "others on this machine can read \(path): `chmod 600 \(Program.quoted(path))` keeps them out")
    }

    private static let typed = [
        ("--phrase-file", "the recovery phrase, all words on one line"), ("--wallet-key", "the key"),
    ]

    /// True if the user types the secret at the terminal.
    static func asks(_ context: ToolContext) -> Bool {
        typed.contains { context.command.text($0.0) == "-" } && isatty(STDIN_FILENO) == 1
    }

    /// Reads the secret that the options name. If that is standard input on a terminal, asks the user and hides the
    /// typing.
    static func asking<Result>(
        _ context: ToolContext, _ read: () throws(NodeError) -> Result
    ) throws(NodeError) -> Result {
        guard asks(context), let asked = typed.first(where: { context.command.text($0.0) == "-" }) else {
            return try read()
        }
        context.errors.line("Type \(asked.1); it is not shown. Then press Return and Ctrl-D:")
        return try HiddenInput.during(read)
    }
}
