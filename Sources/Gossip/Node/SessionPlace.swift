package import NodeCore
import SyncState

/// Where sessions are opened: a zone, a rendezvous, or the pairing. The node's machine treats them alike.
///
/// A place hears what happens on its sessions, and hands out what it wants done at the end of the turn.
protocol SessionPlace: AnyObject {
    var id: PlaceID { get }

    // MARK: How it is found and entered

    /// What beacons show of it, or are searched for; nil while nobody is to be met there.
    var shown: PresencePlace? { get }
    /// Whose doors go first.
    var doorRank: DoorRank { get }
    /// What a session that comes in may be opened with, the present key first; none while nobody is let in.
    var doors: [SessionDoor] { get }
    /// What a session is dialled with; nil where nobody is dialled any more.
    ///
    /// - Parameter key: counted as the dialer counts them: 0 is the present one.
    func door(_ key: Int) -> SessionDoor?

    // MARK: What happens

    func opened(_ session: OpenedSession, now: MonotonicTime)
    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime)
    /// A session ended, and not by the place.
    func closed(_ id: SessionID, now: MonotonicTime)
    /// A beacon of the place was heard. True where the place itself sees to whom it dials, and not the dialer.
    func sighted(_ sighting: PeerSighting, now: MonotonicTime) -> Bool
    /// A connection that was asked for did not come about.
    func dialFailed(_ address: SocketAddress, now: MonotonicTime)
    /// A device speaks another version of the protocol there. True where such an address is to be dialled rarely.
    func foundOtherVersion(
        _ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime
    ) -> Bool

    // MARK: What is made for a peer piece by piece

    /// Whether the peer of a session waits for something.
    func isServing(_ id: SessionID) -> Bool
    /// Whether the peer of a session owes an answer.
    func isExpecting(_ id: SessionID) -> Bool
    /// Makes what the peer waits for, about so much of it.
    func produce(on id: SessionID, budgetBytes: Int, shares: inout ServingShares)

    /// Takes what is to be done.
    func takeActions() -> [PlaceAction]
    /// When the end of a turn is due though nothing happens, in any order.
    var deadlines: [MonotonicTime] { get }
}

/// What most places have nothing to do with.
extension SessionPlace {
    func sighted(_ sighting: PeerSighting, now: MonotonicTime) -> Bool { false }
    func dialFailed(_ address: SocketAddress, now: MonotonicTime) {}
    func foundOtherVersion(
        _ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime
    ) -> Bool { false }
    func isServing(_ id: SessionID) -> Bool { false }
    func isExpecting(_ id: SessionID) -> Bool { false }
    func produce(on id: SessionID, budgetBytes: Int, shares: inout ServingShares) {}
}

extension PlaceAction {
    /// For a session for which there is no room: its peer is told when to come back.
    static func turningAway(_ id: SessionID) -> [PlaceAction] {
        [.send(id, Message.busyForNow.encoded, .control), .close(id, .tooManySessions)]
    }
}

/// In which order doors are tried. Zones go first, since nearly all sessions are theirs. Where one account of this node
/// seeks what another answers, who dials is most likely one who heard the seeker.
enum DoorRank: CaseIterable {
    case zone
    case seeker
    case answerer
    case pairing
}

/// What opens a session of a place: one of its pre-shared keys, and this device's static key there.
package struct SessionDoor: Sendable {
    package let place: PlaceID
    package let psk: Secret
    package let staticKey: X25519.KeyPair
    /// The key is the place's present one.
    package let isCurrent: Bool

    package init(place: PlaceID, psk: Secret, staticKey: X25519.KeyPair, isCurrent: Bool) {
        self.place = place
        self.psk = psk
        self.staticKey = staticKey
        self.isCurrent = isCurrent
    }
}

/// Whether a node meets anybody at all. One object, which the machine changes and its places look at.
final class NodeVisibility {
    /// The app that the node belongs to is out of sight.
    var isInBackground = false
    /// The node's keys are out of its reach.
    var isLocked = false

    var isHidden: Bool { isInBackground || isLocked }
}

/// The rows that may be read in a turn to answer peers: each session that is served has an equal part.
struct ServingShares {
    private let share: UInt64
    private var used: [SessionID: UInt64] = [:]

    /// - Parameter sessions: how many are served as the turn ends.
    init(sessions: Int) {
        share = max(Limits.servedRowsPerTurn / UInt64(max(sessions, 1)), Limits.servedRowsLeast)
    }

    func left(for id: SessionID) -> UInt64 { share - min(used[id] ?? 0, share) }

    mutating func note(_ rows: UInt64, for id: SessionID) { used[id, default: 0] += rows }
}
