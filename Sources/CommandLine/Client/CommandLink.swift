import Commands
import Node

/// Connects a command to the node that runs it: the running node, or one opened in this process.
protocol CommandLink: AnyObject {
    /// Runs a command and passes on its reply lines as they arrive, until the end or until `hear` returns false.
    func run(
        _ request: Invocation, input: consuming CommandInput?,
        hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError)
}
