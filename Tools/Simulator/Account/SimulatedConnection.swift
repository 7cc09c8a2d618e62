import Gossip
import NodeCore
import Transport

/// A connection of a simulated node: what `PeerConnection` is to the real one.
final class SimulatedConnection {
    enum Origin {
        case accepted(from: SocketAddress)
        case dialled(PlaceID, SocketAddress)
    }

    /// What the machine's socket takes before it says that it is full.
    static let socketBytes = 64 * 1024

    let id: ConnectionID
    let origin: Origin
    let session: SessionMachine
    /// Of an accepted connection: the place that each of the session's candidates opens.
    private let doors: [PlaceID]
    var output = OutputBuffer()
    /// Sent and not yet taken by the network.
    private var inFlight = 0
    private var isFull = false
    /// A dialled connection takes nothing before it is open.
    var isOpen: Bool
    /// The handshake is done, and the machine knows of the session.
    var isEstablished = false
    /// All is said: to be closed when what waits is sent, or then at the latest.
    var closeBy: MonotonicTime?

    init(id: ConnectionID, origin: Origin, session: SessionMachine, doors: [PlaceID] = []) {
        self.id = id
        self.doors = doors
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

    /// What the session is about, once it is established.
    func place(_ candidate: Int) -> PlaceID {
        switch origin {
        case .accepted: doors[candidate]
        case .dialled(let place, _): place
        }
    }

    var isInitiator: Bool {
        if case .dialled = origin { true } else { false }
    }

    /// How much the socket takes now.
    var room: Int { isFull ? 0 : max(Self.socketBytes - inFlight, 0) }

    func noteWritten(_ count: Int) {
        inFlight += count
        isFull = inFlight >= Self.socketBytes
    }

    /// A full socket has room again when a third of it is free, as Linux has it (`sk_stream_is_writeable`). If each
    /// piece that was taken made room for one of its size, pieces would only ever be cut: at last one for each byte.
    func noteTaken(_ count: Int) {
        inFlight -= count
        if inFlight <= Self.socketBytes / 3 * 2 { isFull = false }
    }

    var waitingBytes: Int { output.count + session.queuedBytes }

    var deadline: MonotonicTime? { [session.deadline, closeBy].compactMap { $0 }.min() }
}
