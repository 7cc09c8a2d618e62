/// Why a session ended by itself. The peer sees the same in all cases: the connection closes. Only a peer that has
/// proved to hold the zone's PSK, and speaks another version, hears why.
package enum SessionFailure: Error, Equatable, Sendable {
    /// No candidate's PSK opens the first message: a stranger, a version far from ours, or another zone.
    case noMatchingKey
    /// The responder holds our PSK and speaks this version of the protocol, not ours.
    case otherVersion(UInt16)
    /// A handshake message is malformed, does not authenticate, or brings a weak key.
    case handshakeRefused
    /// A length outside of what its place allows.
    case frameLength
    /// `Limits.handshakeTimeout` is over.
    case handshakeTimeout
    /// A frame does not authenticate.
    case corruptFrame
    /// What a frame holds is no sequence of messages.
    case malformedFrame
    /// The peer sent or took less than `Limits.progressBytes` in a `Limits.progressWindow`.
    case tooSlow
    /// All nonces of a direction are used up.
    case nonceExhausted
}
