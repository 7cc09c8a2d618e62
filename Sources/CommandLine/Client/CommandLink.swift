import Commands
import Node

/// The way from a command to the one who carries it out: the running node, or this process itself.
protocol CommandLink: AnyObject {
    /// Carries a command out, and tells what it says, as much at once as has come, until its end or until `hear` gives
    /// false.
    func run(
        _ request: Invocation, input: consuming CommandInput?,
        hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError)
}
