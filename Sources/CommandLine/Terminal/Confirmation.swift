import Commands
import Glibc
import Node

/// Asks before what cannot be undone.
enum Confirmation {
    /// Returns if `--yes` was given, or the user says so on a terminal.
    ///
    /// - Throws: `NodeError` of usage where nobody can be asked, and where the answer is not `yes`.
    static func ask(_ context: ToolContext, _ question: String) throws(NodeError) {
        if context.command.has("--yes") { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw NodeError(.usage, "`\(context.command.name)` asks before it does anything: run it with --yes")
        }
        context.errors.line(question)
        context.errors.line("Type `yes` to go on:")
        guard readLine() == "yes" else { throw NodeError(.failed, "nothing was changed") }
    }
}
