/// Something that belongs to a message: by link, or small enough to travel inside it.
package struct ChatAttachment: Sendable, Equatable {
    /// Where it lies; nil if it is inline only.
    package var link: String?
    package var mimeType: String
    /// Size of the whole thing, whatever is inline.
    package var sizeBytes: UInt64
    package var durationMilliseconds: UInt64?
    /// Pixels.
    package var width: UInt64?
    /// Pixels.
    package var height: UInt64?
    /// The thing itself or a preview, up to 12 KiB.
    package var inline: [UInt8]?

    package init(
        link: String? = nil, mimeType: String, sizeBytes: UInt64, durationMilliseconds: UInt64? = nil,
        width: UInt64? = nil, height: UInt64? = nil, inline: [UInt8]? = nil
    ) {
        self.link = link
        self.mimeType = mimeType
        self.sizeBytes = sizeBytes
        self.durationMilliseconds = durationMilliseconds
        self.width = width
        self.height = height
        self.inline = inline
    }
}
