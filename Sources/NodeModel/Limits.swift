/// Bounds of the API's values. They equal those of the modules Chat and LeaderboardShare; a test compares them.
package enum Limits {
    /// A conversation's id, a contact or a device, in bytes of UTF-8.
    package static let nameBytes = 256
    /// A body, in bytes of UTF-8.
    package static let bodyBytes = 65_536
    /// Attachments of one message, and the bytes of one inside a message.
    package static let attachments = 16
    package static let inlineAttachmentBytes = 12_288
    /// Bytes of all attachments inside a message.
    package static let inlineBytes = 65_536
    package static let linkBytes = 2_048
    package static let mimeTypeBytes = 128
    /// Size, duration, width or height of an attachment.
    package static let attachmentNumber = (1 << 53) - 1
    /// Milliseconds since 1970 that fit six bytes, and the same in seconds.
    package static let timeMilliseconds = (1 << 48) - 1
    package static let timestampSeconds = timeMilliseconds / 1_000
    package static let acceptingDaaScore = (1 << 62) - 1
    package static let senderOrder = 999
    /// Of an imported result: attempts, points or seconds; the attempts that its game allows; a streak in days.
    package static let score = 1_000_000
    package static let maxAttempts = 100
    package static let streakDays = 100_000
}
