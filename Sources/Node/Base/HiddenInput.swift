import Glibc

/// Hides what is typed on the terminal of standard input, except that a line ended: secrets stay off displays,
/// recordings and the terminal's history (termios(3)).
package enum HiddenInput {
    /// The terminal's previous settings, for the signal handler.
    nonisolated(unsafe) private static var before = termios()
    private static let deadly = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Hides nothing if standard input is not a terminal.
    package static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
        let handlers = deadly.map { signal($0, restoreAndDie) }
        var hidden = before
        hidden.c_lflag = hidden.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
            for (number, handler) in zip(deadly, handlers) { signal(number, handler) }
        }
        return try body()
    }

    /// A process that dies would leave the terminal without echo. Both calls are allowed in a handler
    /// (signal-safety(7)).
    private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
        signal(number, SIG_DFL)
        raise(number)
    }
}
