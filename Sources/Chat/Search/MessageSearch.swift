import NodeCore
import SyncState

/// Looks for words in all messages, the newest first, a bounded part of the work at a time.
///
/// Bodies lie sealed in segments and in the queue; there is no index of words. The tree that lists messages is walked
/// from the newest end of each conversation, always on where the newest unread entries are, and each segment met is
/// opened once, half of them by another thread where there is one. A hit is given out as soon as no conversation can
/// have a newer one, so hits come in the order of their times (`MessageOrder.time`); only where a conversation's times
/// contradict its order in the chain by more than the entries read ahead, one may come late.
///
/// What changes between two parts of the work does no harm: messages that came are not looked at, and each hit is asked
/// of the chat once more before it is given out.
package final class MessageSearch {
    private let chat: ChatState
    private let query: SearchQuery
    /// Milliseconds since 1970; messages of that time.
    private let times: Range<UInt64>
    private var hits: SearchHits
    /// Conversations that are not begun yet.
    private var waiting: [UInt32]
    private var cursors = SearchHeap()
    /// Segments that were opened, by arrival.
    private var opened: [UInt64] = []
    /// What was found in them and not met in the tree yet.
    private var found: [MessageLocation: TxID] = [:]
    /// This thread's, and the other one's.
    private let scan, otherScan: SegmentScan

    /// Whether all that waits in memory is merged for as long as the search goes on.
    private let isMerged: Bool

    /// - Parameters:
    ///   - conversation: nil looks in all.
    ///   - times: of messages, in milliseconds since 1970.
    ///   - limit: hits at most; no more than `Limits.searchHits`.
    /// - Throws: `ChatError.unknownConversation`; `DatabaseError` where there is no room for merging the index: `all`
    ///   needs none.
    package convenience init(
        _ chat: ChatState, for query: SearchQuery, conversation: String? = nil, times: Range<UInt64> = 0..<UInt64.max,
        limit: Int
    ) throws {
        try chat.flush()
        try self.init(chat, for: query, conversation: conversation, times: times, limit: limit, isMerged: false)
    }

    /// All hits in one piece, of a store that cannot be written: what waits in memory is merged for this search alone.
    package static func all(
        _ chat: ChatState, for query: SearchQuery, conversation: String? = nil, times: Range<UInt64> = 0..<UInt64.max,
        limit: Int
    ) throws -> [ListedMessage] {
        try chat.query {
            let search = try MessageSearch(
                chat, for: query, conversation: conversation, times: times, limit: limit, isMerged: true)
            var listed: [ListedMessage] = []
            while !search.isDone { listed += try search.step(work: Limits.searchWorkAtOnce) }
            return listed
        }
    }

    private init(
        _ chat: ChatState, for query: SearchQuery, conversation: String?, times: Range<UInt64>, limit: Int,
        isMerged: Bool
    ) throws {
        self.isMerged = isMerged
        self.chat = chat
        self.query = query
        self.times = times
        scan = SegmentScan(query, opener: chat.source?.makeOpener())
        otherScan = SegmentScan(query, opener: chat.source?.makeOpener())
        hits = SearchHits(wanted: min(limit, Limits.searchHits))
        if let conversation {
            let number = try chat.conversations.number(of: conversation.utf8, create: false)
            guard try number != nil || chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            waiting = [number].compactMap(\.self)
        } else {
            waiting = try chat.conversations.rows().map(\.number)
        }
    }

    /// All that was asked for has been given out.
    package var isDone: Bool { hits.wanted == 0 || (waiting.isEmpty && cursors.isEmpty && hits.isEmpty) }

    /// Goes on by so much work (a segment opened, or a stretch of the list read, is one) and gives the hits that are
    /// certain now, the newest first.
    package func step(work: Int) throws -> [ListedMessage] {
        var left = work
        while left > 0, let conversation = waiting.popLast() {
            left -= try begin(conversation)
        }
        guard waiting.isEmpty else { return [] }
        var listed = try certain()
        while left > 0, hits.wanted > 0, !cursors.isEmpty {
            for cursor in try takeNewest(&left) { left -= try look(at: cursor) }
            listed += try certain()
        }
        return listed
    }

    /// The cursors to go on with; where there are two threads, several, of which the segments are opened already.
    private func takeNewest(_ left: inout Int) throws -> [SearchCursor] {
        var (taken, arrivals): ([SearchCursor], [UInt64]) = ([], [])
        repeat {
            guard let cursor = cursors.popNewest() else { break }
            arrivals += unopened(cursor)
            taken.append(cursor)
        } while chat.worker != nil && arrivals.count < min(left, Limits.searchAheadSegments)
        if arrivals.count >= Limits.searchSharedSegments { left -= try open(Set(arrivals)) }
        return taken
    }

    private func unopened(_ cursor: SearchCursor) -> [UInt64] {
        var found: [UInt64] = []
        for entry in cursor.entries where isWanted(entry) && !entry.location.isQueued {
            let arrival = entry.location.id
            if arrival != found.last, !isOpened(arrival) { found.append(arrival) }
        }
        return found
    }

    /// Opens segments by two threads, up to a bound of bytes; the others are opened one by one where they are met.
    private func open(_ arrivals: Set<UInt64>) throws -> Int {
        guard let source = chat.source, let worker = chat.worker else { return 0 }
        var copies: [SegmentCopy] = []
        var bytes = 0
        try chat.database.reading {
            for arrival in arrivals.sorted() where bytes < Limits.searchAheadBytes {
                guard let copy = try source.copy(arrival) else { continue }
                bytes += copy.blob.count
                copies.append(copy)
            }
        }
        let middle = copies.count / 2
        worker.run(
            { scan.look(through: copies[..<middle]) },
            and: { [otherScan, copies] in otherScan.look(through: copies[middle...]) })
        for hit in scan.takeHits() + otherScan.takeHits() { found[hit.location] = hit.txid }
        for copy in copies { noteOpened(copy.arrivalID) }
        return copies.count
    }

    /// Puts the ends of a conversation's stretches on the heap.
    private func begin(_ conversation: UInt32) throws -> Int {
        var work = 0
        var next: SearchCursor? = SearchCursor(conversation: conversation, from: .last(of: conversation))
        while var cursor = next {
            try cursor.advance(chat.index, limit: Limits.searchFirstEntries)
            work += 1
            next = cursor.below
            if !cursor.isAtEnd { cursors.insert(cursor) }
        }
        return work
    }

    /// Hits that nothing newer can come before.
    private func certain() throws -> [ListedMessage] {
        var listed: [ListedMessage] = []
        while let hit = hits.take(newerThan: cursors.newest) {
            // What was deleted, or is shown with another body by now, is none.
            if let message = try chat.message(hit.txid), query.matches(message.message.body), hits.give(hit) {
                listed.append(message)
            }
        }
        return listed
    }

    // MARK: Looking

    private func look(at newest: SearchCursor) throws -> Int {
        var cursor = newest
        var work = 1
        // What was cut or has gone since these entries were read lies elsewhere now: they are read once more.
        if try !chat.database.reading({ try look(through: cursor.entries, &work) }) {
            if !isMerged { try chat.flush() }
            try cursor.reload(chat.index)
            _ = try look(through: cursor.entries, &work)
        }
        try cursor.advance(chat.index, limit: Limits.searchEntries)
        if !cursor.isAtEnd { cursors.insert(cursor) }
        return work
    }

    /// False if a message is not where it was.
    private func look(through entries: [SearchCursor.Entry], _ work: inout Int) throws -> Bool {
        var isComplete = true
        for entry in entries where isWanted(entry) {
            if entry.location.isQueued {
                work += 1
                guard let message = try chat.queue.message(row: entry.location.queueRow) else {
                    isComplete = false
                    continue
                }
                if query.matches(message.body) { hits.insert(.init(time: entry.time, txid: message.txid)) }
                continue
            }
            let arrival = entry.location.id
            if !isOpened(arrival) {
                work += 1
                guard try open(arrival) else {
                    isComplete = false
                    continue
                }
            }
            if !found.isEmpty, let txid = found.removeValue(forKey: entry.location) {
                hits.insert(.init(time: entry.time, txid: txid))
            }
        }
        return isComplete
    }

    private func isWanted(_ entry: SearchCursor.Entry) -> Bool {
        times.contains(entry.time) && entry.timeAndFlags & MessageEntry.contentFlag != 0
    }

    private func isOpened(_ arrival: UInt64) -> Bool {
        let word = Int(arrival / 64)
        return word < opened.count && opened[word] & (1 << (arrival % 64)) != 0
    }

    /// Looks through all messages of a segment; false if it is not held (any more). One that cannot be read has none.
    private func open(_ arrival: UInt64) throws -> Bool {
        guard let source = chat.source, try source.withSegment(arrival, { scan.look(through: $0, arrival) }) else {
            return false
        }
        for hit in scan.takeHits() { found[hit.location] = hit.txid }
        noteOpened(arrival)
        return true
    }

    private func noteOpened(_ arrival: UInt64) {
        let word = Int(arrival / 64)
        if word >= opened.count { opened += [UInt64](repeating: 0, count: word + 1 - opened.count) }
        opened[word] |= 1 << (arrival % 64)
    }
}

