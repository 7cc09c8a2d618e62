import NodeCore

/// An event planned by the world. Nodes and streams are numbers, so that their state is judged when it happens.
enum WorldEvent {
    /// The node's timer, if that life and plan are still current.
    case timer(node: Int, life: Int, plan: Int)
    case datagram([UInt8], to: Int, from: SocketAddress, interfaceIndex: UInt32)
    /// The connection request reaches the other machine, or is lost.
    case connect(stream: Int)
    /// The answer reaches the connecting side.
    case connected(stream: Int, accepted: Bool)
    /// A piece of a stream may arrive.
    case pump(stream: Int, sender: Int)
    case taken(stream: Int, end: Int, count: Int)
    /// This end learns that the stream is gone.
    case closed(stream: Int, end: Int)
    case fault(Fault)
    /// Even and odd nodes do not reach each other, for up to two minutes.
    case split
    case heal(partition: Int)
    case roomAgain(node: Int)
    case restart(node: Int, life: Int)
    case operation(node: Int, WorkloadOperation)
    /// The next message of the workload.
    case workload
    /// The next event of a person's day.
    case day(DayEvent)
    /// Checks all nodes.
    case inspect
}
