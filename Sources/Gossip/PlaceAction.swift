package import NodeCore
package import SyncState

/// What a place wants done. The node's machine sees to it after the turn's commits, in this order.
package enum PlaceAction: Sendable {
    case send(SessionID, [UInt8], SendPriority)
    /// Close once what was sent is on its way.
    case close(SessionID, CloseReason)
    case dial(SocketAddress)
    /// A peer said who it is, and on which port it accepts sessions.
    case connected(SessionID, LaneID, port: UInt16?)
    /// The two ends of a session hold the same now, or no longer do.
    case synced(SessionID, Bool)
    /// Something became known that the user waits for.
    case news
    case note(SyncNote)
}

/// What a person may want to know: for the log, and nothing follows from it.
package enum SyncNote: Sendable {
    /// A device is there, and has a place among the sessions.
    case connected(LaneID)
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
    /// Where this node, or somebody else, stands in the zone has changed.
    case accessChanged
}
