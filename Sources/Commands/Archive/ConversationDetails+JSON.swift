import Chat
package import JSONLines
import Node
import NodeCore
import NodeModel
import SyncState

/// Details of a conversation as a line of an archive. Each field has its revision, so that an import joins them as
/// devices do.
extension ConversationDetails {
    package var json: JSONValue {
        var fields: [String: JSONValue] = ["kind": "conversation", "conversationId": .string(conversationID)]
        fields["title"] = title.map { Self.json($0, .string($0.value.text)) }
        fields["participants"] = participants.map { given in
            let list = given.value.list.map { participant in
                JSONValue.object(["address": .string(participant.address), "name": .string(participant.name)])
            }
            return Self.json(given, .array(list))
        }
        for (name, flag) in Self.flags { fields[name] = self[keyPath: flag].map { Self.json($0, .bool($0.value)) } }
        fields["checkpoint"] = checkpoint.map { Self.json($0, .string(Hex.encode($0.value.bytes))) }
        return .object(fields)
    }

    private static func json<Value>(_ field: Revised<Value>, _ value: JSONValue) -> JSONValue {
        ["value": value, "revision": .number(field.revision), "at": .number(field.at.milliseconds)]
    }

    private static var flags: [(String, WritableKeyPath<ConversationDetails, Revised<Bool>?>)] {
        [("pinned", \.isPinned), ("muted", \.isMuted), ("archived", \.isArchived), ("markedUnread", \.isMarkedUnread)]
    }

    init(json line: JSONValue) throws(FieldError) {
        self.init(conversationID: try StateLine.conversation(line))
        title = try Self.field("title", line) { value in try value.text.map { try ConversationTitle($0) } }
        participants = try Self.field("participants", line) { value in
            try ConversationParticipants(
                value.elements.map { each in
                    ConversationParticipants.Participant(
                        address: each["address"]?.text ?? "", name: each["name"]?.text ?? "")
                })
        }
        for (name, flag) in Self.flags { self[keyPath: flag] = try Self.field(name, line) { $0.boolean } }
        checkpoint = try Self.field("checkpoint", line) { value in
            try value.text.flatMap { Hex.decode($0) }.map { try ChainCheckpoint($0) }
        }
    }

    private static func field<Value>(
        _ name: String, _ line: JSONValue, _ read: (JSONValue) throws -> Value?
    ) throws(FieldError) -> Revised<Value>? {
        guard let field = line[name], field != .null else { return nil }
        let value: Value?
        do {
            value = try field["value"].flatMap(read)
        } catch {
            throw FieldError("", "`\(name)`: \(error)")
        }
        guard let value, let revision = try StateLine.number(field, "revision", SyncState.Limits.revision),
            revision > 0, let at = try StateLine.number(field, "at", Chat.Limits.timeMilliseconds)
        else { throw FieldError("", "`\(name)` must have a `value`, a `revision` from 1, and `at`") }
        return Revised(value, revision: revision, at: WallTime(milliseconds: Int64(at)))
    }
}
