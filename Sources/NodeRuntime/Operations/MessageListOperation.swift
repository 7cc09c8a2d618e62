import NodeCore
import SyncState

/// `message list`: one page after the other, so that a long list does not hold sync up.
final class MessageListOperation: ControlOperation {
    let changesData = false
    private let account: NodeAccount
    private let conversation: String
    private var remaining: Int
    private var cursor: MessageCursor?

    init(account: NodeAccount, request: ControlRequest) throws(NodeError) {
        guard let conversation = request.text("--conversation") else {
            throw NodeError(.usage, "message list needs --conversation C")
        }
        let limit = request.number("--limit") ?? 50
        guard (1...UInt64(Limits.messageListRows)).contains(limit) else {
            throw NodeError(.usage, "--limit must be a whole number from 1 to \(Limits.messageListRows)")
        }
        do {
            guard try account.zone.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
        } catch {
            throw NodeError(cause: error)
        }
        if let text = request.text("--before") {
            guard let cursor = MessageCursor(text: text) else {
                throw NodeError(.usage, "--before must be the `cursor` of a message that `message list` has shown")
            }
            self.cursor = cursor
        }
        self.account = account
        self.conversation = conversation
        remaining = Int(limit)
    }

    func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let wanted = min(remaining, Limits.exportSliceMessages)
            let page = try account.zone.chat.messages(conversation: conversation, before: cursor, limit: wanted)
            for message in page { reply.data(message.json) }
            remaining -= page.count
            cursor = page.last?.cursor
            return page.count < wanted || remaining == 0 ? .done : .again
        } catch {
            throw NodeError(cause: error)
        }
    }
}
