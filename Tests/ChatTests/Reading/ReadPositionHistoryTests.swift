import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Random histories of reading on three devices, compared with a naive count.
@Suite struct ReadPositionHistoryTests {
    @Test(arguments: ChatPropertyTests.seeds) func unreadIsExactAndNothingReadTurnsUnread(seed: UInt64) throws {
        var history = try ReadingHistory(seed: seed)
        for _ in 0..<150 { try history.step() }
        try history.finish()
    }

    /// Messages as they come in an open chat: read before the chain has them.
    @Test(arguments: ChatPropertyTests.seeds) func whatIsReadWhilePendingStaysRead(seed: UInt64) throws {
        var history = try ReadingHistory(seed: seed, isPending: true)
        for _ in 0..<150 { try history.step() }
        try history.finish()
    }
}

private struct ReadingHistory {
    private static let conversations = ["ann", "bob", "#room"]

    private let devices: [TestZone]
    private let bad: TestZone
    private var random: SeededRandom
    private var now = MonotonicTime.zero
    private var isOnline = [true, true, true]
    /// The messages that each device has shown as read so far.
    private var read: [Set<TxID>] = [[], [], []]
    /// The messages that caused each of these to be read: the bounds of a mark, or itself where it was named. It may
    /// turn unread once the chain has moved all of them, or given another block time.
    private var grounds: [[TxID: Set<TxID>]] = [[:], [:], [:]]
    /// The messages on the screen, at or before the one that some user marked. Others are read by their place alone,
    /// and may turn unread if the chain moves the marked message.
    private var seen: Set<TxID> = []
    /// Bad marks that name existing messages. The bad device retracts none: it may, and then they cause nothing to be
    /// read any more.
    private var forged: [TxID: ReadBound] = [:]
    /// The messages of the world, in no order.
    private let pool: [ChatMessage]
    private var accepted: Set<TxID> = []
    /// Whether the chain's word comes apart from the messages.
    private let isPending: Bool
    /// The scores that the chain gives, and the messages it has moved since.
    private var scores: [TxID: UInt64] = [:]
    private var moved: Set<TxID> = []
    /// The block times that it gives, and the messages that got two.
    private var blockTimes: [TxID: UInt64] = [:]
    private var shifted: Set<TxID> = []

    init(seed: UInt64, isPending: Bool = false) throws {
        self.isPending = isPending
        devices = try [1, 2, 3].map { try TestZone(device: $0) }
        bad = try TestZone(device: 4)
        var random = SeededRandom(seed: seed)
        pool = (1...90).map { Self.message($0, &random) }
        self.random = random
    }

    /// A message in a block or not, with a score or not; some senders' clocks are days ahead.
    private static func message(_ number: UInt64, _ random: inout SeededRandom) -> ChatMessage {
        let seconds: UInt64 = 1_700_000_000 + UInt64.random(in: 0...40, using: &random)
        let days: UInt64 = number % 2 == 0 ? 0 : UInt64.random(in: 0...3, using: &random)
        let direction: MessageDirection = number % 4 == 0 ? .sent : .received
        var score: UInt64?
        var blockTime: UInt64?
        if Int.random(in: 0..<5, using: &random) > 0 {
            blockTime = seconds * 1_000 + UInt64.random(in: 0...2_000, using: &random)
            if Int.random(in: 0..<3, using: &random) > 0 { score = UInt64.random(in: 100...140, using: &random) }
        }
        return .sample(
            number, conversation: conversations[Int(number % 3)], direction: direction,
            timestamp: seconds + days * 86_400, score: score, blockTime: blockTime)
    }

