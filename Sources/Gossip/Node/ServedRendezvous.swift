import NodeCore
import SyncState

/// A rendezvous that a node keeps, and the sessions there.
final class ServedRendezvous: SessionPlace {
    let rendezvous: any Rendezvous
    /// The zone that answers here; nil for one that seeks.
    let zone: ServedZone?
    /// Where this node accepts sessions.
    var port: UInt16?
    /// The keys that presence and dialer go by.
    var keys: PlaceKeys
    private let visibility: NodeVisibility
    private var sessions: [SessionID: RendezvousMeeting] = [:]
    /// When each session has to be over.
    private var endings: [SessionID: MonotonicTime] = [:]
    /// What was answered in this turn, and leaves after its commit.
    private var answers: [(session: SessionID, message: [UInt8]?)] = []
    private var hasNews = false
    private var actions: [PlaceAction] = []

    init(_ rendezvous: any Rendezvous, zone: ServedZone?, port: UInt16?, visibility: NodeVisibility) {
        self.rendezvous = rendezvous
        self.zone = zone
        self.port = port
        self.visibility = visibility
        keys = rendezvous.keys
    }

    var id: PlaceID { rendezvous.handle }

    /// Nobody is met there for now.
    private var isPaused: Bool { visibility.isHidden || zone?.isPaused == true || zone?.failure != nil }

    /// A seeker shows another digest than those who look for it: whoever hears it sees to it at once.
    var shown: PresencePlace? {
        let keys = rendezvous.keys
        guard !isPaused, !keys.discovery.isEmpty else { return nil }
        let isSeeking = rendezvous.role == .seeks
        return PresencePlace(
            place: id, discoveryKeys: keys.discovery,
            digest: isSeeking ? ZoneDigest(Blake2b.hash16(id.bytes, domain: "kachat seeking")) : ZoneDigest(.zero),
            part: isSeeking ? .speaks : .listens)
    }

    var doorRank: DoorRank { rendezvous.role == .seeks ? .seeker : .answerer }

    var doors: [SessionDoor] { isPaused ? [] : rendezvous.keys.session.indices.compactMap { door($0) } }

    /// Nil where nobody is answered any more.
    func door(_ key: Int) -> SessionDoor? {
        let keys = rendezvous.keys.session
        guard !keys.isEmpty else { return nil }
        let number = keys.indices.contains(key) ? key : 0
        return SessionDoor(place: id, psk: keys[number], staticKey: rendezvous.staticKey, isCurrent: number == 0)
    }

    func opened(_ session: OpenedSession, now: MonotonicTime) {
        guard !isPaused, sessions.count < Limits.meetings else {
            actions += PlaceAction.turningAway(session.id)
            return
        }
        let meeting = RendezvousMeeting(
            handshakeHash: session.handshakeHash, address: session.address, isInitiator: session.isInitiator,
            port: port ?? 0)
        sessions[session.id] = meeting
        endings[session.id] = now + Limits.greetingBound
        if let message = rendezvous.opened(meeting) { actions.append(.send(session.id, message, .control)) }
    }

    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime) {
        guard let meeting = sessions.removeValue(forKey: id) else { return }
        endings[id] = nil
        // While the store of who answers fails, nothing can be promised, and nothing may be begun in it.
        guard zone?.failure == nil else { return answers.append((id, nil)) }
        do {
            let answer = try rendezvous.received(bytes, in: meeting)
            answers.append((id, answer.message))
            if answer.isNews { hasNews = true }
        } catch {
            answers.append((id, nil))
            if zone?.failure == nil { zone?.failure = error }
        }
    }

    func closed(_ id: SessionID, now: MonotonicTime) {
        sessions[id] = nil
        endings[id] = nil
        answers.removeAll { $0.session == id }
    }

    /// After the commits: what was answered leaves, unless the zone that it speaks for could not keep it. Where a
    /// meeting brought nothing, its address is tried again after a pause.
    func endTurn(now: MonotonicTime) {
        for (id, message) in answers {
            if let message, zone?.failure == nil { actions.append(.send(id, message, .control)) }
            actions.append(.close(id, .shutdown))
        }
        answers = []
        for (id, deadline) in endings.sorted(by: { $0.key < $1.key }) where deadline <= now {
            sessions[id] = nil
            endings[id] = nil
            actions.append(.close(id, .shutdown))
        }
        if hasNews {
            hasNews = false
            actions.append(.news)
        }
    }

    /// Nobody is met there any more.
    func leave() {
        for id in sessions.keys.sorted() { actions.append(.close(id, .shutdown)) }
        sessions = [:]
    }

    func takeActions() -> [PlaceAction] {
        defer { actions = [] }
        return actions
    }

    var deadlines: [MonotonicTime] { answers.isEmpty && !hasNews ? Array(endings.values) : [.zero] }
}
