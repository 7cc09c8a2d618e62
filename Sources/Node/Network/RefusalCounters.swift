package import Transport

/// Failed connections by reason, for the part of `status` about strangers.
package struct RefusalCounters {
    /// No key of ours opens their first message: another account's node, or no node at all.
    private(set) var strangers = 0
    /// Bytes that are not a handshake.
    package private(set) var malformed = 0
    /// Sent nothing, or too slowly.
    private(set) var timeouts = 0
    /// Closed in the middle.
    private(set) var aborted = 0

    package mutating func count(_ failure: SessionFailure?) {
        switch failure {
        case .noMatchingKey, .otherVersion, .handshakeRefused: strangers += 1
        case .frameLength, .malformedFrame, .corruptFrame, .nonceExhausted: malformed += 1
        case .handshakeTimeout, .tooSlow: timeouts += 1
        case nil: aborted += 1
        }
    }
}
