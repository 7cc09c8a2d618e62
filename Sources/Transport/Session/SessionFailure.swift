/// Why a session ended by itself. The peer is never told: it only sees the connection close.
package enum SessionFailure: Error, Equatable, Sendable {
    /// The peer's hint fits none of our keys: it is a stranger, or means another zone.
    case noMatchingKey
    /// A handshake message does not authenticate, contains a weak key, or is a copy of one that was taken.
    case handshakeRefused
    /// A length is outside the allowed range.
    case frameLength
    /// The peer's handshake message did not arrive in time.
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
