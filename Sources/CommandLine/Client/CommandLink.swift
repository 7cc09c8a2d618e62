import Node

/// The way from a command to the one who carries it out: the running node, or this process itself.
protocol CommandLink: AnyObject {
    /// Sends what it can of `outgoing`, removing it there, and returns what came back; waits until there was something
    /// to do. Nil: the other side has closed.
    func exchange(_ outgoing: inout [UInt8]) throws(NodeError) -> [UInt8]?
}
