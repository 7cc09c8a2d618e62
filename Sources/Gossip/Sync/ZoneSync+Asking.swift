package import NodeCore
import SyncState

/// Whether the peers have said what they have by now.
extension ZoneSync {
    /// Asks each peer for a word; `haveAnswered` says when all of them have given it, or are gone.
    package func askAll(now: MonotonicTime) -> [SessionID: UInt64] {
        self.now = now
        var ticket: [SessionID: UInt64] = [:]
        for id in sessionIDs where sessions[id]?.peer != nil {
            ping(id)
            ticket[id] = sessions[id]?.pingsSent
        }
        return ticket
    }

    package func haveAnswered(_ ticket: [SessionID: UInt64]) -> Bool {
        ticket.allSatisfy { id, ping in sessions[id].map { $0.pongsReceived >= ping } ?? true }
    }

    /// Whether any peer owes an answer.
    package var isExpectingAny: Bool { sessions.values.contains(where: \.isExpecting) }

    /// Whether records are still coming: what they point to is not known yet.
    package var isFetchingRecords: Bool {
        sessions.values.contains { session in
            guard session.peer != nil else { return false }
            return !session.hasView || session.isExpectingRecords || isBehind(session)
        }
    }

    /// Between two questions too: the peer shows rows that are not here.
    private func isBehind(_ session: PeerSession) -> Bool {
        session.view.values.contains { entry in
            let own = ownEntry(entry.lane)
            return own.retiredThrough == nil && entry.head > own.head && !session.isUnbacked(entry)
        }
    }

    /// Sessions, those too in which nobody said yet who it is.
    package var hasSessions: Bool { !sessions.isEmpty }

    /// When blobs that no peer has are looked for again.
    package var nextAbsentLook: MonotonicTime? { wants.nextWake }

    /// What the latest exchange with a peer showed; nil before the first.
    package func measure(of id: SessionID) -> PeerMeasure? { sessions[id]?.measure }

    func ping(_ id: SessionID) {
        sessions[id]?.pingsSent += 1
        if let sent = sessions[id]?.pingsSent { sessions[id]?.measured = (sent, now) }
        send(.ping, to: id)
    }

    func take(pong wall: UInt64?, on id: SessionID) {
        guard let session = sessions[id] else { return }
        session.pongsReceived += 1
        guard let (ping, sentAt) = session.measured, session.pongsReceived == ping else { return }
        session.measured = nil
        session.measure = PeerMeasure(
            roundTrip: now - sentAt, wall: wall.map { WallTime(milliseconds: Int64(clamping: $0)) }, at: now)
    }

    /// What peers are told of this device's clock. The members of a group are told nothing: how far a clock is off
    /// would show them the same device in two groups.
    var toldWall: UInt64? { zone.tellsTime ? UInt64(clamping: store.wall.milliseconds) : nil }
}
