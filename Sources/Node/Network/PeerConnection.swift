package import Gossip
package import NodeCore
package import Transport

/// A connection to another node, from its first byte: the stream, its session and pending output.
package final class PeerConnection {
    /// The way it was opened.
    package enum Origin {
        case accepted(from: SocketAddress)
        case dialled(PlaceID, SocketAddress)
    }

    package let id: SessionID
    package let origin: Origin
    package let stream: StreamConnection
    package let session: SessionMachine
    /// For an accepted connection: the place of each of its doors.
    private let places: [PlaceID]
    /// The time it was dialled or accepted.
    package let startedAt: MonotonicTime
    package var output = OutputBuffer()
    /// The handshake is complete, and the machine knows the session.
    package var isEstablished = false
    /// No more messages follow: close when pending output is sent, or at this time.
    var closeBy: MonotonicTime?

    init(
        id: SessionID, origin: Origin, stream: StreamConnection, session: SessionMachine, places: [PlaceID],
        startedAt: MonotonicTime
    ) {
        self.id = id
        self.places = places
        self.origin = origin
        self.stream = stream
        self.session = session
        self.startedAt = startedAt
    }

    /// The other end's address: the one dialled, or where it came from.
    package var address: SocketAddress {
        switch origin {
        case .accepted(let address), .dialled(_, let address): address
        }
    }

    /// The place of the session, once it is established.
    package func place(_ door: Int) -> PlaceID {
        switch origin {
        case .accepted: places[door]
        case .dialled(let place, _): place
        }
    }

    var isInitiator: Bool {
        if case .dialled = origin { true } else { false }
    }

    /// Bytes sealed or waiting to be.
    package var waitingBytes: Int { output.count + session.queuedBytes }

    /// The time the network must handle it even if nothing arrives.
    package var deadline: MonotonicTime? { [session.deadline, closeBy].compactMap(\.self).min() }
}
