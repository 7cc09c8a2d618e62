import Chat
package import JSONLines
import Node
import NodeCore
import SyncState

extension AccountZone {
    /// How many messages of each conversation are missing here though their record is: of the newest missing segments.
    func missingMessages() throws -> [ExactText: Int] {
        try archive.missingSegments(limit: Limits.gapRows).reduce(into: [:]) { counts, segment in
            counts[ExactText(segment.conversationID), default: 0] += segment.sum.messages
        }
    }
}

extension ConversationSummary {
    package var fields: [String: JSONValue] {
        [
            "conversationId": .string(conversationID), "title": .optional(title), "contact": .string(contact),
            "messages": .number(messages), "unread": .number(unread), "placeholders": .number(placeholders),
            "lastTxid": .optional(lastTxID?.hex),
            "lastBlockTime": .optional(lastBlockTime), "lastSenderTs": .optional(lastSenderTimestamp),
            "lastReadTxid": .optional(lastReadTxID?.hex),
            "lastReadBlockTime": .optional(lastReadBlockTime), "lastReadBy": .optional(lastReadBy?.hex),
            "pinned": .bool(details?.isPinned?.value == true), "muted": .bool(details?.isMuted?.value == true),
            "archived": .bool(details?.isArchived?.value == true),
            "markedUnread": .bool(details?.isMarkedUnread?.value == true),
        ]
    }

    /// As `conversation show` gives it: the list's fields, and those that are too long for a list.
    var fieldsInFull: [String: JSONValue] {
        var fields = fields
        let participants = details?.participants?.value.list ?? []
        fields["participants"] = .array(
            participants.map { participant in
                .object([
                    "address": .string(participant.address),
                    "name": .optional(participant.name.isEmpty ? nil : participant.name),
                ])
            })
        let checkpoint = details?.checkpoint?.value.bytes ?? []
        fields["checkpoint"] = .optional(checkpoint.isEmpty ? nil : Hex.encode(checkpoint))
        return fields
    }
}
