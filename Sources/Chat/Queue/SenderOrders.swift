/// Counts the messages that are sent in one second, as they are added. Until they are in a block nothing else tells in
/// which order they were meant: their time is in seconds, and their txids are random.
///
/// A second that was not lately met is looked up.
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
    /// In a ring, so that the oldest goes.
    private var seconds: [Second] = []
    private var oldest = 0

    /// The place of a message that is added now; the last one is shared by all that follow.
    ///
    /// - Parameter first: asked for the place of the first one of a second.
    mutating func next(_ message: ChatMessage, first: () throws -> UInt16) rethrows -> UInt16 {
        let second = Second(message)
        let place = try counts[second] ?? first()
        set(second, min(place + 1, Limits.senderOrder))
        return place
    }

    /// A message comes that says its place, as of an export, whose first one says none: no places are taken by it.
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