/// Looks through the messages of segments, with all that this takes: a thread has one of its own.
final class SegmentScan: @unchecked Sendable {
    // Sendable because one thread at a time uses it: `PairWorker.run` hands it over and back.

    /// A message in which all that is looked for is.
    struct Hit: Sendable {
        let location: MessageLocation
        let txid: TxID
    }

    private let query: SearchQuery
    private let opener: (any SegmentOpener)?
    private let codec = SegmentCodec()
    private var scratch: [UInt8] = []
    private var contacts: [Range<Int>] = []
    /// Of what was looked through since it was taken.
    private var found: [Hit] = []

    init(_ query: SearchQuery, opener: (any SegmentOpener)?) {
        self.query = query
        self.opener = opener
    }

    func takeHits() -> [Hit] {
        defer { found.removeAll(keepingCapacity: true) }
        return found
    }

    /// Segments that cannot be read have none.
    func look(through copies: ArraySlice<SegmentCopy>) {
        for copy in copies { _ = opener?.withSegment(copy) { look(through: $0, copy.arrivalID) } }
    }

    func look(through sealed: SealedSegment, _ arrival: UInt64) { try? scan(sealed, arrival) }

    private func scan(_ sealed: SealedSegment, _ arrival: UInt64) throws(SegmentError) {
        // Out of the object while they are in use: each access to one of its own would be checked.
        var (places, text): ([Range<Int>], [UInt8]) = ([], [])
        swap(&places, &contacts)
        swap(&text, &scratch)
        defer { swap(&text, &scratch) }
        let query = query
        var hits: [Hit] = []
        places = try codec.open(sealed) { (payload) throws(SegmentError) in
            var scanner = try PayloadScanner(payload, reusing: places)
            var message = ScannedMessage()
            var position = 0
            while try scanner.next(&message) {
                if query.matches(scanner.cursor.slice(message.body), scratch: &text) {
                    let txid = TxID(loading: scanner.cursor.base + message.txidStart)
                    hits.append(Hit(location: .segment(arrival, position: position), txid: txid))
                }
                position += 1
            }
            return scanner.contacts
        }
        swap(&places, &contacts)
        found += hits
    }
}

