import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `export`: every message, conversation by conversation in the order of their ids, newest first in each; then, on
/// request and for an archive, details of the conversations. It runs at the reader's pace: a slice is taken only when
/// the one before has left.
final class ExportOperation: Operation {
    let changesData = false
    private let account: NodeAccount
    private let isArchive: Bool
    private let hasStates: Bool
    private var hasBegun = false
    /// Still to be written, the next one last.
    private var conversations: [String]
    private var cursor: MessageCursor?
    /// Unreadable messages before this export began.
    private let unreadable: Int

    init(account: NodeAccount, isArchive: Bool, hasStates: Bool) throws {
        self.account = account
        self.isArchive = isArchive
        self.hasStates = hasStates || isArchive
        unreadable = account.zone.chat.unreadable
        conversations = try account.zone.chat.conversationList().map(\.conversationID).sorted(by: >)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if isArchive, !hasBegun { begin(.messages, &reply) }
        hasBegun = true
        try giveMessages(&reply)
        guard conversations.isEmpty else { return .again }
        if isArchive { begin(.state, &reply) }
        if hasStates {
            for line in try StateLine.all(of: account.zone) { reply.data(line.json) }
        }
        try check()
        return .done
    }

    /// Fails if messages were left out.
    private func check() throws(NodeError) {
        let missing = account.zone.chat.unreadable - unreadable
        guard missing > 0 else { return }
        throw NodeError(
            .damaged,
            "\(Wording.count(missing, "message")) could not be read and were left out: the disk data is damaged. The "
                + "running node fetches them from a device that has them; then export again")
    }

    private func giveMessages(_ reply: inout CommandReply) throws {
        var room = Limits.exportSliceMessages
        while room > 0, let conversation = conversations.last {
            let page = try account.zone.chat.messages(conversation: conversation, before: cursor, limit: room)
            for message in page { reply.data(NewMessage(message.message)) }
            if page.count < room {
                conversations.removeLast()
                cursor = nil
            } else {
                cursor = page.last?.cursor
            }
            // An empty conversation costs a look-up too.
            room -= max(1, page.count)
        }
    }

    /// Announces the kind of the lines that follow.
    private func begin(_ part: ContainerPart.Kind, _ reply: inout CommandReply) {
        reply.progress(
            [
                "part": .string(part.rawValue),
                "account": [
                    "accountId": .string(account.accountID.hex), "label": .string(account.label),
                    "deviceId": .string(account.zone.lane.hex),
                ],
            ])
    }
}
