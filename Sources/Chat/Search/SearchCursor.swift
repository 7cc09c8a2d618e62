import SyncState

/// One stretch of a conversation's messages of one class (with a score, in a block, in neither), walked from its newest
/// end, some entries read ahead.
///
/// Within a class the list's order and the time nearly always agree, so the newest of the entries read ahead tells how
/// new a message of this stretch can still be.
struct SearchCursor {
    struct Entry {
        var location: MessageLocation
        /// Milliseconds in the upper 56 bits, flags in the lower 8.
        var timeAndFlags: UInt64

        var time: UInt64 { timeAndFlags >> 8 }
    }

    let conversation: UInt32
    /// Where the entries read ahead begin, so that they can be read once more.
    private(set) var start: MessageKey
    /// Below the entries read ahead; nil at the end of the stretch.
    private(set) var next: MessageKey?
    private(set) var entries: [Entry] = []
    /// The newest time among the entries read ahead.
    private(set) var newest: UInt64 = 0

    init(conversation: UInt32, from start: MessageKey) {
        self.conversation = conversation
        self.start = start
        next = start
    }

    var messageClass: UInt64 { start.order.word >> 62 }
    var isAtEnd: Bool { entries.isEmpty && next == nil }

    /// Reads the next entries; the class of the stretch is that of the first one found.
    mutating func advance(_ index: MessageIndex, limit: Int) throws {
        guard let next else {
            entries = []
            return
        }
        start = next
        try read(index, limit: limit)
    }

    /// Reads the same stretch again: what was there has moved.
    mutating func reload(_ index: MessageIndex) throws {
        try read(index, limit: max(entries.count, Limits.searchFirstEntries))
    }

    private mutating func read(_ index: MessageIndex, limit: Int) throws {
        entries.removeAll(keepingCapacity: true)
        newest = 0
        var last: MessageKey?
        try index.byOrder.scan(from: start.bytes, descending: true) { entry in
            let key = MessageKey(loading: entry)
            guard key.conversation == conversation, entries.count < limit,
                last.map({ $0.order.word >> 62 == key.order.word >> 62 }) ?? true
            else { return false }
            if last == nil { start = key }
            last = key
            let timeAndFlags = MessageKey.timeAndFlags(loading: entry)
            entries.append(Entry(location: key.location, timeAndFlags: timeAndFlags))
            newest = max(newest, timeAndFlags >> 8)
            return true
        }
        next = entries.count < limit ? nil : last?.predecessor
    }

    /// The stretch of the classes below this one's; nil behind the last.
    var below: SearchCursor? {
        guard !entries.isEmpty, messageClass > 0 else { return nil }
        let order = MessageOrder(word: messageClass << 62 - 1)
        return SearchCursor(conversation: conversation, from: .last(of: conversation, upTo: order))
    }
}
