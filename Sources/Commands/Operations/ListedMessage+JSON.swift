import Chat
package import JSONLines
import Node
import NodeCore
import SyncState

extension ListedMessage {
    /// As `message list` and `message show` give it: the import's fields, and `read` and `cursor`.
    package var fields: [String: JSONValue] {
        var fields = MessageLine(message).fields
        fields["read"] = .bool(isRead)
        fields["cursor"] = .string(cursor.text)
        return fields
    }

    package var json: JSONValue { .object(fields) }

    /// As `message show` gives it: also when it was read first, and on which device, as far as this one saw.
    func jsonInFull(_ zone: AccountZone) throws -> JSONValue {
        guard case .object(var fields) = json, let first = try zone.chat.reads.firstRead(of: message) else {
            return json
        }
        fields["readAt"] = .number(Int(first.readAt.milliseconds))
        fields["readBy"] = .string(first.lane.hex)
        fields["readByName"] = .optional(try zone.devices.name(of: first.lane))
        return .object(fields)
    }
}

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
