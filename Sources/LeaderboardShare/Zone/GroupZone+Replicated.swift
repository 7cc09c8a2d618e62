import Ledger
package import NodeCore
package import SyncState

/// The engine's view of the group's zone.
extension GroupZone: ReplicatedZone {
    /// Posted results are in a record at once.
    package var hasQueued: Bool { false }

    package var zoneAccess: ZoneAccess {
        let (revision, access) = (membership.records.revision, access)
        // A peer can show that this member is out by records that the ledger does not take.
        let shown: UInt64 =
            switch access {
            case .removed: 1
            case .lapsed, .closed: 2
            case .left: 3
            case .joining, .member, .suspended: 0
            }
        return ZoneAccess(
            keys: membership.placeKeys, pause: pause, isOver: membership.hasEnded, isAsking: membership.isAsking,
            standings: revision << 2 | shown, takings: revision << 16 | UInt64(membership.ring.held.count))
    }

    /// Devices with an open session, ascending. Set by the owner of the sessions.
    package var connectedDevices: [LaneID] {
        get { membership.connected }
        set { membership.connected = newValue }
    }

    package var vouchers: [UInt8] {
        // A member that left says so in a lane that the others may not know.
        guard membership.ownStanding == .active || state.hasLeft(member), case let path = membership.path, !path.isEmpty
        else { return context.entrance.flatMap(\.self) }
        return path
    }

    package func party(of lane: LaneID) -> Bytes32 {
        state.keys(of: lane).first { state.standing(of: $0) == .active }?.member.storage ?? lane.storage
    }

    package func take(dismissal: [UInt8]) throws {
        try membership.take(dismissal: dismissal, entrance: context.entrance)
        try context.take(lapse: dismissal)
    }

    package var rendezvous: (any Rendezvous)? { door }

    package func work(now: MonotonicTime) throws {
        try settle()
        try membership.work(now: now)
        if let nextExpiry, nextExpiry < store.wall { try invitations.endOver() }
    }

    package var deadline: MonotonicTime? {
        mustReread || settled != membership.records.revision ? .zero : membership.deadline
    }

    package func finish(now: MonotonicTime) throws { try settle() }

    package func rollback() throws {
        try store.rollback()
        try membership.reload()
        context.rows.reload()
        try context.readEntrance()
        newScores = NewScores()
        roster.hasWantedName = true
        try loadPause()
        try loadSince()
        // While a store accepts nothing, no transaction may be begun: uncommitted work would cause turn after turn.
        if try hasIndex {
            try reread()
        } else {
            contents = GroupContents()
            try index.load()
            mustReread = true
        }
    }

    package func tidy() throws {
        if index.hasUnwritten {
            try store.begin()
            try index.write(self)
        }
        try store.commit()
        try store.tidy()
    }
}
