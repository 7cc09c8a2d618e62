package import NodeCore

/// One line of an import or export: a message in the field names of the chat app.
///
/// ```
/// {"txid": 64 hex digits, "conversationId": text, "contact": text, "direction": "sent" | "received",
///  "senderTs": seconds, "blockTime": milliseconds?, "acceptingDaaScore": number?, "body": text?,
///  "status": "pending" | "seen" | "confirmed" | "reorged"?, "attachments": [attachment]?, "device": text?,
///  "senderOrder": number?}
/// attachment = {"link": text?, "mimeType": text, "sizeBytes": number?, "duration": milliseconds?, "width": pixels?,
///               "height": pixels?, "inline": base64?}
/// ```
/// `blockTime` and `acceptingDaaScore` are absent while the message is pending. A line that has neither a body nor
/// attachments says only that the message exists. Fields of other names are ignored, so
/// that what `message list` prints can be imported.
package struct MessageLine: Equatable, Sendable {
    package enum Direction: String, Sendable {
        case sent
        case received
    }

    package enum Status: String, Sendable {
        case pending
        case seen
        case confirmed
        case reorged
    }

    package var txid: TxID
    package var conversationID: String
    package var contact: String
    package var direction: Direction
    /// Seconds since 1970.
    package var senderTimestamp: UInt64
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var status: Status?
    package var body: String
    package var attachments: [AttachmentLine]
    /// Which of the person's devices wrote the line; only `import --device` looks at it.
    package var device: String?
    /// Of messages sent in one second, which one it is, from 0; nil: behind those that were added before.
    package var senderOrder: UInt64?
}

/// Something that came with a message: a link to it, or, if it is small, the bytes themselves.
package struct AttachmentLine: Equatable, Sendable {
    package var link: String?
    package var mimeType: String
    /// Bytes of the thing itself.
    package var sizeBytes: UInt64
    /// Milliseconds, of sound and film.
    package var duration: UInt64?
    /// Pixels, of pictures and film.
    package var width: UInt64?
    package var height: UInt64?
    /// Base64 in JSON.
    package var inline: [UInt8]?
}

/// Why a line is refused; the reason names the field.
package struct MessageLineError: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
    package var description: String { reason }
}
