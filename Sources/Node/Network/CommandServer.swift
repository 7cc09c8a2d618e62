package import NodeCore

/// A way in for commands, served in each turn of the node's loop.
package protocol CommandServer: AnyObject {
    /// When it wants a turn although nothing comes in.
    var deadline: MonotonicTime? { get }

    /// Before the turn's commit. Gives the failures of stores that commands have run into.
    func work(now: MonotonicTime) -> [ControlFault]

    /// After the turn's commit: what was said goes out.
    func flush(now: MonotonicTime)

    /// What the turn changed in an account was rolled back; nil means in all.
    func fail(_ error: NodeError, of account: NodeAccount?)

    /// The account is gone: so is what commands do with it.
    func abandon(_ account: NodeAccount)

    /// Takes no more commands; those in work end with a word about it.
    func stop(now: MonotonicTime)
}

/// A store failed under a command.
package struct ControlFault {
    package let error: NodeError
    /// The one that the command is about; nil: about the node, or about several accounts.
    package let account: NodeAccount?

    package init(error: NodeError, account: NodeAccount?) {
        self.error = error
        self.account = account
    }
}
