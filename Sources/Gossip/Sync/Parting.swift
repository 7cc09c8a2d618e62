import NodeCore
import SyncState

/// The end of a session with a peer that no longer belongs here (docs/PROTOCOL.md, §7.3). The peer is told why. It
/// hands in the records of the ledger that the person signed, and nothing else is taken from it: a removal that was
/// made on a removed device may have reached nobody yet.
struct Parting {
    let sync: ZoneSync

    func dismiss(_ id: SessionID, _ why: [UInt8]) {
        if why.count < Limits.messageBytes { sync.send(.dismiss(why), to: id) }
        begin(id)?.parting.isTold = true
    }

    /// Takes a peer's statement that this node no longer belongs here.
    func take(dismissal why: [UInt8], on id: SessionID) {
        guard let session = begin(id), session.parting.dismissal == nil else { return }
        session.parting.dismissal = why
        sync.ledgers.handIn(to: id)
    }

    /// Handles a message in a session that ends. Other messages, already on their way, are ignored.
    func handle(_ message: Message, on id: SessionID) throws {
        switch message {
        case .dismiss(let why): take(dismissal: why, on: id)
        case .ledger(let isLast, let records):
            guard sync.sessions[id]?.parting.isTold == true else { return }
            if try sync.ledgers.take(handedIn: records, isLast: isLast, on: id) {
                try believe(on: id)
                sync.drop(id, .notMember)
            }
        default: break
        }
    }

    /// Believes the peer, only at the end: a device that knows it was removed talks to nobody, and removals that it has
    /// not handed in would be lost. A peer that ends for another reason may have lost them, or what it had heard from
    /// this node.
    func believe(on id: SessionID) throws {
        if let why = sync.sessions[id]?.parting.dismissal { try sync.zone.take(dismissal: why) }
    }

    /// Drops everything that the session was for.
    private func begin(_ id: SessionID) -> PeerSession? {
        guard let session = sync.sessions[id] else { return nil }
        if case .parting = session.phase { return session }
        sync.forget(id)
        let parting = PeerSession(
            id: id, isInitiator: session.isInitiator, handshakeHash: session.handshakeHash, now: sync.now)
        parting.phase = .parting
        parting.extendGreeting(now: sync.now)
        sync.sessions[id] = parting
        return parting
    }
}

extension ZoneSync {
    var partings: Parting { Parting(sync: self) }

    func dismiss(_ id: SessionID, _ why: [UInt8]) { partings.dismiss(id, why) }

    /// Tells those who lost their membership with a commit, before anything else is sent.
    ///
    /// - Returns: live peers that do not belong here now, and may come back by another way: those whom a removed device
    ///   let in. They hear the commit's control records, and are let go.
    func dismissEnded() -> [SessionID] {
        let standings = zone.zoneAccess.standings
        guard standings != seenStandings else { return [] }
        seenStandings = standings
        var lapsed: [SessionID] = []
        for id in sessionIDs {
            guard let session = sessions[id], let lane = session.hello?.body.lane else { continue }
            switch zone.membership.standing(of: lane) {
            case .dismissed(let why): dismiss(id, why)
            case .unknown where session.peer != nil && zone.membership.hasEntered(lane): lapsed.append(id)
            case .unknown, .proven, .wrong: break
            }
        }
        return lapsed
    }
}
