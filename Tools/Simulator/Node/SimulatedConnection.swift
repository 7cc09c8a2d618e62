import Gossip
import NodeCore
import Transport

/// A connection of a simulated node, the counterpart of `PeerConnection`.
final class SimulatedConnection {
    enum Origin {
        case accepted(from: SocketAddress)
        case dialled(PlaceID, SocketAddress)
    }

    /// The capacity of the simulated socket.
    static let socketBytes = 64 * 1024

    let id: ConnectionID
    let origin: Origin
    let session: SessionMachine
    /// For an accepted connection: the place of each of its doors.
    private let places: [PlaceID]
    var output = OutputBuffer()
    /// Bytes sent and not yet taken by the network.
    private var inFlight = 0
    private var isFull = false
    /// A dialled connection accepts nothing before it is open.
    var isOpen: Bool
    /// The handshake is complete, and the machine knows the session.
    var isEstablished = false
    /// No more messages follow: close when pending output is sent, or at this time.
    var closeBy: MonotonicTime?

    init(id: ConnectionID, origin: Origin, session: SessionMachine, places: [PlaceID] = []) {
        self.id = id
        self.places = places
        self.origin = origin
        self.session = session
        if case .accepted = origin { isOpen = true } else { isOpen = false }
    }

    var sessionID: SessionID { SessionID(id.number) }

    var address: SocketAddress {
        switch origin {
        case .accepted(let address), .dialled(_, let address): address
        }
    }

    /// The place of the session, once it is established.
    func place(_ door: Int) -> PlaceID {
        switch origin {
        case .accepted: places[door]
        case .dialled(let place, _): place
        }
    }

    var isInitiator: Bool {
        if case .dialled = origin { true } else { false }
    }

    /// The number of bytes the socket accepts now.
    var room: Int { isFull ? 0 : max(Self.socketBytes - inFlight, 0) }

    func noteWritten(_ count: Int) {
        inFlight += count
        isFull = inFlight >= Self.socketBytes
    }

    /// A full socket has room again when a third of it is free, as in Linux (`sk_stream_is_writeable`). If each piece
    /// taken made room for one of its size, pieces would only ever be split: finally into single bytes.
    func noteTaken(_ count: Int) {
        inFlight -= count
        if inFlight <= Self.socketBytes / 3 * 2 { isFull = false }
    }

    var waitingBytes: Int { output.count + session.queuedBytes }

    var deadline: MonotonicTime? { [session.deadline, closeBy].compactMap { $0 }.min() }
}
