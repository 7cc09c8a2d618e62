/// Numbers the messages sent in the same second, as they are added. Until they are in a block nothing else tells their
/// intended order: their time is in seconds, and their txids are random.
///
/// A second not seen recently is looked up.
struct SenderOrders {
    private struct Second: Hashable {
        let conversation: String
        let timestamp: UInt64

        init(_ message: ChatMessage) {
            conversation = message.conversationID
            timestamp = message.senderTimestamp
        }
    }

    private var counts: [Second: UInt16] = [:]
    /// A ring, so that the oldest is replaced.
    private var seconds: [Second] = []
    private var oldest = 0

    /// The position of a message that is added now; if positions run out, the last one is shared. It stays free until
    /// it is taken: a message that is known already needs none.
    ///
    /// - Parameter first: called for the first free position of a second.
    mutating func next(_ message: ChatMessage, first: () throws -> UInt16) rethrows -> UInt16 {
        let second = Second(message)
        let place = try counts[second] ?? first()
        set(second, place)
        return place
    }

    /// Marks a position as taken by the message.
    mutating func take(_ place: UInt16, _ message: ChatMessage) {
        set(Second(message), min(place + 1, Limits.senderOrder))
    }

    /// Handles a message with a given position, as in an export, where the first one of a second has none: such
    /// messages take no positions.
    mutating func meet(_ message: ChatMessage, first: () throws -> UInt16) rethrows {
        let second = Second(message)
        if counts[second] == nil { set(second, try first()) }
    }

    private mutating func set(_ second: Second, _ count: UInt16) {
        guard counts.updateValue(count, forKey: second) == nil else { return }
        if seconds.count < Limits.senderSeconds { return seconds.append(second) }
        counts[seconds[oldest]] = nil
        seconds[oldest] = second
        oldest = (oldest + 1) % seconds.count
    }
}