    mutating func step() throws {
        now += .seconds(Int.random(in: 0...8, using: &random))
        let place = Int.random(in: 0..<3, using: &random)
        let device = devices[place]
        let conversation = Self.conversations[Int.random(in: 0..<3, using: &random)]
        switch Int.random(in: 0..<(isPending ? 19 : 15), using: &random) {
        case 0..<4:
            for message in pool.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
                _ = try device.zone.accept(isPending ? appearance(of: message) : message, now: now)
                accepted.insert(message.txid)
            }
        case 4..<6: try device.zone.cut(force: true, now: now)
        case 6..<9:
            let other = (place + Int.random(in: 1...2, using: &random)) % 3
            guard isOnline[place], isOnline[other] else { break }
            try devices[other].zone.commit()
            try device.take(from: devices[other])
        case 9..<11: try mark(conversation, on: device)
        case 11: try device.zone.reads.leave(conversation)
        case 12: try device.zone.work(now: now)
        case 13:
            try forge(conversation, on: bad)
            try bad.zone.commit()
            try device.take(from: bad)
        case 14..<18 where isPending: try hear(on: device)
        default: isOnline[place].toggle()
        }
        try device.zone.commit()
        try check(place)
    }

    /// The message as an app has it: mostly before it is in a block.
    private mutating func appearance(of message: ChatMessage) -> ChatMessage {
        var seen = message
        (seen.acceptingDaaScore, seen.blockTime, seen.status) = (nil, nil, .pending)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return seen }
        seen.blockTime = blockTime(of: message)
        seen.status = .seen
        if Bool.random(using: &random) {
            seen.acceptingDaaScore = score(of: message.txid)
            seen.status = .confirmed
        }
        return seen
    }

    private mutating func score(of txid: TxID) -> UInt64 {
        let score = scores[txid] ?? UInt64.random(in: 100...400, using: &random)
        scores[txid] = score
        return score
    }

    /// The message's block time: mostly the same one, but a transaction may be in several blocks.
    private mutating func blockTime(of message: ChatMessage) -> UInt64 {
        if let known = blockTimes[message.txid], Int.random(in: 0..<8, using: &random) > 0 { return known }
        let time = message.senderTimestamp * 1_000 + UInt64.random(in: 0...90_000, using: &random)
        if let old = blockTimes.updateValue(time, forKey: message.txid), old != time { shifted.insert(message.txid) }
        return time
    }

    /// Gives a device with access to the chain news of some messages, held or not.
    private mutating func hear(on device: TestZone) throws {
        for message in pool.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random)) {
            var event = ChainEvent(txid: message.txid, kind: .confirm)
            if Int.random(in: 0..<12, using: &random) == 0 {
                event.kind = .reorg
                moved.insert(message.txid)
                scores[message.txid] = nil
            }
            if Int.random(in: 0..<3, using: &random) > 0 {
                event.acceptingDaaScore = score(of: message.txid)
            }
            if event.acceptingDaaScore == nil || Bool.random(using: &random) {
                event.blockTime = blockTime(of: message)
            }
            _ = try device.zone.learn(event, now: now)
        }
    }

    private mutating func mark(_ conversation: String, on device: TestZone) throws {
        let listed = try device.zone.chat.messages(conversation: conversation, limit: 1_000)
        let target = listed.randomElement(using: &random)
        let before = try device.zone.chat.reads.position(of: conversation)
        let isLatest = Bool.random(using: &random)
        guard let target, !isLatest || listed.contains(where: { $0.message.direction == .received }) else { return }
        let advanced = try device.zone.reads.markRead(
            conversation, upTo: isLatest ? nil : target.message.txid, now: now, wall: .day(0))
        let after = try device.zone.chat.reads.position(of: conversation)
        #expect(advanced == (after != before))
        #expect(listed.allSatisfy { after.covers($0.message) || !before.covers($0.message) })
        if !isLatest {
            // These are the message and all that are listed before it.
            let all = try device.zone.chat.messages(conversation: conversation, limit: 1_000)
            let place = all.firstIndex { $0.message.txid == target.message.txid } ?? all.count
            #expect(all[place...].allSatisfy { after.covers($0.message) })
            seen.formUnion(all[place...].map(\.message.txid))
        } else if let place = listed.firstIndex(where: { $0.message.direction == .received }) {
            seen.formUnion(listed[place...].map(\.message.txid))
        }
        // The position is made of messages that are held.
        if let point = after.scorePoint, point != before.scorePoint {
            #expect(listed.contains { $0.message.txid == point.txid && $0.message.acceptingDaaScore != nil })
        }
        if let time = after.timeMilliseconds, time != before.timeMilliseconds {
            #expect(listed.contains { Self.time(of: $0.message) == time && $0.message.acceptingDaaScore == nil })
        }
    }

    private static func time(of message: ChatMessage) -> UInt64 {
        MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp)
    }

    private mutating func check(_ place: Int) throws {
        let chat = devices[place].zone.chat
        var nowRead: Set<TxID> = []
        var nowGrounds: [TxID: Set<TxID>] = [:]
        for conversation in Self.conversations {
            // Each message is looked up by itself, without the listing or the counters.
            let all = pool.filter { $0.conversationID == conversation }
            let shown = try all.compactMap { try chat.message($0.txid) }
            let position = try chat.reads.position(of: conversation)
            let reaches = try reaches(conversation, on: devices[place])
            var unread = 0
            for held in shown {
                let message = held.message
                let isUnread = message.direction == .received && !position.covers(message)
                #expect(held.isRead == !isUnread)
                if isUnread { unread += 1 } else { nowRead.insert(message.txid) }
                nowGrounds[message.txid] = Set(reaches.filter { $0.position.covers(message) }.map(\.ground))
            }
            #expect(try chat.conversation(conversation)?.unread ?? 0 == unread)
        }
        #expect(kept(place).isSubset(of: nowRead))
        (read[place], grounds[place]) = (nowRead, nowGrounds)
        if !isPending { for txid in nowRead { #expect(mayBeRead(txid)) } }
    }

    /// How far each bound and each name reaches, of the marks that count on a device.
    private func reaches(
        _ conversation: String, on device: TestZone
    ) throws -> [(ground: TxID, position: ReadPosition)] {
        try device.zone.reads.marks(of: conversation).flatMap { mark in
            try mark.marker.bounds.compactMap { bound in
                try device.zone.chat.message(bound.txid).map { (bound.txid, bound.reach($0.message)) }
            } + mark.marker.named.map { ($0, ReadPosition(named: [$0])) }
        }
    }

    /// The messages read on a device that were on the screen, by a message that stayed in its place.
    private func kept(_ place: Int) -> Set<TxID> {
        read[place].intersection(seen).subtracting(moved).filter { txid in
            grounds[place][txid].map { !$0.isSubset(of: moved.union(shifted)) } ?? false
        }
    }

    /// Whether a message may be read: up to what a user marked on some device, or a bad mark names.
    private func mayBeRead(_ txid: TxID) -> Bool {
        guard let message = pool.first(where: { $0.txid == txid }), message.direction == .received else { return true }
        return pool.contains { other in
            guard other.conversationID == message.conversationID else { return false }
            let isForged = forged[other.txid] != nil
            guard isForged || seen.contains(other.txid) else { return false }
            if let score = message.acceptingDaaScore, let last = other.acceptingDaaScore {
                if (score, txid) <= (last, other.txid) { return true }
            }
            let last = max(Self.time(of: other), other.senderTimestamp * 1_000)
            return (isForged || other.acceptingDaaScore == nil) && Self.time(of: message) <= last
        }
    }

    /// Marks, as a bad device, a message at the end of time or one that does not exist.
    private mutating func forge(_ conversation: String, on device: TestZone) throws {
        let isMadeUp = Bool.random(using: &random)
        let txid = isMadeUp ? TxID(random.identifier(Bytes32.self)) : pool.randomElement(using: &random)?.txid
        guard let txid else { return }
        let bound = ReadBound(
            txid: txid, acceptingDaaScore: Bool.random(using: &random) ? Limits.acceptingDaaScore : nil,
            timeMilliseconds: Limits.timeMilliseconds)
        let names = pool.filter { $0.conversationID == conversation }.map(\.txid)
        let before = names.compactMap { forged[$0] }
        guard before.count < Limits.readBounds, forged[txid] == nil else { return }
        if names.contains(txid) { forged[txid] = bound }
        let marker = ReadMarker(conversationID: conversation, bounds: before + [bound], readAt: .day(0))
        _ = try device.store.write(
            RecordMeta(type: .readMarker, fields: marker.encoded), slotName: marker.slotName, kind: .register)
    }

    /// Brings all devices together.
    mutating func finish() throws {
        for device in devices {
            try device.zone.reads.publishReads()
            try device.zone.cut(force: true, now: now)
            try device.zone.commit()
        }
        for _ in 0..<4 {
            try devices[0].take(from: bad)
            for (first, second) in [(0, 1), (1, 2), (0, 2)] { try devices[first].meet(devices[second]) }
            // A device may have learned something from another that lets it name a message.
            for device in devices {
                try device.zone.tidy()
                try device.zone.reads.publishReads()
            }
        }
        let everRead = devices.indices.reduce(into: Set<TxID>()) { $0.formUnion(kept($1)) }
        for place in devices.indices {
            try check(place)
            #expect(everRead.isSubset(of: read[place]))
            #expect(read[place] == read[0])
            for conversation in Self.conversations {
                let zone = devices[place].zone
                let position = try zone.chat.reads.position(of: conversation)
                #expect(try position == devices[0].zone.chat.reads.position(of: conversation))
                #expect(try zone.reads.livePosition(conversation) == position)
            }
            let known = try pool.count { try devices[place].zone.chat.message($0.txid) != nil }
            #expect(known == accepted.count)
        }
    }
}
