/// Which way a message went.
package enum MessageDirection: UInt8, Sendable, Equatable {
    case sent = 0
    /// Only received messages count as unread.
    case received = 1
}
