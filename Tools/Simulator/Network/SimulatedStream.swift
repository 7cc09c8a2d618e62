import NodeCore

/// A TCP-like stream between two nodes: bytes arrive in order or not at all. A class, since a struct with all data in
/// flight would be copied for each piece.
final class SimulatedStream {
    struct End: Hashable {
        let node: Int
        /// The life of the node that it belongs to.
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

    /// The data in flight in one direction.
    struct Lane {
        /// In order of arrival. Those before `taken` have arrived; they are removed in batches, so that a long queue
        /// costs no more per piece than a short one.
        private var pieces: [(at: MonotonicTime, piece: Piece)] = []
        private var taken = 0
        /// The line is busy until then.
        private var busyUntil = MonotonicTime.zero
        private var lastArrival = MonotonicTime.zero
        /// Since when nothing gets across although data waits.
        var stalledSince: MonotonicTime?

        /// The next piece to arrive.
        var next: (at: MonotonicTime, piece: Piece)? { taken < pieces.count ? pieces[taken] : nil }

        /// Appends after all data in flight. Returns the arrival time.
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
    /// The end that opened it, and the other, which has no connection until it is accepted.
    var ends: [End]
    let address: SocketAddress
    /// Indexed by the sending end.
    var lanes = [Lane(), Lane()]
    /// This end's machine lost power: it does not even answer that the stream is gone.
    var isSilent = [false, false]

    init(caller: End, address: SocketAddress) {
        ends = [caller]
        self.address = address
    }
}
