import SyncState

/// The list of conversations with messages, the one with the newest message first. Conversations with only stubs are
/// included, by the newest of these.
package struct ConversationList {
    private let chat: ChatState

    package init(_ chat: ChatState) { self.chat = chat }

    /// The places of all conversations in order; none costs more than its entry in memory.
    package func places() throws -> [ConversationPlace] {
        let places = try chat.query { try chat.conversations.newest.order.update(find) }
        return chat.stubs.isEmpty ? places : with(try chat.stubs.byConversation(), places)
    }

    private func find(_ number: UInt32?) throws -> [ConversationPlace] {
        try chat.conversations.rows(only: number).filter { $0.messages > 0 }.map { row in
            ConversationPlace(number: row.number, name: row.name, time: try chat.newest(of: row)?.time ?? 0)
        }
    }

    private func with(_ missed: [StubCount], _ places: [ConversationPlace]) -> [ConversationPlace] {
        var places = places
        let indices = Dictionary(uniqueKeysWithValues: places.enumerated().map { (ExactText($1.name), $0) })
        for missed in missed {
            if let index = indices[ExactText(missed.conversationID)] {
                places[index].missed = missed
            } else {
                places.append(
                    ConversationPlace(number: nil, name: missed.conversationID, time: missed.newest, missed: missed))
            }
        }
        return places.sorted(by: <)
    }

    /// The conversation at a place; nil if its messages are gone since.
    package func conversation(at place: ConversationPlace) throws -> ConversationSummary? {
        try chat.query {
            guard let number = place.number else { return try chat.summary(of: place.name, place.missed) }
            guard let row = try chat.conversations.rows(only: number).first, row.messages > 0 else { return nil }
            var summary = try chat.summary(of: row)
            summary.placeholders = place.missed?.count ?? 0
            return summary
        }
    }
}
