package import NodeCore
package import SyncState

/// What the engine of a zone wants done. The shell does it after the turn's commit, in this order.
package enum SyncAction: Sendable {
    case send(SessionID, [UInt8], SendPriority)
    /// Close once what was sent is on its way.
    case close(SessionID, CloseReason)
    /// For the log, once a turn.
    case note(SyncNote)
}

/// The four priorities of a session: a marker never waits behind a backlog.
package enum SendPriority: Int, Sendable, CaseIterable {
    case control = 0
    case records = 1
    case recentBlobs = 2
    case backfill = 3
}

/// Why the engine gives up a session.
package enum CloseReason: Sendable, Equatable {
    case duplicate
    case isSelf
    case violation(String)
    case badBlob
    case startedAfresh
    case silent
    case peerLeft(ByeReason)
    case shutdown
    case tooManySessions
    /// The peer asks for a pause.
    case busy(until: MonotonicTime)
    /// One more session than is kept open, with nothing to do.
    case released
    /// The zone pauses here.
    case paused
    /// The peer does not belong to the zone, or has not shown it.
    case notMember

    var bye: ByeReason? {
        switch self {
        case .duplicate: .duplicate
        case .isSelf: .isSelf
        case .violation, .badBlob: .violation
        case .startedAfresh: .startedAfresh
        case .shutdown, .released: .shutdown
        case .tooManySessions: .tooManySessions
        case .paused: .paused
        case .notMember: .notMember
        case .silent, .peerLeft, .busy: nil
        }
    }
}

/// What a person may want to know.
package enum SyncNote: Sendable {
    /// A peer said who it is, and on which port it accepts sessions.
    case connected(SessionID, LaneID, UInt16?)
    case startedAfresh(FreshStart)
    /// Records of a peer that were refused, the first of a session.
    case rejected(peer: LaneID?, RecordRejection)
    case badBlob(peer: LaneID?)
    case healed(lane: LaneID)
    /// A device there speaks that version of the protocol; the device that answered there earlier.
    case otherVersion(SocketAddress, UInt16, LaneID?)
    /// Two nodes claim to have all of a lane and differ: data was lost or forked somewhere.
    case alarm(lane: LaneID)
    /// The zone rests: its store could not be written or read.
    case storeFailed(String)
    case storeRecovered
    /// At a rendezvous something became known that the user waits for.
    case rendezvous
    /// Where this node, or somebody else, stands in the zone has changed.
    case accessChanged
}
