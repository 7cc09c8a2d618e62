package import NodeCore

/// Events that a session reports to its owner.
package enum SessionEvent: Equatable, Sendable {
    /// The keys are agreed. `candidate` is the id of the matching one (0 for the initiator). `remoteStatic` is proved
    /// to be the peer's; `handshakeHash` (32 bytes) is the same at both ends and unique to this session.
    case established(candidate: Int, remoteStatic: Bytes32, handshakeHash: [UInt8])
    /// One message, at least one byte.
    case message([UInt8])
    /// The initiator holds that candidate's PSK and speaks another version of the protocol. Drain the pending output,
    /// which tells it so, then close the connection.
    case otherVersion(candidate: Int, version: UInt16)
    /// The session is over: close the connection. No further event follows.
    case failed(SessionFailure)
}
