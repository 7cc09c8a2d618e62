import Node
import NodeModel

/// Messages for people.
enum MessageText {
    /// The messages of one conversation, with gaps in their place.
    static let list = ListColumns<Message>(
        whenEmpty: "No messages.",
        [
            .time("SENT (UTC)") { milliseconds($0.senderTs) }, .text("NEW") { $0.isRead ? "" : "*" },
            .text("FROM", .shortened(to: 8)) { from($0) },
            .text("MESSAGE", .wrapped(at: 16)) { $0.body ?? $0.waitingFor.map { "(\($0))" } },
        ], before: { $0.missingAfter.map { "-- \($0.sentence) --" } },
        after: { $0.missingBefore.map { "-- \($0.sentence) --" } })

    /// Hits are shown as they are found, so the widths are given.
    static let hits = ListColumns<Message>(
        whenEmpty: "No message has all these words.",
        [
            .time("SENT (UTC)") { $0.blockTime ?? milliseconds($0.senderTs) },
            .text("CONVERSATION", .shortened(to: 8), width: 14) { $0.conversationId },
            .text("FROM", .shortened(to: 6), width: 12) { from($0) },
            .text("MESSAGE", .wrapped(at: 16), width: 1_000) { $0.body },
        ])

    static let deleted = ListColumns<Deleted>(
        whenEmpty: "Nothing that was deleted can be restored.",
        [
            .time("DELETED (UTC)") { $0.deletedAt }, .time("RESTORE UNTIL") { $0.purgeAt },
            .text("CONVERSATION", .shortened(to: 8)) { $0.conversationId },
            .text("TXID", .wrapped(at: 8)) { $0.txid ?? "the whole conversation" },
            .text("MESSAGE", .wrapped(at: 16)) { $0.body },
        ])

    @Sendable static func inFull(_ message: Message, _ output: Output) {
        let reader = message.readByName ?? message.readBy.map { "device " + $0.prefix(8) }
        output.facts([
            ("txid", message.txid), ("conversation", message.conversationId), ("from", from(message)),
            ("to", message.direction == .sent ? message.contact : nil),
            ("sent", Wording.time(milliseconds(message.senderTs))),
            ("in a block", Wording.time(message.blockTime)), ("score", message.acceptingDaaScore.map { "\($0)" }),
            ("status", message.status),
            ("read", message.isRead ? Wording.time(message.readAt) ?? "yes" : "no"), ("read on", reader),
            ("waits for", message.waitingFor), ("next try", Wording.time(message.nextTry)),
        ])
        for attachment in message.attachments { output.facts([("attachment", text(attachment))]) }
        guard let body = message.body else { return }
        output.line("")
        output.line(Terminal.harmless(body, keepingNewlines: true))
    }

    /// Inline bytes are for programs.
    private static func text(_ attachment: Attachment) -> String {
        let size = attachment.sizeBytes.map { Wording.bytes($0) }
        let pixels = attachment.width.flatMap { width in attachment.height.map { "\(width) x \($0)" } }
        return [attachment.mimeType, size, pixels, attachment.link].compactMap(\.self).joined(separator: ", ")
    }

    private static func from(_ message: Message) -> String? { message.direction == .sent ? "me" : message.contact }

    private static func milliseconds(_ seconds: Int) -> Int { Int(Int64(seconds).multipliedClamped(by: 1_000)) }
}
