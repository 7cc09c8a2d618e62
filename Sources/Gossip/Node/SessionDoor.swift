package import NodeCore
import SyncState

/// What opens a session of a zone: one of its pre-shared keys, and this device's static key there.
package struct SessionDoor: Sendable {
    package let zone: ZoneID
    package let psk: Secret
    package let staticKey: X25519.KeyPair
    /// The key is the zone's present one.
    package let isCurrent: Bool

    package init(zone: ZoneID, psk: Secret, staticKey: X25519.KeyPair, isCurrent: Bool) {
        self.zone = zone
        self.psk = psk
        self.staticKey = staticKey
        self.isCurrent = isCurrent
    }
}

extension NodeMachine {
    /// What a session that comes in may be opened with: of each zone the present key, and others for devices that slept
    /// through a rotation. The present ones of all zones come first, since they are nearly always the right ones. A
    /// zone that pauses has no door.
    package var doors: [SessionDoor] {
        let open = zones.filter { !$0.isPaused }.map { (served: $0, keys: $0.sync.zone.sessionKeys) }
        return (0..<(open.map(\.keys.count).max() ?? 0)).flatMap { place in
            open.filter { place < $0.keys.count }.map { $0.served.door(of: $0.keys, place) }
        } + meetingDoors + [pairingDoor(isIncoming: true)].compactMap(\.self)
    }

    /// What a session is dialled with; `key` as in `NodeAction.dial`. Nil where the zone is not served any more.
    package func door(zone: ZoneID, key: Int) -> SessionDoor? {
        if let meeting = meeting(zone) { return meeting.door(key) }
        if zone == Pairing.place { return pairingDoor(isIncoming: false) }
        guard let served = self.zone(zone) else { return nil }
        let keys = served.sync.zone.sessionKeys
        return served.door(of: keys, keys.indices.contains(key) ? key : 0)
    }
}

extension ServedZone {
    fileprivate func door(of keys: [Secret], _ place: Int) -> SessionDoor {
        SessionDoor(zone: id, psk: keys[place], staticKey: sync.store.device.noise, isCurrent: place == 0)
    }
}
