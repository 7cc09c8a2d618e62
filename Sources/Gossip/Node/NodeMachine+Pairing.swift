package import NodeCore
import SyncState

/// A node whose user pairs it with another device of the room. While it does not, it has no door for that, and its
/// beacons show nothing of it.
extension NodeMachine {
    /// Can be seen by devices that pair from now on. An earlier pairing is over.
    package func begin(_ pairing: Pairing, now: MonotonicTime) {
        var earlier = self.pairing
        earlier?.stop()
        self.pairing = earlier
        followPairing(now: now)
        self.pairing = pairing
        self.pairing?.onAddresses(dialer.statics, now: now)
        followPairing(now: now)
    }

    /// Tells the pairing what its user says, or what the shell has done. What follows is done with the end of the turn.
    package func changePairing<Failure: Error>(
        _ body: (inout Pairing) throws(Failure) -> Void
    ) throws(Failure) {
        guard var changed = pairing else { return }
        defer { pairing = changed }
        try body(&changed)
    }

    private var isPairing: Bool { pairing.map { !$0.isOver } ?? false }

    /// What beacons show.
    var shownPairing: [PresenceZone] {
        guard isPairing, let pairing else { return [] }
        return [
            PresenceZone(
                zone: Pairing.place, discoveryKeys: [PairingKeys.discovery],
                digest: PairingKeys.digest(pairing.role), isPublic: true)
        ]
    }

    /// What a session of it is opened with; who takes accepts none.
    func pairingDoor(isIncoming: Bool) -> SessionDoor? {
        guard isPairing, let pairing, !isIncoming || pairing.isOpen else { return nil }
        return SessionDoor(
            zone: Pairing.place, psk: PairingKeys.session, staticKey: pairing.staticKey, isCurrent: true)
    }

    func openedPairing(
        _ id: SessionID, isInitiator: Bool, handshakeHash: [UInt8], peerKey: Bytes32?, address: SocketAddress,
        now: MonotonicTime
    ) {
        guard isPairing, let peerKey else {
            actions.append(.close(id, .shutdown))
            return
        }
        links[id] = Link(zone: Pairing.place, address: address, isInitiator: isInitiator)
        pairing?.onOpened(
            id, key: peerKey, handshakeHash: handshakeHash, address: address, isInitiator: isInitiator, now: now)
    }

    /// Passes on what the pairing wants done.
    func followPairing(now: MonotonicTime) {
        if isInBackground || isLocked { pairing?.stop() }
        if let deadline = pairing?.deadline, deadline <= now { pairing?.onTimer(now: now) }
        for action in pairing?.takeActions() ?? [] {
            switch action {
            case .send(let id, let bytes): actions.append(.send(id, bytes, .control))
            case .close(let id):
                links[id] = nil
                actions.append(.close(id, .shutdown))
            case .dial(let address): actions.append(.dial(zone: Pairing.place, address: address, key: 0))
            }
        }
        guard isShowingPairing != isPairing else { return }
        isShowingPairing = isPairing
        showZones(now: now)
    }
}
