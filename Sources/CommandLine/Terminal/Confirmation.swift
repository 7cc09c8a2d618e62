import Commands
import Glibc
import Node

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
