package import Gossip
package import NodeCore
package import Transport

/// A connection of another node, from its first byte: the stream, its session and what waits to be sent.
package final class PeerConnection {
    /// Which way it came to be.
    package enum Origin {
        case accepted(from: SocketAddress)
        case dialled(zone: ZoneID, address: SocketAddress)
    }

    package let id: SessionID
    package let origin: Origin
    package let stream: StreamConnection
    package let session: SessionMachine
    /// Of an accepted connection: the zone that each of the session's candidates opens.
    private let doors: [ZoneID]
    /// What its first message took from the budget of keys.
    let keyCost: Int
    /// When it was dialled or accepted.
    package let startedAt: MonotonicTime
    package var output = OutputBuffer()
    /// Where it stands with the admission control, which counts handshakes and sessions.
    ///
    /// notYet → greeting → yes or refused; yes → refused, where it gives way.
    package enum Admission {
        case notYet
        /// The handshake is done. It still counts as one, until the peer shows that it belongs to the zone: keys of a
        /// group are known to those who were removed, too.
        case greeting
        case yes
        case refused
    }
    var isAdmitted = Admission.notYet
    /// The engine knows of it: its end is to be reported.
    var isReported = false
    /// All is said: to be closed when what waits is sent, or then at the latest.
    var closeBy: MonotonicTime?

    init(
        id: SessionID, origin: Origin, stream: StreamConnection, session: SessionMachine, doors: [ZoneID],
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

    /// The zone that the session is about, once it is established.
    package func zone(_ candidate: Int) -> ZoneID {
        switch origin {
        case .accepted: doors[candidate]
        case .dialled(let zone, _): zone
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
