import NodeCore
import SyncState

/// `message list`: one page after the other, so that a long list does not hold sync up. Stubs stand among the messages,
/// or alone with `--placeholders`.
final class MessageListOperation: ControlOperation {
    let changesData = false
    private let account: NodeAccount
    private let stubs: StubReport
    /// Nil with `--placeholders` where none is named.
    private let conversation: String?
    private let isOnlyStubs: Bool
    private var remaining: Int
    private var cursor: MessageCursor?

    init(node: Node, account: NodeAccount, request: ControlRequest) throws(NodeError) {
        conversation = request.text("--conversation")
        isOnlyStubs = request.has("--placeholders")
        guard isOnlyStubs || conversation != nil else {
            throw NodeError(.usage, "message list needs --conversation C, or --placeholders")
        }
        stubs = StubReport(node: node, account: account)
        let limit = request.number("--limit") ?? 50
        guard (1...UInt64(Limits.messageListRows)).contains(limit) else {
            throw NodeError(.usage, "--limit must be a whole number from 1 to \(Limits.messageListRows)")
        }
        do {
            let chat = account.zone.chat
            if let conversation, try !chat.hasConversation(conversation) {
                throw ChatError.unknownConversation
            }
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
        remaining = Int(limit)
    }

    func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let wanted = min(remaining, Limits.exportSliceMessages)
            let rows = try page(wanted)
            for row in rows {
                switch row {
                case .message(let message): reply.data(message.json)
                case .stub(let stub): reply.data(stubs.json(stub))
                }
            }
            remaining -= rows.count
            cursor = rows.last?.cursor
            return rows.isEmpty || remaining == 0 ? .done : .again
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func page(_ limit: Int) throws -> [ListedRow] {
        let chat = account.zone.chat
        guard !isOnlyStubs, let conversation else {
            return try chat.missedMessages(conversation: conversation, before: cursor, limit: limit)
                .map { .stub($0) }
        }
        return try chat.rows(conversation: conversation, before: cursor, limit: limit)
    }
}
