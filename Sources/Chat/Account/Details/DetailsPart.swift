package import NodeCore
import SyncState

/// Titles, participants and flags of conversations. The join of all devices' values is in the chat's own table.
package final class DetailsPart: JoinedPart {
    let context: AccountContext
    var suspects: Set<ExactText> = []

    init(_ context: AccountContext) { self.context = context }

    /// Changes the details of a conversation; the other devices get them with the next commit.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: `RevisionError`, `ConversationDetailsError`; nothing is changed then.
    @discardableResult
    package func change(_ conversation: String, _ changes: [ConversationChange], wall: WallTime) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        var details = try context.chat.details(conversation)
        for change in changes { try details.apply(change, at: wall) }
        try context.store.begin()
        guard try join(details) else { return false }
        try write(details)
        return true
    }

    /// Joins details of a conversation from an archive; the other devices get them with the next commit.
    ///
    /// - Returns: whether anything was new.
    package func adopt(_ details: ConversationDetails) throws -> Bool {
        try context.store.begin()
        guard try join(details) else { return false }
        try write(try context.chat.details(details.conversationID))
        return true
    }

    /// The details in the live registers alone, as a new device would compute them.
    package func live(_ conversation: String) throws -> ConversationDetails {
        let nothing = ConversationDetails(conversationID: conversation)
        return try joined(slotName: nothing.slotName) ?? nothing
    }

    private func join(_ details: ConversationDetails) throws -> Bool {
        guard try context.chat.mergeDetails(details) else { return false }
        context.changes.note(.conversation(details.conversationID))
        return true
    }

    // MARK: Registers

    func merge(_ content: ConversationDetails, from lane: LaneID) throws {
        if try join(content) { suspect(subject(of: content)) }
    }

    func subject(of content: ConversationDetails) -> ExactText { ExactText(content.conversationID) }

    func effective(_ subject: ExactText) throws -> ConversationDetails? { try context.chat.details(subject.text) }

    func live(_ subject: ExactText) throws -> ConversationDetails? { try live(subject.text) }

    func reload() throws { suspects = [] }
}
