import Chat
import Node
import NodeCore
import SyncState

/// `message list`: one page after the other, so that a long list does not hold sync up. Stubs stand among the messages,
/// or alone with `--placeholders`. A row says what is missing next to it.
final class MessageListOperation: ControlOperation {
    let changesData = false
    private let account: NodeAccount
    private let stubs: StubReport
    /// Nil with `--placeholders` where none is named.
    private let conversation: String?
    private let isOnlyStubs: Bool
    private var remaining: Int
    private var cursor: MessageCursor?
    private var gaps: ListGaps?

    init(node: LocalNode, account: NodeAccount, request: ControlRequest) throws(NodeError) {
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
                var gaps = try ListGaps(conversation, before: nil, account: account, node: node)
                guard let missing = gaps.takeRest() else { throw ChatError.unknownConversation }
                throw NodeError(.notFound, "nothing of this conversation is here yet: \(missing.sentence)")
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
        guard !isOnlyStubs, let conversation else { return }
        do {
            gaps = try ListGaps(conversation, before: cursor, account: account, node: node)
        } catch {
            throw NodeError(cause: error)
        }
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let rows = try page(min(remaining, Limits.exportSliceMessages))
            remaining -= rows.count
            cursor = rows.last?.cursor ?? cursor
            // A page may be short before the end, and full at the end.
            let isLast = try rows.isEmpty || page(1).isEmpty
            for (place, row) in rows.enumerated() {
                var fields = fields(of: row)
                if let gap = gaps?.take(before: rows[place...]) { fields["missingAfter"] = gap.json }
                if place == rows.count - 1, isLast, let gap = gaps?.takeRest() { fields["missingBefore"] = gap.json }
                reply.data(.object(fields))
            }
            return isLast || remaining == 0 ? .done : .again
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func fields(of row: ListedRow) -> [String: JSONValue] {
        switch row {
        case .message(let message): message.fields
        case .stub(let stub): stubs.fields(stub)
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
