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
        StateFields {
            ($0.kind, $0.conversationId) = (.conversation, conversationID)
            $0.title = title.map { .init($0, $0.value.text) }
            $0.participants = participants.map { given in
                .init(given, given.value.list.map { Participant(address: $0.address, name: $0.name) })
            }
            $0.pinned = isPinned.map { .init($0, $0.value) }
            $0.muted = isMuted.map { .init($0, $0.value) }
            $0.archived = isArchived.map { .init($0, $0.value) }
            $0.markedUnread = isMarkedUnread.map { .init($0, $0.value) }
            $0.checkpoint = checkpoint.map { .init($0, Hex.encode($0.value.bytes)) }
        }.json
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

extension StateFields.Revised {
    fileprivate init<Given: RevisedValue>(_ given: SyncState.Revised<Given>, _ value: Value) {
        self.init()
        (self.value, revision, at) = (value, Int(clamping: given.revision), Int(given.at.milliseconds))
    }
}
