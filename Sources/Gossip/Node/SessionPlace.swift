package import NodeCore
import SyncState

/// A place where sessions are opened: a zone, a rendezvous, or pairing. The node's machine treats them alike.
///
/// A place handles events of its sessions, and returns its actions at the end of the turn.
protocol SessionPlace: AnyObject {
    var id: PlaceID { get }

    // MARK: Presence and doors

    /// The place as beacons show it or search for it; nil while it opens no sessions.
    var shown: PresencePlace? { get }
    /// The keys that an incoming session may use; none while nobody is admitted.
    var doors: [SessionDoor] { get }
    /// The key for dialling; nil if nobody is dialled any more.
    ///
    /// - Parameter key: numbered as by the dialer: 0 is the current one.
    func door(_ key: Int) -> SessionDoor?

    // MARK: Events

    func opened(_ session: OpenedSession, now: MonotonicTime)
    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime)
    /// A session ended, and not by the place.
    func closed(_ id: SessionID, now: MonotonicTime)
    /// A beacon of the place was heard. True if the place itself decides whom it dials, and not the dialer.
    func sighted(_ sighting: PeerSighting, now: MonotonicTime) -> Bool
    /// A requested connection could not be opened.
    func dialFailed(_ address: SocketAddress, now: MonotonicTime)
    /// A device there speaks another version of the protocol.
    func foundOtherVersion(_ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime)

    // MARK: Serving

    /// Whether the peer of a session is waiting for data.
    func isServing(_ id: SessionID) -> Bool
    /// Whether the peer of a session owes an answer.
    func isExpecting(_ id: SessionID) -> Bool
    /// Produces data that the peer is waiting for, about this much.
    func produce(on id: SessionID, budgetBytes: Int, shares: inout ServingShares)

    /// Returns and clears the pending actions.
    func takeActions() -> [PlaceAction]
    /// When the end of a turn is due even if nothing happens, in any order.
    var deadlines: [MonotonicTime] { get }
}

/// Defaults for places that do not need these.
extension SessionPlace {
    func sighted(_ sighting: PeerSighting, now: MonotonicTime) -> Bool { false }
    func dialFailed(_ address: SocketAddress, now: MonotonicTime) {}
    func foundOtherVersion(_ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime) {}
    func isServing(_ id: SessionID) -> Bool { false }
    func isExpecting(_ id: SessionID) -> Bool { false }
    func produce(on id: SessionID, budgetBytes: Int, shares: inout ServingShares) {}
}

extension PlaceAction {
    /// Rejects a session for lack of room: its peer is told when to come back.
    static func turningAway(_ id: SessionID) -> [PlaceAction] {
        [.send(id, Message.busyForNow.encoded, .control), .close(id, .tooManySessions)]
    }
}

/// The keys for opening a session of a place.
package struct SessionDoor: Sendable {
    package let place: PlaceID
    /// Finds the place.
    package let discovery: Secret
    package let psk: Secret
}

extension PlaceKeys {
    /// The door with the key of that number, or with the first one; nil if there is none.
    func door(_ number: Int, of place: PlaceID) -> SessionDoor? {
        guard let first = session.indices.first else { return nil }
        let index = session.indices.contains(number) ? number : first
        return SessionDoor(place: place, discovery: discovery[index], psk: session[index])
    }

    func doors(of place: PlaceID) -> [SessionDoor] { session.indices.compactMap { door($0, of: place) } }
}

/// Whether a node opens sessions at all. One object, changed by the machine and read by its places.
final class NodeVisibility {
    /// The app that contains the node is in the background.
    var isInBackground = false
    /// The node's keys are not accessible.
    var isLocked = false

    var isHidden: Bool { isInBackground || isLocked }
}

/// The rows that may be read in a turn to answer peers, shared equally by the sessions being served.
struct ServingShares {
    private let share: UInt64
    private var used: [SessionID: UInt64] = [:]

    /// - Parameter sessions: how many are being served at the end of the turn.
    init(sessions: Int) {
        share = max(Limits.servedRowsPerTurn / UInt64(max(sessions, 1)), Limits.servedRowsLeast)
    }

    func left(for id: SessionID) -> UInt64 { share - min(used[id] ?? 0, share) }

    mutating func note(_ rows: UInt64, for id: SessionID) { used[id, default: 0] += rows }
}
