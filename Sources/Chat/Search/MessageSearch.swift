import NodeCore
import SyncState

/// Searches all messages, newest first, in bounded steps.
///
/// Bodies are sealed in segments and in the queue; there is no index of words. The search walks the tree that lists
/// messages from the newest end of each conversation, always continuing where the newest unread entries are. It opens
/// each segment it meets once, half of them on another thread if there is one. A hit is returned as soon as no
/// conversation can have a newer one, so hits come in order of their times (`MessageOrder.time`); only if a
/// conversation's times contradict its order in the chain by more than the entries read ahead, one may come late.
///
/// Changes between two steps do no harm: new messages are ignored, and each hit is checked with the chat again before
/// it is returned.
package final class MessageSearch {
    private let chat: ChatState
    private let query: SearchQuery
    /// Searches messages of these times, in milliseconds since 1970.
    private let times: Range<UInt64>
    private var hits: SearchHits
    /// Conversations not started yet.
    private var waiting: [UInt32]
    private var cursors = SearchHeap()
    /// Arrivals of the segments that were opened. A set, since a damaged store may hold any number.
    private var opened: Set<UInt64> = []
    /// Hits in them that were not met in the tree yet.
    private var found: [MessageLocation: TxID] = [:]
    /// For this thread and for the other one.
    private let scan, otherScan: SegmentScan

    /// Whether the entries in memory are merged for the duration of the search.
    private let isMerged: Bool

    /// - Parameters:
    ///   - conversation: nil searches all.
    ///   - times: of messages, in milliseconds since 1970.
    ///   - limit: maximum number of hits, up to `Limits.searchHits`.
    /// - Throws: `ChatError.unknownConversation`; `DatabaseError` if there is no room for merging the index: `all`
    ///   needs none.
    package convenience init(
        _ chat: ChatState, for query: SearchQuery, conversation: String? = nil, times: Range<UInt64> = 0..<UInt64.max,
        limit: Int
    ) throws {
        try chat.flush()
        try self.init(chat, for: query, conversation: conversation, times: times, limit: limit, isMerged: false)
    }

    /// Returns all hits at once, for a store that cannot be written: entries in memory are merged for this search only.
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

    /// Everything requested has been returned.
    package var isDone: Bool { hits.wanted == 0 || (waiting.isEmpty && cursors.isEmpty && hits.isEmpty) }

    /// Does this much work (one unit is opening a segment, or reading a stretch of the list) and returns the hits that
    /// are now certain, newest first.
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

    /// The next cursors; with two threads, several of them, whose segments are already opened.
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
            if arrival != found.last, !opened.contains(arrival) { found.append(arrival) }
        }
        return found
    }

    /// Opens segments on two threads, up to a limit in bytes; the others are opened one by one when they are met.
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
        opened.formUnion(copies.lazy.map(\.arrivalID))
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

    /// Hits that cannot be preceded by newer ones.
    private func certain() throws -> [ListedMessage] {
        var listed: [ListedMessage] = []
        while let hit = hits.take(newerThan: cursors.newest) {
            // A message deleted meanwhile, or now shown with another body, is not a hit.
            if let message = try chat.message(hit.txid), query.matches(message.message.body), hits.give(hit) {
                listed.append(message)
            }
        }
        return listed
    }

    // MARK: Searching

    private func look(at newest: SearchCursor) throws -> Int {
        var cursor = newest
        var work = 1
        // Messages that were cut or removed since these entries were read are elsewhere now: read the entries again.
        if try !chat.database.reading({ try look(through: cursor.entries, &work) }) {
            if !isMerged { try chat.flush() }
            try cursor.reload(chat.index)
            _ = try look(through: cursor.entries, &work)
        }
        try cursor.advance(chat.index, limit: Limits.searchEntries)
        if !cursor.isAtEnd { cursors.insert(cursor) }
        return work
    }

    /// False if a message has moved.
    private func look(through entries: [SearchCursor.Entry], _ work: inout Int) throws -> Bool {
        var isComplete = true
        // Messages of one segment often follow each other.
        var latest: UInt64?
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
            if arrival != latest, !opened.contains(arrival) {
                work += 1
                guard try open(arrival) else {
                    isComplete = false
                    continue
                }
            }
            latest = arrival
            if !found.isEmpty, let txid = found.removeValue(forKey: entry.location) {
                hits.insert(.init(time: entry.time, txid: txid))
            }
        }
        return isComplete
    }

    private func isWanted(_ entry: SearchCursor.Entry) -> Bool {
        times.contains(entry.time) && entry.timeAndFlags & MessageEntry.contentFlag != 0
    }

    /// Searches all messages of a segment; false if it is not held (any more). An unreadable one has no hits.
    private func open(_ arrival: UInt64) throws -> Bool {
        guard let source = chat.source, try source.withSegment(arrival, { scan.look(through: $0, arrival) }) else {
            return false
        }
        for hit in scan.takeHits() { found[hit.location] = hit.txid }
        opened.insert(arrival)
        return true
    }
}

/// Searches the messages of segments, with its own buffers: one for each thread.
final class SegmentScan: @unchecked Sendable {
    // Sendable because only one thread at a time uses it: `PairWorker.run` hands it over and back.

    /// A message that contains all terms.
    struct Hit: Sendable {
        let location: MessageLocation
        let txid: TxID
    }

    private let query: SearchQuery
    private let opener: (any SegmentOpener)?
    private let codec = SegmentCodec()
    private var scratch: [UInt8] = []
    private var contacts: [Range<Int>] = []
    /// The hits since they were last taken.
    private var found: [Hit] = []

    init(_ query: SearchQuery, opener: (any SegmentOpener)?) {
        (self.query, self.opener) = (query, opener)
    }

    func takeHits() -> [Hit] {
        defer { found.removeAll(keepingCapacity: true) }
        return found
    }

    /// Unreadable segments have no hits.
    func look(through copies: ArraySlice<SegmentCopy>) {
        for copy in copies { _ = opener?.withSegment(copy) { look(through: $0, copy.arrivalID) } }
    }

    func look(through sealed: SealedSegment, _ arrival: UInt64) { try? scan(sealed, arrival) }

    private func scan(_ sealed: SealedSegment, _ arrival: UInt64) throws(SegmentError) {
        // Moved out of the object while in use: each access to a stored property would be checked.
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

/// Hits waiting until no newer one can come, newest first.
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
    /// Already returned: a message that moves during the search is met twice.
    private var given: Set<TxID> = []
    /// How many may still be returned.
    private(set) var wanted: Int

    init(wanted: Int) { self.wanted = wanted }

    var isEmpty: Bool { taken == hits.count }

    mutating func insert(_ hit: Hit) {
        // Hits come nearly in order, so the position is near the end.
        var place = hits.count
        while place > taken, hit.isNewer(than: hits[place - 1]) { place -= 1 }
        let isThere = place > taken && hits[place - 1].txid == hit.txid
        guard place - taken < Limits.searchHits, !isThere, !given.contains(hit.txid) else { return }
        hits.insert(hit, at: place)
        if hits.count - taken > Limits.searchHits { hits.removeLast() }
    }

    /// Takes the newest hit, if nothing newer than `time` can come.
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

    /// Records that a hit was returned.
    mutating func give(_ hit: Hit) -> Bool {
        guard given.insert(hit.txid).inserted else { return false }
        wanted -= 1
        return true
    }
}

/// Cursors by the newest time they can still return.
struct SearchHeap {
    /// A binary heap, newest first.
    private var cursors: [SearchCursor] = []

    var isEmpty: Bool { cursors.isEmpty }
    /// The newest time of all; nil if none is left.
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
