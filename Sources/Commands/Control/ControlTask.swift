/// A command in work, and the account that it is about.
struct ControlTask {
    let operation: any ControlOperation
    /// Nil: about the node, or about several accounts.
    var account: NodeAccount?
}

/// A store failed under a command.
struct ControlFault {
    let error: NodeError
    /// As of the command's task.
    let account: NodeAccount?
}
