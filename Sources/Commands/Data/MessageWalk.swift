import Chat
import Node
import NodeCore
import SyncState

/// All messages of an account, conversation by conversation in the order of their ids, newest first in each.
struct MessageWalk {
    private let zone: AccountZone
    /// Still to be given, the next one last.
    private var conversations: [String]
    private var cursor: MessageCursor?
    /// Unreadable messages before the walk began.
    private let unreadable: Int

    init(_ zone: AccountZone) throws {
        self.zone = zone
        unreadable = zone.chat.unreadable
        conversations = try zone.chat.conversationList().map(\.conversationID).sorted(by: >)
    }

    var isDone: Bool { conversations.isEmpty }

    /// The next messages, at most `limit`.
    mutating func next(_ limit: Int) throws -> [ChatMessage] {
        var messages: [ChatMessage] = []
        var room = limit
        while room > 0, let conversation = conversations.last {
            let page = try zone.chat.messages(conversation: conversation, before: cursor, limit: room)
            messages += page.map(\.message)
            if page.count < room {
                conversations.removeLast()
                cursor = nil
            } else {
                cursor = page.last?.cursor
            }
            // An empty conversation costs a look-up too.
            room -= max(1, page.count)
        }
        return messages
    }

    /// Fails if messages were left out.
    func checkWhole() throws(NodeError) {
        let missing = zone.chat.unreadable - unreadable
        guard missing > 0 else { return }
        throw NodeError(
            .damaged,
            "\(Wording.count(missing, "message")) could not be read and were left out: the disk data is damaged. The "
                + "running node fetches them from a device that has them; then try again")
    }
}
