import NodeCore

/// A TCP-like stream between two nodes: bytes arrive in order or not at all.
struct SimulatedStream {
    struct End: Hashable {
        let node: Int
        /// Which life of the node it belongs to.
        let life: Int
        let connection: ConnectionID
    }

    enum State: Hashable {
        /// Next: open, closed.
        case connecting
        /// Next: closed.
        case open
        case closed
    }

    enum Piece {
        case bytes([UInt8])
        /// The sender has closed.
        case end
    }

    /// What is on its way in one direction.
    struct Lane {
        var pieces: [(at: MonotonicTime, piece: Piece)] = []
        /// The line is in use until then.
        var busyUntil = MonotonicTime.zero
        var lastArrival = MonotonicTime.zero
        /// Since when nothing gets across, though something waits.
        var stalledSince: MonotonicTime?
    }

    var state = State.connecting
    /// The end that opened it, and the other, which has no connection before it is accepted.
    var ends: [End]
    let address: SocketAddress
    /// By the end that sends.
    var lanes = [Lane(), Lane()]
    /// That end's machine lost its power: it answers nothing, not even that it is gone.
    var isSilent = [false, false]
}
