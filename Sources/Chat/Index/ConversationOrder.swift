/// A conversation's place in the list, the one with the newest message first.
package struct ConversationPlace: Sendable {
    /// Nil for a conversation of which no message is here.
    let number: UInt32?
    package let name: String
    /// Of its newest message, in milliseconds since 1970.
    let time: UInt64
    var missed: StubCount?

    /// In the same order on each device, in whatever order messages came.
    static func < (left: ConversationPlace, right: ConversationPlace) -> Bool {
        left.time == right.time
            ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.time > right.time
    }
}

/// The order of the conversations that have messages. It is kept in memory, so that a page of the list costs its own
/// rows and not all of them.
struct ConversationOrder {
    /// Nil until the list is asked for.
    private var places: [ConversationPlace]?
    private var changed: Set<UInt32> = []

    /// Notes that the listing of a conversation changes.
    mutating func note(_ number: UInt32) { if places != nil { changed.insert(number) } }

    mutating func forget() { (places, changed) = (nil, []) }

    /// - Parameter read: gives the place of one conversation, or of all (nil); none for one without messages.
    mutating func update(_ read: (UInt32?) throws -> [ConversationPlace]) throws -> [ConversationPlace] {
        guard var places else {
            let all = try read(nil).sorted(by: <)
            self.places = all
            return all
        }
        guard !changed.isEmpty else { return places }
        // Without this, the array would be copied.
        self.places = nil
        places.removeAll { $0.number.map(changed.contains) ?? false }
        for number in changed.sorted() { places += try read(number) }
        changed = []
        places.sort(by: <)
        self.places = places
        return places
    }
}
