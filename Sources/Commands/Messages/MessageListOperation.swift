import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// What `message list` takes.
enum MessageList {
    static let conversation = Parameter.text("--conversation", .text("C"), "the conversation's id")
    static let placeholders = Parameter.flag(
        "--placeholders", "only messages whose bodies are not here yet, of all conversations")
    static let limit = Parameter.number(
        "--limit", "N", 1...UInt64(Limits.messageListRows), "at most N (default 50)")
    static let before = Parameter.text(
        "--before", .text("CURSOR"), "older than the message with this `cursor`")

    /// As requests ask for a part of a list.
    static let page: [any AnyParameter] = [
        limit.requested(.value(Endpoint.pageLimit), standard: "50", help: "at most so many"),
        before.requested(.pattern("^[0-9a-f]{1,16}-[0-9a-f]{64}$"), help: "`next` of the page before"),
    ]
}

/// `message list`: one page after the other, so that a long list does not hold sync up. Stubs stand among the messages,
/// or alone with `--placeholders`. A row says what is missing next to it.
final class MessageListOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private let account: NodeAccount
    /// Nil with `--placeholders` where none is named.
    private let conversation: String?
    private let isOnlyStubs: Bool
    private var remaining: Int
    private var cursor: MessageCursor?
    private var gaps: ListGaps?

    init(_ call: Call) throws(NodeError) {
        node = call.node
        account = try call.account
        conversation = call[MessageList.conversation]
        isOnlyStubs = call.has(MessageList.placeholders)
        guard isOnlyStubs || conversation != nil else {
            throw .wrong(
                MessageList.conversation, "must be given, or \(parameter: MessageList.placeholders.spec.name)")
        }
        remaining = call[MessageList.limit] ?? 50
        if let text = call[MessageList.before] {
            guard let cursor = MessageCursor(text: text) else {
                throw .wrong(
                    MessageList.before, "must be the `cursor` of a message that `message list` has shown")
            }
            self.cursor = cursor
        }
        do {
            if let conversation, try !account.zone.chat.hasConversation(conversation) {
                var gaps = try ListGaps(conversation, before: nil, account: account, node: node)
                guard let missing = gaps.takeRest() else { throw ChatError.unknownConversation }
                throw NodeError(.notFound, "nothing of this conversation is here yet: \(missing.sentence)")
            }
            guard !isOnlyStubs, let conversation else { return }
            gaps = try ListGaps(conversation, before: cursor, account: account, node: node)
        } catch {
            throw NodeError(cause: error)
        }
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let rows = try page(min(remaining, Limits.exportSliceMessages))
            remaining -= rows.count
            cursor = rows.last?.cursor ?? cursor
            // A page may be short before the end, and full at the end.
            let isLast = try rows.isEmpty || page(1).isEmpty
            for (place, row) in rows.enumerated() {
                var message = message(of: row)
                message.missingAfter = gaps?.take(before: rows[place...]).map(Gap.init)
                if place == rows.count - 1, isLast { message.missingBefore = gaps?.takeRest().map(Gap.init) }
                reply.data(message)
            }
            return isLast || remaining == 0 ? .done : .again
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func message(of row: ListedRow) -> Message {
        switch row {
        case .message(let message): Message(message)
        case .stub(let stub): Message(stub, waiting: StubWait(stub.txid, account, node))
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
