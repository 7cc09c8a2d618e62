package import SyncState

/// The list of conversations with messages, the one with the newest message first. Conversations with only stubs are
/// included, by the newest of these.
package struct ConversationList {
    private let chat: ChatState

    package init(_ chat: ChatState) { self.chat = chat }

    /// The places of all conversations in order; none costs more than its entry in memory.
    ///
    /// - Parameter missing: conversations of which messages are missing here, and the time of the newest of these, in
    ///   milliseconds since 1970. Those of which nothing is here are included.
    package func places(missing: [ExactText: UInt64] = [:]) throws -> [ConversationPlace] {
        let here = try chat.query { try chat.conversations.newest.order.update(find) }
        let places = chat.stubs.isEmpty ? here : with(try chat.stubs.byConversation(), here)
        guard !missing.isEmpty else { return places }
        let known = Set(places.map { ExactText($0.name) })
        let absent = try missing.filter { name, time in
            guard !known.contains(name) else { return false }
            return try chat.deletedThrough(name.text).map { time > $0 } ?? true
        }
        return (places + absent.map { ConversationPlace(number: nil, name: $0.key.text, time: $0.value) })
            .sorted(by: <)
    }

    private func find(_ number: UInt32?) throws -> [ConversationPlace] {
        try chat.conversations.rows(only: number).filter { $0.messages > 0 }.map { row in
            ConversationPlace(number: row.number, name: row.name, time: try chat.newest(of: row)?.time ?? 0)
        }
    }

    private func with(_ missed: [StubCount], _ places: [ConversationPlace]) -> [ConversationPlace] {
        var places = places
        // Two names that rotted may read as one.
        let indices = Dictionary(places.enumerated().map { (ExactText($1.name), $0) }) { first, _ in first }
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
