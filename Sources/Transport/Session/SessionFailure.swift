/// Why a session ended by itself. The peer only sees the connection close. Only a peer that has proved to hold the
/// zone's PSK, and speaks another version, is told the reason.
package enum SessionFailure: Error, Equatable, Sendable {
    /// No candidate's PSK opens the first message: the peer is a stranger, speaks a distant version, or means another
    /// zone.
    case noMatchingKey
    /// The responder holds our PSK and speaks this version of the protocol, not ours.
    case otherVersion(UInt16)
    /// A handshake message is malformed, does not authenticate, or contains a weak key.
    case handshakeRefused
    /// A length is outside the allowed range.
    case frameLength
    /// `Limits.handshakeTimeout` has passed.
    case handshakeTimeout
    /// A frame does not authenticate.
    case corruptFrame
    /// The content of a frame is not a sequence of messages.
    case malformedFrame
    /// The peer sent or took less than `Limits.progressBytes` in a `Limits.progressWindow`.
    case tooSlow
    /// All nonces of a direction are used up.
    case nonceExhausted
}
