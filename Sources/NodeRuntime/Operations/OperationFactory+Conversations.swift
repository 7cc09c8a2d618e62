import NodeCore
import SyncState

/// `conversation …` and `read …`
extension OperationFactory {
    func conversationOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "conversation list":
            let account = try account(request)
            return ImmediateOperation { reply, _ in
                for conversation in try account.zone.chat.conversationList() { reply.data(conversation.json) }
            }
        case "conversation delete": return try delete(request)
        case "read mark": return try mark(request)
        case "read leave": return try leave(request)
        default: return nil
        }
    }

    private func delete(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, _ in
            var fields = try zone.delete(conversation: conversation, wall: clock.wall()).fields
            fields["conversationId"] = .string(conversation)
            reply.data(.object(fields))
        }
    }

    private func mark(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let upTo = request.has("--txid") ? try txid(request, "--txid") : nil
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, now in
            let advanced = try zone.markRead(conversation, upTo: upTo, now: now, wall: clock.wall())
            let summary = try zone.chat.conversation(conversation)
            reply.data(
                .object([
                    "conversationId": .string(conversation), "advanced": .bool(advanced),
                    "unread": .number(summary?.unread ?? 0),
                ]))
        }
    }

    private func leave(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { reply, _ in
            guard try zone.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            try zone.leave(conversation)
            reply.data(.object(["conversationId": .string(conversation)]))
        }
    }
}
