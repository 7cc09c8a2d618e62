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
    /// - Returns: the session that closes; nil where none can.
    package func makeRoom(now: MonotonicTime) -> SessionID? {
        let idle = dialer.longestSynced.first { id in
            links[id].flatMap { zone($0.zone) }.map { $0.failure == nil && !$0.sync.isBusy(id) } ?? false
        }
        guard let idle, let served = links[idle].flatMap({ zone($0.zone) }) else { return nil }
        served.sync.giveWay(idle)
        collect(served, now: now)
        return idle
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