/// Hits that wait until no newer one can come, the newest first.
struct SearchHits {
    struct Hit {
        var time: UInt64
        var txid: TxID

        func isNewer(than other: Hit) -> Bool {
            time == other.time ? txid > other.txid : time > other.time
        }
    }

    private var hits: [Hit] = []
    private var taken = 0
    /// Given out: a message that moves while it is looked for is met twice.
    private var given: Set<TxID> = []
    /// How many may still be given out.
    private(set) var wanted: Int

    init(wanted: Int) { self.wanted = wanted }

    var isEmpty: Bool { taken == hits.count }

    mutating func insert(_ hit: Hit) {
        // Hits come nearly in order, so the place is near the end.
        var place = hits.count
        while place > taken, hit.isNewer(than: hits[place - 1]) { place -= 1 }
        let isThere = place > taken && hits[place - 1].txid == hit.txid
        guard place - taken < Limits.searchHits, !isThere, !given.contains(hit.txid) else { return }
        hits.insert(hit, at: place)
        if hits.count - taken > Limits.searchHits { hits.removeLast() }
    }

    /// Takes the newest, where nothing newer than `time` can come.
    mutating func take(newerThan time: UInt64?) -> Hit? {
        guard wanted > 0, !isEmpty, time.map({ hits[taken].time > $0 }) ?? true else { return nil }
        defer {
            taken += 1
            if taken > 1_024 {
                hits.removeFirst(taken)
                taken = 0
            }
        }
        return hits[taken]
    }

    /// One that was taken is given out.
    mutating func give(_ hit: Hit) -> Bool {
        guard given.insert(hit.txid).inserted else { return false }
        wanted -= 1
        return true
    }
}

/// Cursors by the newest time they can still give.
struct SearchHeap {
    /// A binary heap, the newest first.
    private var cursors: [SearchCursor] = []

    var isEmpty: Bool { cursors.isEmpty }
    /// The newest time among all; nil where none is left.
    var newest: UInt64? { cursors.first?.newest }

    mutating func insert(_ cursor: SearchCursor) {
        cursors.append(cursor)
        var place = cursors.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard comesBefore(place, parent) else { return }
            cursors.swapAt(place, parent)
            place = parent
        }
    }

    mutating func popNewest() -> SearchCursor? {
        guard !cursors.isEmpty else { return nil }
        cursors.swapAt(0, cursors.count - 1)
        let newest = cursors.removeLast()
        var place = 0
        while true {
            var first = place
            for child in [2 * place + 1, 2 * place + 2] where child < cursors.count && comesBefore(child, first) {
                first = child
            }
            guard first != place else { return newest }
            cursors.swapAt(place, first)
            place = first
        }
    }

    private func comesBefore(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (cursors[left], cursors[right])
        return first.newest == second.newest
            ? first.conversation < second.conversation : first.newest > second.newest
    }
}
