import NodeCore
import SyncState

/// `export`: every message, conversation by conversation in the order of their ids, newest first in each. The reader's
/// pace is the export's: a slice is taken only when the one before has gone out.
final class ExportOperation: ControlOperation {
    let changesData = false
    private let account: NodeAccount
    /// Those still to be written, the next one last.
    private var conversations: [String]
    private var cursor: MessageCursor?

    init(account: NodeAccount) throws(NodeError) {
        self.account = account
        do {
            conversations = try account.zone.chat.conversationList().map(\.conversationID).sorted(by: >)
        } catch {
            throw NodeError(cause: error)
        }
    }

    func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        var room = Limits.exportSliceMessages
        do {
            while room > 0, let conversation = conversations.last {
                let page = try account.zone.chat.messages(conversation: conversation, before: cursor, limit: room)
                for message in page { reply.data(.object(MessageLine(message.message).fields)) }
                if page.count < room {
                    conversations.removeLast()
                    cursor = nil
                } else {
                    cursor = page.last?.cursor
                }
                // An empty conversation costs a look-up too.
                room -= max(1, page.count)
            }
        } catch {
            throw NodeError(cause: error)
        }
        return conversations.isEmpty ? .done : .again
    }
}
