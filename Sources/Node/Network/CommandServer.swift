package import NodeCore

/// A source of commands, served in each turn of the node's loop.
package protocol CommandServer: AnyObject {
    /// The time it needs a turn even if nothing arrives.
    var deadline: MonotonicTime? { get }

    /// Runs before the turn's commit. Returns the failures of stores met by commands.
    func work(now: MonotonicTime) -> [CommandFault]

    /// Runs after the turn's commit: sends the answers.
    func flush(now: MonotonicTime)

    /// The turn's changes in an account were rolled back; nil means in all accounts.
    func fail(_ error: NodeError, of account: NodeAccount?)

    /// Ends the commands of an account that is gone.
    func abandon(_ account: NodeAccount)

    /// Accepts no more commands; ends running ones with an error.
    func stop(now: MonotonicTime)
}

/// A store's failure under a command.
package struct CommandFault {
    package let error: NodeError
    /// The account of the command; nil if it concerns the node, or several accounts.
    package let account: NodeAccount?

    package init(error: NodeError, account: NodeAccount?) {
        (self.error, self.account) = (error, account)
    }
}
