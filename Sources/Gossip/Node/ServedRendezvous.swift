import NodeCore
import SyncState

/// A rendezvous of this node and its sessions.
final class ServedRendezvous: SessionPlace {
    let rendezvous: any Rendezvous
    /// The zone that answers here; nil for a seeker.
    let zone: ServedZone?
    /// The keys currently used by presence and dialer.
    var keys: PlaceKeys
    private let visibility: NodeVisibility
    private var sessions: [SessionID: RendezvousMeeting] = [:]
    /// The deadline of each session.
    private var endings: [SessionID: MonotonicTime] = [:]
    /// Answers of this turn, which are sent after its commit.
    private var answers: [(session: SessionID, message: [UInt8]?)] = []
    private var hasNews = false
    private var actions: [PlaceAction] = []

    init(_ rendezvous: any Rendezvous, zone: ServedZone?, visibility: NodeVisibility) {
        self.rendezvous = rendezvous
        self.zone = zone
        self.visibility = visibility
        keys = rendezvous.keys
    }

    var id: PlaceID { rendezvous.handle }

    /// No sessions are opened here for now.
    private var isPaused: Bool { visibility.isHidden || zone?.isPaused == true || zone?.failure != nil }

    /// A seeker shows a different digest than the members who look for it, so that those who hear it react at once.
    var shown: PresencePlace? {
        let keys = rendezvous.keys
        guard !isPaused, !keys.discovery.isEmpty else { return nil }
        let isSeeking = rendezvous.role == .seeks
        return PresencePlace(
            place: id, discoveryKeys: keys.discovery,
            digest: isSeeking ? ZoneDigest(Blake2b.hash16(id.bytes, domain: "kachat seeking")) : ZoneDigest(.zero),
            part: isSeeking ? .speaks : .listens)
    }

    /// Only those who answer are dialled.
    var doors: [SessionDoor] { isPaused || rendezvous.role == .seeks ? [] : rendezvous.keys.doors(of: id) }

    func door(_ key: Int) -> SessionDoor? { rendezvous.role == .seeks ? rendezvous.keys.door(key, of: id) : nil }

    func opened(_ session: OpenedSession, now: MonotonicTime) {
        guard !isPaused, sessions.count < Limits.meetings else {
            actions += PlaceAction.turningAway(session.id)
            return
        }
        let meeting = RendezvousMeeting(handshakeHash: session.handshakeHash, address: session.address)
        sessions[session.id] = meeting
        endings[session.id] = now + Limits.greetingBound
        if let message = rendezvous.opened(meeting) { actions.append(.send(session.id, message, .control)) }
    }

    func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime) {
        guard let meeting = sessions.removeValue(forKey: id) else { return }
        endings[id] = nil
        // While the answering side's store fails, nothing can be promised, and no change may be started in it.
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

    /// After the commits, sends the answers unless the zone could not store their changes. If a meeting had no result,
    /// its address is tried again after a pause.
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

    /// Closes all sessions here.
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
