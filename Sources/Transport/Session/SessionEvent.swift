/// Events that a session reports to its owner.
package enum SessionEvent: Equatable, Sendable {
    /// The keys are agreed. `door` is the index of the keys at the responder (0 for the initiator); `handshakeHash` (32
    /// bytes) is the same at both ends and unique to this session.
    case established(door: Int, handshakeHash: [UInt8])
    /// One message, at least one byte.
    case message([UInt8])
    /// The session is over: close the connection. No further event follows.
    case failed(SessionFailure)
}
