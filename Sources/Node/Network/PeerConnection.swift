package import Gossip
package import NodeCore
package import Transport

/// A connection of another node, from its first byte: the stream, its session and what waits to be sent.
package final class PeerConnection {
    /// Which way it came to be.
    package enum Origin {
        case accepted(from: SocketAddress)
        case dialled(PlaceID, SocketAddress)
    }

    package let id: SessionID
    package let origin: Origin
    package let stream: StreamConnection
    package let session: SessionMachine
    /// Of an accepted connection: the place that each of the session's candidates opens.
    private let doors: [PlaceID]
    /// What its first message took from the budget of keys.
    package let keyCost: Int
    /// When it was dialled or accepted.
    package let startedAt: MonotonicTime
    package var output = OutputBuffer()
    /// The handshake is done, and the machine knows of the session.
    package var isEstablished = false
    /// All is said: to be closed when what waits is sent, or then at the latest.
    var closeBy: MonotonicTime?

    init(
        id: SessionID, origin: Origin, stream: StreamConnection, session: SessionMachine, doors: [PlaceID],
        keyCost: Int, startedAt: MonotonicTime
    ) {
        self.id = id
        self.doors = doors
        self.keyCost = keyCost
        self.origin = origin
        self.stream = stream
        self.session = session
        self.startedAt = startedAt
    }

    /// The other end: what was dialled, or where it came from.
    package var address: SocketAddress {
        switch origin {
        case .accepted(let address), .dialled(_, let address): address
        }
    }

    /// What the session is about, once it is established.
    package func place(_ candidate: Int) -> PlaceID {
        switch origin {
        case .accepted: doors[candidate]
        case .dialled(let place, _): place
        }
    }

    var isInitiator: Bool {
        if case .dialled = origin { true } else { false }
    }

    /// What is sealed or waits to be.
    package var waitingBytes: Int { output.count + session.queuedBytes }

    /// When the network has to look at it again though nothing comes in.
    package var deadline: MonotonicTime? { [session.deadline, closeBy].compactMap(\.self).min() }
}
