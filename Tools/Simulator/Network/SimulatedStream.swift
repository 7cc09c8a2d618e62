import NodeCore

/// A TCP-like stream between two nodes: bytes arrive in order or not at all. An object, since a copy of all that is on
/// its way would be made for each piece.
final class SimulatedStream {
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
        /// In the order in which they arrive. Those before `taken` have; they go in one go, so that a long queue costs
        /// no more for each piece than a short one.
        private var pieces: [(at: MonotonicTime, piece: Piece)] = []
        private var taken = 0
        /// The line is in use until then.
        private var busyUntil = MonotonicTime.zero
        private var lastArrival = MonotonicTime.zero
        /// Since when nothing gets across, though something waits.
        var stalledSince: MonotonicTime?

        /// What arrives next.
        var next: (at: MonotonicTime, piece: Piece)? { taken < pieces.count ? pieces[taken] : nil }

        /// Behind all that is on its way. When it arrives.
        mutating func append(
            _ piece: Piece, now: MonotonicTime, transmission: Duration, delay: Duration
        ) -> MonotonicTime {
            busyUntil = max(now, busyUntil) + transmission
            lastArrival = max(lastArrival, busyUntil + delay)
            pieces.append((lastArrival, piece))
            return lastArrival
        }

        mutating func removeNext() {
            pieces[taken].piece = .end
            taken += 1
            guard taken * 2 >= pieces.count else { return }
            pieces.removeFirst(taken)
            taken = 0
        }
    }

    var state = State.connecting
    /// The end that opened it, and the other, which has no connection before it is accepted.
    var ends: [End]
    let address: SocketAddress
    /// By the end that sends.
    var lanes = [Lane(), Lane()]
    /// That end's machine lost its power: it answers nothing, not even that it is gone.
    var isSilent = [false, false]

    init(caller: End, address: SocketAddress) {
        ends = [caller]
        self.address = address
    }
}
