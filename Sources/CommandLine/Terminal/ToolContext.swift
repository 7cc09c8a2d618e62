package import Commands
import Glibc
package import Node
package import NodeCore

/// The environment of a command: its arguments, the process's surroundings and its output.
package struct ToolContext {
    package private(set) var command: ParsedCommand
    /// All commands of the program, in the order of its help.
    let commands: [CommandSpec]
    package let environment: Environment
    package let output: Output
    package let errors: Output
    package let clock: any Clock
    /// Nil in programs without the local API.
    package let makeHTTPServer: HTTPServerMaker?
    /// Makes QR codes, where the program can.
    let qr: QREncoder
    /// The dashboard's files.
    var site: @Sendable () -> [SiteFile] = { [] }

    /// The command line prefix that addresses this home, for advice in messages.
    var program: String { Program(flag: command.home).text }

    /// The home named by flag, environment or default; it may not exist.
    package func home() throws(NodeError) -> HomeFolder {
        try HomeFolder.resolve(flag: command.home, environment: environment)
    }

    /// The same context for another command.
    func with(_ command: ParsedCommand) -> ToolContext {
        var copy = self
        copy.command = command
        return copy
    }

    /// Prints an answer: as JSON on request, otherwise in words.
    func show(_ json: @autoclosure () -> JSONValue, words: () -> Void) {
        if command.isJSON { output.bufferedLine(json().encoded) } else { words() }
    }

    /// The command with the account of `KACHAT_ACCOUNT`, if it takes an account and none was given.
    var accountCommand: ParsedCommand {
        var command = command
        if command.spec.takesAccount, !command.has(ParameterSpec.account.name),
            let name = environment[name: "KACHAT_ACCOUNT"]
        {
            command.values[ParameterSpec.account.name] = [name]
        }
        return command
    }

    /// The home, if it has an identity.
    func initialisedHome() throws(NodeError) -> HomeFolder {
        let home = try home()
        guard home.hasIdentity else {
            // It may be there, in a folder that this user may not enter.
            do throws(NodeError) {
                _ = try IdentityFile.load(from: home)
            } catch {
                guard error.code == .noIdentity else { throw error }
            }
            throw NodeError(.noIdentity, "there is no node in \(home.path) yet: set it up with `\(program) setup`")
        }
        return home
    }
}

/// Asks before doing anything that cannot be undone.
enum Confirmation {
    /// Returns if `--yes` was given, or if the user types `yes` on a terminal.
    ///
    /// - Throws: `unconfirmed` if nobody can be asked, or if the answer is not `yes`.
    static func ask(_ context: ToolContext, _ question: String) throws(NodeError) {
        if context.command.has("--yes") { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw NodeError(.unconfirmed, "`\(context.command.name)` asks for confirmation: run it with --yes")
        }
        context.errors.line(question)
        context.errors.line("Type `yes` to continue:")
        guard readLine() == "yes" else { throw NodeError(.unconfirmed, "nothing was changed") }
    }
}
