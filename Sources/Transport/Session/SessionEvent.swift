package import NodeCore

/// What a session tells its owner.
package enum SessionEvent: Equatable, Sendable {
    /// Keys are agreed. `candidate` is the id of the one that fits (0 at the initiator). `remoteStatic` is proved to be
    /// the peer's; `handshakeHash` (32 bytes) is the same at both ends and at no other session.
    case established(candidate: Int, remoteStatic: Bytes32, handshakeHash: [UInt8])
    /// One message, at least one byte.
    case message([UInt8])
    /// The initiator holds that candidate's PSK and speaks another version of the protocol. It hears so by what waits
    /// to be drained; then the connection is to be closed.
    case otherVersion(candidate: Int, version: UInt16)
    /// The session is over; the connection is to be closed. Nothing follows.
    case failed(SessionFailure)
}
