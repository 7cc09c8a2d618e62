package import NodeCore
import SyncState

/// The place for pairing this node with another device in the room. While no pairing runs, it has no door, and beacons
/// show nothing of it.
package final class PairingPlace: SessionPlace {
    /// The same on all nodes; never on the wire.
    package static let id = PlaceID(Blake2b.hash32([], domain: "kachat pairing"))

    /// The current pairing, or the last one.
    var pairing: Pairing?
    private let visibility: NodeVisibility
    /// Whether beacons show it.
    private var isShown = false
    private var actions: [PlaceAction] = []

    init(visibility: NodeVisibility) {
        self.visibility = visibility
    }

    var id: PlaceID { Self.id }

    private var isPairing: Bool { pairing.map { !$0.isOver } ?? false }

    var shown: PresencePlace? {
        guard isPairing, let pairing else { return nil }
        return PresencePlace(
            place: id, discoveryKeys: [PairingKeys.discovery], digest: PairingKeys.digest(pairing.role), isPublic: true)
    }

    /// The taking side accepts no session.
    var doors: [SessionDoor] { pairing?.isOpen == true ? [door(0)].compactMap(\.self) : [] }

    func door(_ key: Int) -> SessionDoor? {
        isPairing ? SessionDoor(place: id, discovery: PairingKeys.discovery, psk: PairingKeys.session) : nil
    }

    func opened(_ session: OpenedSession, now: MonotonicTime) {
        guard isPairing else { return actions.append(.close(session.id, .shutdown)) }
        pairing?.onOpened(
            session.id, handshakeHash: session.handshakeHash, address: session.address,
            isInitiator: session.isInitiator, now: now)
    }

    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime) {
        pairing?.onMessage(bytes, session: id, now: now)
    }

    func closed(_ id: SessionID, now: MonotonicTime) { pairing?.onClosed(id, now: now) }

    func sighted(_ sighting: PeerSighting, now: MonotonicTime) -> Bool {
        pairing?.onSighting(sighting.address, isSameRole: sighting.isInSync, now: now)
        return true
    }

    func dialFailed(_ address: SocketAddress, now: MonotonicTime) { pairing?.onDialFailed(address, now: now) }

    /// Does timed work. True if beacons must show something else of it from now on.
    func endTurn(now: MonotonicTime) -> Bool {
        if visibility.isHidden { pairing?.stop() }
        if let deadline = pairing?.deadline, deadline <= now { pairing?.onTimer(now: now) }
        guard isShown != isPairing else { return false }
        isShown = isPairing
        return true
    }

    func takeActions() -> [PlaceAction] {
        defer { actions = [] }
        return actions + (pairing?.takeActions() ?? [])
    }

    var deadlines: [MonotonicTime] { [pairing?.deadline].compactMap(\.self) }
}

/// The keys with which pairing devices find each other. They are public and protect nothing; but a node that is not
/// pairing has no door for them, and answers nobody.
enum PairingKeys {
    private static let common = Secret(bytes: [UInt8](repeating: 0, count: 32))

    static let discovery = HKDF.derive(common, "pairing/discovery")
    static let session = HKDF.derive(common, "pairing/session")

    /// The digest shown in beacons: the giving and the taking side differ, so that both speak soon.
    static func digest(_ role: PairingRole) -> ZoneDigest {
        ZoneDigest(Blake2b.hash16([UInt8(role.rawValue)], domain: "kachat pairing"))
    }
}
