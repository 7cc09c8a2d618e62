package import NodeCore
import SyncState

/// Whether the peers have reported everything they have.
extension ZoneSync {
    /// Pings each peer; `haveAnswered` tells when all of them have answered or are gone.
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

    /// Whether records are still arriving from a live peer, so that their content is not known yet.
    package func isFetchingRecords(on id: SessionID) -> Bool {
        guard let session = sessions[id] else { return false }
        guard session.hasView, !session.isExpectingRecords else { return true }
        // It shows rows that are not here; also between two pulls.
        return session.view.values.contains { $0.head > ownEntry($0.lane).head && !isUnbacked($0, of: session) }
    }

    /// Whether there are sessions, including those whose peers have not identified themselves.
    package var hasSessions: Bool { !sessions.isEmpty }

    /// Whether blobs are missing that no peer could supply; not those that are asked for next.
    package var hasAskedInVain: Bool { store.wantedCount > 0 && wants.leavesOut }

    /// When blobs that no peer has are searched for again.
    package var nextAbsentLook: MonotonicTime? { wants.nextWake }

    /// The latest measurement of a peer; nil before the first.
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

    /// The clock as told to peers. Members of a group are told nothing: a clock's error would identify the same device
    /// in two groups.
    var toldWall: UInt64? { zone.tellsTime ? UInt64(clamping: store.wall.milliseconds) : nil }
}
