import Node

/// A command in work, and the account that it is about.
struct CommandTask {
    package let operation: any Operation
    /// Nil: about the node, or about several accounts.
    package var account: NodeAccount?
}
