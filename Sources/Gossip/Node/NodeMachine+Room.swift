package import NodeCore
import SyncState

/// What happens when all sessions of the node are taken.
extension NodeMachine {
    /// A session for which there is no room: its peer is told when to come back.
    package func turnAway(_ id: SessionID) {
        actions.append(.send(id, Message.busyForNow.encoded, .control))
        actions.append(.close(id, .tooManySessions))
    }

    /// Ends the session whose two ends have held the same for longest, since it misses least: its peer is told when to
    /// come back. Where a zone's peers still fetch from each other, nobody gives way.
    ///
    /// It is one of the newcomer's own zone, if that has its part of all sessions already, and else of a zone that has
    /// more: nobody of one zone, however many keys they have, pushes the devices of another one out.
    ///
    /// - Returns: the session that closes; nil where none can.
    package func makeRoom(for newcomer: SessionID, now: MonotonicTime) -> SessionID? {
        let own = links[newcomer]?.zone
        let counts = zones.map { (zone: $0.id, live: $0.sync.peers.count) }
        let live = counts.reduce(0) { $0 + $1.live }
        let crowded = counts.filter { $0.live * counts.count >= live }.map(\.zone)
        let giving = crowded.filter { $0 == own || own.map(crowded.contains) != true }
        let idle = dialer.longestSynced.first { id in
            guard id != newcomer, let link = links[id], giving.contains(link.zone), let served = zone(link.zone) else {
                return false
            }
            return served.failure == nil && !served.sync.isBusy(id)
        }
        if let idle { giveWay(idle, now: now) }
        return idle
    }

    /// Ends a session for want of room: its peer is told when to come back.
    package func giveWay(_ id: SessionID, now: MonotonicTime) {
        guard let served = links[id].flatMap({ zone($0.zone) }) else { return }
        served.sync.giveWay(id)
        collect(served, now: now)
    }
}

extension ZoneSync {
    /// Whether something is still to be fetched or served on the session.
    func isBusy(_ id: SessionID) -> Bool { isServing(id) || isExpecting(id) }

    /// Ends a session for the sake of another one.
    func giveWay(_ id: SessionID) {
        guard sessions[id] != nil else { return }
        send(.busyForNow, to: id)
        drop(id, .tooManySessions)
    }
}

extension Message {
    static var busyForNow: Message { .busy(retryAfterMilliseconds: UInt64(Limits.busyPause.heldMilliseconds)) }
}
