/// Bounds of the API's values. Those of messages equal the store's in module Chat; a test compares them.
package enum Limits {
    /// A conversation's id, a contact or a device, in bytes of UTF-8.
    package static let nameBytes = 256
    /// A body, in bytes of UTF-8.
    package static let bodyBytes = 65_536
    /// Attachments of one message, and the bytes of one inside a message.
    package static let attachments = 16
    package static let inlineAttachmentBytes = 12_288
    /// An inline attachment in base64, with room to report the length of one that is too long.
    package static let inlineTextBytes = 1 << 20
    package static let linkBytes = 2_048
    package static let mimeTypeBytes = 128
    /// Milliseconds since 1970 that fit six bytes, and the same in seconds.
    package static let timeMilliseconds = (1 << 48) - 1
    package static let timestampSeconds = timeMilliseconds / 1_000
    package static let acceptingDaaScore = (1 << 62) - 1
    package static let senderOrder = 999
    /// Attempts, points, seconds and streaks of an imported result.
    package static let scoreNumber = Int(UInt32.max)
}
