import NodeCore

/// What is said of conversations, beside their messages.
extension ChatState {
    /// The join of all that was said of a conversation, here or by a register that arrived.
    package func details(_ conversation: String) throws -> ConversationDetails {
        try reloadIfRolledBack()
        let nothing = ConversationDetails(conversationID: conversation)
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return nothing }
        return try conversations.details(of: number, conversation) ?? nothing
    }

    /// What is said of each conversation of which anything is, in the order of their ids.
    package func allDetails() throws -> [ConversationDetails] {
        try flush()
        return try conversations.rows().sorted { $0.name < $1.name }.compactMap(\.details)
    }

    /// Joins what arrived, or was said here.
    ///
    /// - Returns: whether that changed anything.
    package func mergeDetails(_ given: ConversationDetails) throws -> Bool {
        try reloadIfRolledBack()
        guard let number = try conversations.number(of: given.conversationID.utf8, create: true) else { return false }
        let held = try conversations.details(of: number, given.conversationID)
        let merged = held?.merged(with: given) ?? given
        guard merged != held else { return false }
        try conversations.store(merged, of: number)
        return true
    }
}
