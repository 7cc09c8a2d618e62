import Chat
import Node
import NodeCore
import SyncState

/// `conversation …` and `read …`
extension OperationFactory {
    func conversationOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "conversation list":
            let account = try account(request)
            return ImmediateOperation { reply, _ in
                let missing = try account.zone.missingMessages()
                for conversation in try account.zone.chat.conversationList() {
                    var fields = conversation.fields
                    fields["missing"] = .number(missing[ExactText(conversation.conversationID)] ?? 0)
                    reply.data(.object(fields))
                }
            }
        case "conversation delete": return try delete(request)
        case "conversation show": return try show(request)
        case "conversation set": return try set(request)
        case "read import": return ReadImportOperation(account: try account(request), clock: node.clock)
        case "read mark": return try mark(request)
        case "read leave": return try leave(request)
        default: return nil
        }
    }

    private func delete(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, _ in
            var fields = try zone.deletions.delete(conversation: conversation, wall: clock.wall()).fields
            fields["conversationId"] = .string(conversation)
            reply.data(.object(fields))
        }
    }

    private func show(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation { reply, _ in
            guard let summary = try zone.chat.conversation(conversation) else { throw ChatError.unknownConversation }
            var fields = summary.fieldsInFull
            fields["missing"] = .number(try zone.missingMessages()[ExactText(conversation)] ?? 0)
            reply.data(.object(fields))
        }
    }

    private func set(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, _ in
            let changes = try ConversationChange.changes(request)
            let changed = try zone.details.change(conversation, changes, wall: clock.wall())
            reply.data(.object(["conversationId": .string(conversation), "changed": .bool(changed)]))
        }
    }

    private func mark(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let upTo = request.has("--txid") ? try txid(request, "--txid") : nil
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, now in
            let wasMarked = try zone.chat.details(conversation).isMarkedUnread?.value == true
            let advanced = try zone.reads.markRead(conversation, upTo: upTo, now: now, wall: clock.wall())
            let summary = try zone.chat.conversation(conversation)
            reply.data(
                .object([
                    "conversationId": .string(conversation), "advanced": .bool(advanced),
                    "cleared": .bool(wasMarked),
                    "unread": .number(summary?.unread ?? 0),
                ]))
        }
    }

    private func leave(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { reply, _ in
            guard try zone.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            try zone.reads.leave(conversation)
            reply.data(.object(["conversationId": .string(conversation)]))
        }
    }
}
