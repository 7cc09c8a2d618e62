import Chat
import Node
import NodeCore
import NodeModel
import SyncState

enum MessageList {
    static let conversation = Parameter.text("--conversation", .conversation("C"), "the conversation's id")
        .placed("CONVERSATION")
    static let placeholders = Parameter.flag(
        "--placeholders", "only messages without their bodies yet, of all conversations")
    static let limit = Parameter.number(
        "--limit", "N", 1...UInt64(Limits.messageListRows), "maximum number (default: 50)"
    ).requested(.value(Endpoint.pageLimit), standard: "50")
    static let before = Parameter.text(
        "--before", .text("CURSOR"), "the `cursor` of a message or page: list older ones"
    ).named("cursor").requested(.pattern("^[0-9a-f]{1,16}-[0-9a-f]{64}$"))
    static let until = Parameter.text(
        "--until", .form("TIME", .past),
        "begin with the newest message up to this time (a day is its beginning, in UTC); a cursor outweighs it"
    ).requested(.time)
}

/// `message list`: one page after the other, so that a long list does not delay sync. Stubs stand among the messages,
/// or alone with `--placeholders`. A row carries the gaps next to it.
final class MessageListOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private let account: NodeAccount
    /// Nil for the placeholders of all conversations.
    private let conversation: String?
    private let isOnlyStubs: Bool
    private var remaining: Int
    private var cursor: MessageCursor?
    private var gaps: ListGaps?

    init(_ call: Call) throws {
        node = call.node
        account = try call.account
        conversation = call[MessageList.conversation]
        isOnlyStubs = call.has(MessageList.placeholders)
        guard isOnlyStubs || conversation != nil else {
            throw NodeError.wrong(
                MessageList.conversation, "must be given, or \(parameter: MessageList.placeholders.spec.name)")
        }
        remaining = call[MessageList.limit] ?? 50
        if let text = call[MessageList.before] {
            guard let cursor = MessageCursor(text: text) else {
                throw NodeError.wrong(MessageList.before, "must be the `cursor` of a message or a page")
            }
            self.cursor = cursor
        }
        if let conversation, try !account.zone.chat.hasConversation(conversation) {
            var gaps = try ListGaps(conversation, before: nil, account: account, node: node)
            guard let missing = gaps.takeRest() else { throw ChatError.unknownConversation }
            throw NodeError(.notFound, "nothing of this conversation is here yet: \(missing.sentence)")
        }
        guard !isOnlyStubs, let conversation else { return }
        var until: UInt64?
        if cursor == nil, let wall = call[MessageList.until].flatMap({ PastTime.wall($0, now: call.clock.wall()) }) {
            until = UInt64(max(0, wall.milliseconds))
            cursor = try Self.cursor(upTo: until ?? 0, of: conversation, in: account.zone.chat)
        }
        gaps = try ListGaps(conversation, before: cursor, upTo: until.map { $0 / 1_000 }, account: account, node: node)
    }

    /// The place in a conversation's list behind which its rows are not newer than a time, in milliseconds; nil if none
    /// is newer. Rows stand by their score, and the time grows with it: each look at a row halves the range.
    private static func cursor(upTo time: UInt64, of conversation: String, in chat: ChatState) throws -> MessageCursor?
    {
        func row(before cursor: MessageCursor?) throws -> ListedRow? {
            try chat.rows(conversation: conversation, before: cursor, limit: 1).first
        }
        guard let newest = try row(before: nil), newest.milliseconds > time else { return nil }
        // Rows below `low` are not newer, the one at `high` is.
        var (low, high) = (UInt64(0), newest.cursor.order.word)
        while low < high {
            let middle = low + (high - low) / 2
            let found = try row(before: MessageCursor(order: MessageOrder(word: middle + 1), txid: .zero))
            if let found, found.milliseconds > time {
                high = found.cursor.order.word
            } else {
                low = middle + 1
            }
        }
        return MessageCursor(order: MessageOrder(word: high), txid: .zero)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
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
        guard !isLast, remaining == 0 else { return isLast ? .done : .again }
        if let cursor { reply.more(from: cursor.text) }
        return .done
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
            return try chat.missedMessages(conversation: conversation, before: cursor, limit: limit).map { .stub($0) }
        }
        return try chat.rows(conversation: conversation, before: cursor, limit: limit)
    }
}

extension ListedRow {
    /// Its time in milliseconds, by its block or else by its sender's clock; 0 if unknown.
    fileprivate var milliseconds: UInt64 {
        switch self {
        case .message(let listed): listed.message.blockTime ?? listed.message.senderTimestamp * 1_000
        case .stub(let stub): stub.blockTime ?? stub.senderTimestamp * 1_000
        }
    }
}
