package import NodeCore
import SyncState

/// A mark that counts here.
struct ReadMark {
    let lane: LaneID
    let marker: ReadMarker
    /// Whether it is this device's, and waits here to be published: in such a mark a time alone counts.
    var isWaiting = false
    /// Whether other devices' marks cover it, so that they will not hear of it.
    var isCovered = false
}

/// How far a mark reaches here.
struct ReadReach {
    var position = ReadPosition.empty
    /// The last message that bounds it.
    var last: ChatMessage?
    /// Whether all messages that it names as bounds are held, even if in another conversation.
    var isWhole = true
}

/// This device's own marks, published or not.
protocol OwnReadMarks: AnyObject {
    func ownMark(of conversation: String) throws -> ReadMarker?
    /// Whether this device's newest mark names a message, or another device's.
    func isNamed(_ txid: TxID, in conversation: String) throws -> Bool
    /// Takes a mark that keeps a moved message read; it waits for a stable point.
    func keep(_ marker: ReadMarker) throws
}

/// How far conversations were read: what marks say, given the messages that are held.
///
/// Confined to the chat's thread, and part of its transactions.
package final class ReadPositions {
    unowned let chat: ChatState
    let database: Database
    let conversations: ConversationTable
    let reader: MessageReader
    let index: MessageIndex
    let history: MarkerHistory
    weak var own: (any OwnReadMarks)?

    init(_ chat: ChatState, history: MarkerHistory) {
        self.chat = chat
        self.history = history
        (database, conversations, reader, index) = (chat.database, chat.conversations, chat.reader, chat.index)
    }

    /// The effective read position.
    package func position(of conversation: String) throws -> ReadPosition {
        try chat.synchronise()
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return .empty }
        return try conversations.reading(of: number).position
    }

    // MARK: What marks say

    /// How far a mark reaches: to the messages that it names, as they are held.
    func reach(of marker: ReadMarker, isWaiting: Bool = false) throws -> ReadReach {
        var reach = ReadReach()
        for bound in marker.bounds {
            if bound.isUnnamed, isWaiting {
                reach.position = reach.position.merged(
                    with: ReadPosition(timeMilliseconds: bound.timeMilliseconds))
            } else if let message = try held(bound.txid, in: marker.conversationID) {
                reach.position = reach.position.merged(with: bound.reach(message))
                if let last = reach.last, (message.order, message.txid) < (last.order, last.txid) { continue }
                reach.last = message
            } else if try index.find(bound.txid, hash: index.hash(bound.txid)) == nil {
                reach.isWhole = false
            }
        }
        let ahead = reach.position.named
        reach.position.named = ahead.isEmpty ? marker.named : Set(ahead + marker.named).sorted()
        return reach
    }

    /// A message of a conversation that is held, with or without its body, deleted or not.
    func held(_ txid: TxID, in conversation: String) throws -> ChatMessage? {
        guard let message = try chat.placedCopy(of: txid),
            message.conversationID.utf8.elementsEqual(conversation.utf8)
        else { return nil }
        return message
    }

    /// A mark in the form in which it is published. A chain that moves a message must not take another one's place in
    /// it, so bounds are compared only with those of their kind.
    ///
    /// - Parameter moved: a message as it will be at once; the listing has it where it was.
    func shortened(_ marker: ReadMarker, moving moved: ChatMessage? = nil) throws -> ReadMarker {
        var furthest: [BoundKind: (place: (UInt64, TxID), bound: ReadBound)] = [:]
        for bound in marker.bounds {
            let (kind, place) = try place(of: bound, in: marker.conversationID)
            if let other = furthest[kind], other.place > place { continue }
            furthest[kind] = (place, bound)
        }
        return try fitted(marker.with(bounds: furthest.values.map(\.bound), named: marker.named), moving: moved)
    }

    private enum BoundKind {
        case byScore, byBlockTime, bySenderTime
        /// The message is not held, or its score is not known.
        case unknownByScore, unknownByTime
        case unnamed
    }

    private func place(
        of bound: ReadBound, in conversation: String
    ) throws -> (kind: BoundKind, place: (UInt64, TxID)) {
        if bound.isUnnamed { return (.unnamed, (bound.timeMilliseconds, bound.txid)) }
        guard let message = try held(bound.txid, in: conversation) else {
            let kind: BoundKind = bound.acceptingDaaScore == nil ? .unknownByTime : .unknownByScore
            return (kind, (bound.acceptingDaaScore ?? bound.timeMilliseconds, bound.txid))
        }
        let reach = bound.reach(message)
        if let point = reach.scorePoint { return (.byScore, (point.acceptingDaaScore, point.txid)) }
        guard let time = reach.timeMilliseconds else {
            return (.unknownByScore, (bound.acceptingDaaScore ?? 0, bound.txid))
        }
        return (message.isUnplaced ? .bySenderTime : .byBlockTime, (time, bound.txid))
    }

    /// The read state of an old app by a time alone, as far as a message is held that can be named for it.
    ///
    /// - Returns: the mark to publish, and what still waits; nil if nothing does.
    func named(_ waiting: ReadMarker) throws -> (marker: ReadMarker, rest: ReadMarker?) {
        guard let unnamed = waiting.bounds.first(where: \.isUnnamed) else { return (try shortened(waiting), nil) }
        var bounds = waiting.bounds.filter { !$0.isUnnamed }
        let found = try newestBound(of: waiting.conversationID, through: unnamed.timeMilliseconds)
        if let found { bounds.append(found) }
        let marker = try shortened(waiting.with(bounds: bounds, named: waiting.named))
        let reached = try reach(of: marker).position.timeMilliseconds ?? 0
        if reached >= unnamed.timeMilliseconds { return (marker, nil) }
        return (marker, marker.with(bounds: marker.bounds + [unnamed], named: marker.named))
    }

    /// The newest message of a conversation up to a time in milliseconds, as a bound by its time.
    func newestBound(of conversation: String, through time: UInt64) throws -> ReadBound? {
        try chat.flush()
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return nil }
        var newest: (time: UInt64, location: MessageLocation)?
        func look(upTo bound: MessageKey, from base: MessageOrder) throws {
            try index.scan(from: bound, descending: true) { key, timeAndFlags in
                guard key.order >= base else { return false }
                let found = timeAndFlags >> 8
                if found > time { return true }
                if newest.map({ $0.time < found }) ?? true { newest = (found, key.location) }
                return false
            }
        }
        // Only among messages with a score are the times in no order.
        let lastScore = MessageOrder(word: MessageOrder.firstWithoutScore.word - 1)
        try look(upTo: .last(of: number, upTo: lastScore), from: MessageOrder(word: 0))
        for base in [MessageOrder.firstWithoutScore, .firstWithoutBlock] {
            let word = base.word | min(time, Limits.timeMilliseconds)
            try look(upTo: .last(of: number, upTo: MessageOrder(word: word)), from: base)
        }
        guard let newest, let message = try reader.message(at: newest.location) else { return nil }
        return ReadBound(txid: message.txid, timeMilliseconds: newest.time)
    }

    // MARK: Marking

    /// This device's mark if a conversation is read up to a message, with everything listed before it.
    ///
    /// - Parameters:
    ///   - txid: the message, of either direction; nil for the latest received one.
    ///   - own: its mark before.
    /// - Returns: nil if that mark covers as much.
    package func mark(
        _ conversation: String, upTo txid: TxID? = nil, wall: WallTime, own: ReadMarker? = nil
    ) throws -> ReadMarker? {
        try chat.flush()
        guard let number = try conversations.number(of: conversation.utf8, create: false),
            try conversations.rows(only: number).contains(where: { $0.messages > 0 })
        else {
            // Stubs cannot be read.
            guard txid == nil, try chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            return nil
        }
        // Without a received message everything is read.
        guard let message = try messageToMark(txid, conversation: conversation, number) else { return nil }
        let own = own ?? ReadMarker(conversationID: conversation, readAt: wall)
        let before = try reach(of: own, isWaiting: true).position
        // A bound from before its message had a score reaches by time, to messages that no score covers: it stays.
        let byTime = Set(own.bounds.filter { $0.acceptingDaaScore == nil }.map(\.txid))
        var passed: [TxID] = []
        func stays(_ message: ChatMessage) -> Bool {
            guard byTime.contains(message.txid) else { return false }
            if !before.covers(message) { passed.append(message.txid) }
            return true
        }
        let last = try lastMessages(upTo: message, number).flatMap { last in
            guard let point = last.scorePoint, stays(last) else { return [last] }
            return try newestMessage(before: point, number) { !stays($0) }
        }
        let position = last.reduce(before.merged(with: ReadPosition(named: passed))) {
            $0.merged(with: ReadBound($1).reach($1))
        }
        let named = try passed + unnamed(upTo: message, number, position)
        guard position != before || !named.isEmpty else { return nil }
        var marker = own.with(bounds: own.bounds + last.map { ReadBound($0) }, named: own.named + named)
        marker.readAt = wall
        return try shortened(marker)
    }

    /// When and on which device a received message was first read, as far as this device saw; nil if it is unread.
    package func firstRead(of message: ChatMessage) throws -> (readAt: WallTime, lane: LaneID)? {
        guard message.direction == .received,
            let number = try conversations.number(of: message.conversationID.utf8, create: false)
        else { return nil }
        return try history.first(covering: message, conversation: number)
    }

    private func messageToMark(_ txid: TxID?, conversation: String, _ number: UInt32) throws -> ChatMessage? {
        if let txid {
            guard let copy = try index.find(txid, hash: index.hash(txid))?.message, let message = try chat.shown(copy),
                message.conversationID.utf8.elementsEqual(conversation.utf8)
            else { throw ChatError.unknownMessage }
            return message
        }
        var latest: MessageKey?
        try index.scan(from: .last(of: number), descending: true) { key, timeAndFlags in
            guard timeAndFlags & MessageEntry.receivedFlag != 0 else { return true }
            latest = key
            return false
        }
        return try latest.flatMap { try chat.shown(at: $0.location) }
    }

    /// The messages that a mark must name so that a message and everything listed before it is read: the message
    /// itself, and the last one before it of each other kind of place.
    private func lastMessages(upTo message: ChatMessage, _ number: UInt32) throws -> [ChatMessage] {
        guard message.acceptingDaaScore == nil else { return [message] }
        var found = [message]
        let scored = MessageKey.first(of: number, from: .firstWithoutScore).predecessor
        if let scored, let last = try index.lastEntry(upTo: scored)?.key, last.order.score != nil,
            let newest = try chat.shown(at: last.location)
        {
            found.append(newest)
        }
        if message.blockTime == nil {
            let inBlocks = MessageKey.first(of: number, from: .firstWithoutBlock).predecessor
            if let inBlocks, let last = try index.lastEntry(upTo: inBlocks)?.key, last.order.score == nil,
                let newest = try chat.shown(at: last.location)
            {
                found.append(newest)
            }
        }
        return found
    }

    /// The last message with a score before a point for which a condition holds; none if there is none.
    func newestMessage(
        before point: ScorePoint, _ number: UInt32, where isWanted: (ChatMessage) -> Bool
    ) throws -> [ChatMessage] {
        var found: [ChatMessage] = []
        let bound = MessageKey.last(
            of: number, upTo: MessageOrder(word: point.acceptingDaaScore), prefix: point.txid.storage.w0)
        try index.scan(from: bound, descending: true) { key, _ in
            guard key.order.score != nil else { return false }
            guard let other = try chat.shown(at: key.location), let place = other.scorePoint, place < point,
                isWanted(other)
            else { return true }
            found = [other]
            return false
        }
        return found
    }

    // MARK: What counts

    /// Takes what these marks say together for the effective position: others do not count any more.
    ///
    /// - Parameter lane: whose mark is new; nil for any.
    /// - Returns: true if the position changed.
    @discardableResult
    func follow(
        _ marks: @autoclosure () throws -> [ReadMark], in conversation: String, news lane: LaneID? = nil
    ) throws -> Bool {
        try chat.synchronise()
        guard let number = try conversations.number(of: conversation.utf8, create: true) else { return false }
        let known = try conversations.reading(of: number).position
        var reaches = try reaches(of: marks())
        if !reading(reaches).position.contains(known) {
            // The listing must show names where they passed the scales, not where they were named. That may add names.
            try index.flush()
            reaches = try self.reaches(of: marks())
        }
        let before = try conversations.reading(of: number)
        let after = reading(reaches)
        try database.transaction {
            if !after.position.contains(before.position) {
                try history.forget(beyond: after.position, conversation: number)
            }
            for (mark, reach) in reaches where lane == nil || mark.lane == lane {
                try history.add(reach.position, at: mark.marker.readAt, from: mark.lane, conversation: number)
            }
            try store(after, before: before, of: number)
        }
        return after.position != before.position
    }

    private func reaches(of marks: [ReadMark]) throws -> [(ReadMark, ReadReach)] {
        try marks.map { ($0, try reach(of: $0.marker, isWaiting: $0.isWaiting)) }
    }

    private func reading(_ reaches: [(ReadMark, ReadReach)]) -> ConversationTable.Reading {
        var reading = ConversationTable.Reading()
        var latest: (told: Int, order: MessageOrder, txid: TxID, readAt: WallTime, lane: LaneID)?
        for (mark, reach) in reaches {
            reading.position = reading.position.merged(with: reach.position)
            guard let last = reach.last else { continue }
            // All devices name the same mark, so one of which only this device knows comes last.
            let place = (mark.isCovered ? 0 : 1, last.order, last.txid, mark.marker.readAt, mark.lane)
            if let latest, latest > place { continue }
            latest = place
            reading.last = ConversationTable.LastRead(txid: last.txid, blockTime: last.blockTime, lane: mark.lane)
        }
        return reading
    }

    /// Removes from the history a mark of this device that others never saw and that another one replaces.
    func forget(_ readAt: WallTime, in conversation: String) throws {
        guard let number = try conversations.number(of: conversation.utf8, create: false) else { return }
        try history.forget(readAt, from: chat.lane, conversation: number)
    }

    func store(
        _ after: ConversationTable.Reading, before: ConversationTable.Reading, of number: UInt32
    ) throws {
        guard after != before else { return }
        try conversations.store(after, of: number)
        guard after.position != before.position else { return }
        // Entries in memory are counted against the position when they are flushed, so a mark needs no flush.
        guard after.position.contains(before.position),
            let read = try index.newlyRead(in: number, from: before.position, to: after.position)
        else {
            let unread = try index.recountUnread(of: number, after.position)
            return try conversations.setUnread(unread, of: number)
        }
        if read > 0 { try conversations.apply(.init(unread: -read), to: number) }
    }
}

extension ChatMessage {
    fileprivate var scorePoint: ScorePoint? {
        acceptingDaaScore.map { ScorePoint(acceptingDaaScore: $0, txid: txid) }
    }
}
