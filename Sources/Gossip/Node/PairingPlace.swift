package import NodeCore
import SyncState

/// Where a node is met whose user pairs it with another device of the room. While it does not, the place has no door,
/// and beacons show nothing of it.
package final class PairingPlace: SessionPlace {
    /// The same on all nodes; never on the wire.
    package static let id = PlaceID(Blake2b.hash32([], domain: "kachat pairing"))

    /// The one that goes on, or the last one.
    var pairing: Pairing?
    private let visibility: NodeVisibility
    /// Beacons show it.
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

    var doorRank: DoorRank { .pairing }

    /// Who takes accepts no session.
    var doors: [SessionDoor] { pairing?.isOpen == true ? [door(0)].compactMap(\.self) : [] }

    func door(_ key: Int) -> SessionDoor? {
        guard isPairing, let pairing else { return nil }
        return SessionDoor(place: id, psk: PairingKeys.session, staticKey: pairing.staticKey, isCurrent: true)
    }

    func opened(_ session: OpenedSession, now: MonotonicTime) {
        guard isPairing, let key = session.peerKey else {
            actions.append(.close(session.id, .shutdown))
            return
        }
        pairing?.onOpened(
            session.id, key: key, handshakeHash: session.handshakeHash, address: session.address,
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

    func foundOtherVersion(
        _ version: UInt16, at address: SocketAddress, device: LaneID?, now: MonotonicTime
    ) -> Bool {
        dialFailed(address, now: now)
        return false
    }

    /// Does what is due by the clock. True where beacons are to show something else of it from now on.
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

/// The keys by which devices that pair find each other. Everybody knows them: they protect nothing, but who does not
/// pair has no door with them, and answers nobody.
enum PairingKeys {
    private static let common = Secret(bytes: [UInt8](repeating: 0, count: 32))

    static let discovery = HKDF.derive(common, "pairing/discovery")
    static let session = HKDF.derive(common, "pairing/session")

    /// What a beacon shows as the digest: who gives and who takes differ, so that both speak soon.
    static func digest(_ role: PairingRole) -> ZoneDigest {
        ZoneDigest(Blake2b.hash16([UInt8(role.rawValue)], domain: "kachat pairing"))
    }
}
