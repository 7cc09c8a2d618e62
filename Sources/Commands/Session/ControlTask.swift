import Node

/// A command in work, and the account that it is about.
struct ControlTask {
    package let operation: any ControlOperation
    /// Nil: about the node, or about several accounts.
    package var account: NodeAccount?
}
