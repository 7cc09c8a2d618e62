/// Counts of an account's chat.
package struct ChatStats: Sendable, Equatable {
    /// Distinct messages; those of `unflushed` are counted as if all were new.
    package var messages = 0
    package var conversations = 0
    package var unread = 0
    package var segments = 0
    package var queued = 0
    /// Messages of `messages` that the other counts do not contain yet.
    package var unflushed = 0
}
