import NodeCore
import SyncState

/// A rendezvous that a node keeps, and the sessions there.
final class ServedRendezvous {
    let rendezvous: any Rendezvous
    /// The zone that answers here; nil for one that seeks.
    let zone: ServedZone?
    var sessions: [SessionID: RendezvousMeeting] = [:]
    /// When each session has to be over.
    var deadlines: [SessionID: MonotonicTime] = [:]
    /// What was answered in this turn, and leaves after its commit.
    var answers: [(session: SessionID, message: [UInt8]?)] = []
    var hasNews = false
    var keysRevision: UInt64

    init(_ rendezvous: any Rendezvous, zone: ServedZone?) {
        self.rendezvous = rendezvous
        self.zone = zone
        keysRevision = rendezvous.keysRevision
    }

    var id: ZoneID { rendezvous.handle }

    /// A seeker shows another digest than those who look for it: whoever hears it sees to it at once.
    var presence: PresenceZone {
        let isSeeking = rendezvous.role == .seeks
        return PresenceZone(
            zone: id, discoveryKeys: rendezvous.discoveryKeys,
            digest: isSeeking ? ZoneDigest(Blake2b.hash16(id.bytes, domain: "kachat seeking")) : ZoneDigest(.zero),
            part: isSeeking ? .speaks : .listens)
    }

    /// Nil where nobody is answered any more.
    func door(_ key: Int) -> SessionDoor? {
        let keys = rendezvous.sessionKeys
        guard !keys.isEmpty else { return nil }
        let place = keys.indices.contains(key) ? key : 0
        return SessionDoor(zone: id, psk: keys[place], staticKey: rendezvous.staticKey, isCurrent: place == 0)
    }
}
