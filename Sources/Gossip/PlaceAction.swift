package import NodeCore
package import SyncState

/// An action requested by a place. The node's machine performs it after the turn's commits, in this order.
package enum PlaceAction: Sendable {
    case send(SessionID, [UInt8], SendPriority)
    /// Close once pending output is sent.
    case close(SessionID, CloseReason)
    case dial(SocketAddress)
    /// A peer identified itself and named the port on which it accepts sessions.
    case connected(SessionID, LaneID, port: UInt16?)
    /// The two ends of a session have become equal, or no longer are.
    case synced(SessionID, Bool)
    /// Something the user is waiting for has happened.
    case news
    case note(SyncNote)
}

/// Information for the log; it has no effect.
package enum SyncNote: Sendable {
    /// A device is connected and has a place among the sessions.
    case connected(LaneID)
    case startedAfresh(FreshStart)
    /// A peer's records were refused; reported for the first of a session.
    case rejected(peer: LaneID?, RecordRejection)
    case badBlob(peer: LaneID?)
    /// A device there speaks that version of the protocol; with the device that answered there earlier.
    case otherVersion(SocketAddress, UInt16, LaneID?)
    /// Two nodes claim to have all of a lane and differ: data was lost or the lane was forked.
    case alarm(lane: LaneID)
    /// The zone rests because its store could not be written or read.
    case storeFailed(String)
    case storeRecovered
    /// The standing of this node, or of somebody else, in the zone has changed.
    case accessChanged
}
