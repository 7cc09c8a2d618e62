import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `export`: every message, conversation by conversation in the order of their ids, newest first in each; where that is
/// asked for, and for an archive, what is known of the conversations behind them. The reader's pace is the export's: a
/// slice is taken only when the one before has gone out.
final class ExportOperation: Operation {
    let changesData = false
    private let account: NodeAccount
    private let isArchive: Bool
    private let hasStates: Bool
    private var hasBegun = false
    /// Those still to be written, the next one last.
    private var conversations: [String]
    private var cursor: MessageCursor?
    /// Messages that could not be read before this began.
    private let unreadable: Int

    init(account: NodeAccount, isArchive: Bool, hasStates: Bool) throws(NodeError) {
        self.account = account
        self.isArchive = isArchive
        self.hasStates = hasStates || isArchive
        unreadable = account.zone.chat.unreadable
        do {
            conversations = try account.zone.chat.conversationList().map(\.conversationID).sorted(by: >)
        } catch {
            throw NodeError(cause: error)
        }
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
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
        } catch {
            throw NodeError(cause: error)
        }
    }

    /// What is missing is said, and does not end in silence.
    private func check() throws(NodeError) {
        let missing = account.zone.chat.unreadable - unreadable
        guard missing > 0 else { return }
        throw NodeError(
            .damaged,
            "\(Wording.count(missing, "message")) could not be read and left out: the bytes on the disk are damaged. "
                + "The running node fetches them anew from a device that has them; export again then")
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

    /// Says what the lines behind it are.
    private func begin(_ part: ContainerPart.Kind, _ reply: inout CommandReply) {
        reply.progress(
            .object([
                "part": .string(part.rawValue),
                "account": .object([
                    "accountId": .string(account.accountID.hex), "label": .string(account.label),
                    "deviceId": .string(account.zone.lane.hex),
                ]),
            ]))
    }
}
