import NodeCore

/// Events by time; those at the same moment happen in order of insertion.
struct EventQueue<Event> {
    private struct Entry {
        let at: MonotonicTime
        let number: UInt64
        let event: Event

        func comesBefore(_ other: Entry) -> Bool {
            at == other.at ? number < other.number : at < other.at
        }
    }

    /// A binary heap: the children of i are at 2i + 1 and 2i + 2.
    private var heap: [Entry] = []
    private var added: UInt64 = 0

    var count: Int { heap.count }
    var nextTime: MonotonicTime? { heap.first?.at }

    mutating func add(_ event: Event, at time: MonotonicTime) {
        added += 1
        heap.append(Entry(at: time, number: added, event: event))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].comesBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (at: MonotonicTime, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.at, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].comesBefore(heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}

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
    case disk(DiskEvent)
    /// From now on the date of a node goes at this rate.
    case clock(node: Int, rate: Int)
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
