import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A mark names the message up to which it goes, and reaches no further (docs/PROTOCOL-CHAT.md, §4.6).
@Suite struct ReadMarkerBoundTests {
    private static let time: UInt64 = 1_700_000_000_000
    private let phone: TestZone
    private let laptop: TestZone
    private let thief: TestZone

    init() throws {
        (phone, laptop, thief) = (try TestZone(device: 1), try TestZone(device: 2), try TestZone(device: 3))
    }

    private static func message(_ number: UInt64) -> ChatMessage {
        .sample(number, timestamp: time / 1_000 + number, score: number, blockTime: time + number * 1_000)
    }

    private func archive(_ numbers: ClosedRange<UInt64>, on device: TestZone) throws {
        for number in numbers { try device.archive(Self.message(number)) }
    }

    private func say(_ bounds: [ReadBound], by device: TestZone) throws {
        let marker = ReadMarker(conversationID: "bob", bounds: bounds, readAt: .day(1))
        _ = try device.store.write(
            RecordMeta(type: .readMarker, fields: marker.encoded), slotName: marker.slotName, kind: .register)
        try device.zone.commit()
    }

    private func bound(_ txid: TxID, score: UInt64? = Limits.acceptingDaaScore) -> ReadBound {
        ReadBound(txid: txid, acceptingDaaScore: score, timeMilliseconds: Limits.timeMilliseconds)
    }

    @Test(arguments: [nil, Limits.acceptingDaaScore] as [UInt64?]) func aMarkAtTheEndOfTimeReachesItsMessageOnly(
        score: UInt64?
    ) throws {
        try archive(1...5, on: phone)
        try phone.archive(.sample(6, timestamp: Self.time / 1_000 + 6))
        try say([bound(TxID(Bytes32(6, 6, 6, 6)), score: score)], by: thief)
        try phone.meet(thief)
        #expect(try phone.unread() == 6)
        try say([bound(ChatMessage.sample(3).txid, score: score)], by: thief)
        try phone.meet(thief)
        #expect(try phone.unread() == 3)
        #expect(try phone.isRead(3) == true && phone.isRead(4) == false)
        // A message of another conversation does not bound this one.
        try phone.archive(.sample(9, conversation: "ann", score: 9, blockTime: Self.time + 60_000))
        try say([bound(ChatMessage.sample(9).txid, score: score)], by: thief)
        try phone.meet(thief)
        #expect(try phone.unread() == 6)
    }

    /// Either may come first, and messages that were shown as read stay read meanwhile.
    @Test func aMarkWaitsForItsMessage() throws {
        try archive(1...3, on: phone)
        try phone.mark(upTo: 2)
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        #expect(try laptop.unread() == 1)
        // The phone reads further, and the laptop hears of that before it gets the messages.
        for number: UInt64 in 4...5 { _ = try phone.zone.accept(Self.message(number), now: .zero) }
        try phone.mark(upTo: 5)
        try phone.zone.reads.leave("bob")
        try phone.zone.commit()
        #expect(phone.zone.chat.queuedCount == 0)
        for device in [laptop, thief] { try device.takeRows(of: phone) }
        for device in [laptop, try laptop.reopened()] {
            #expect(try device.unread() == 1)
            #expect(try device.isRead(2) == true && device.isRead(3) == false)
        }
        // A newcomer knows nothing of the former mark.
        try thief.archive(Self.message(1))
        #expect(try thief.unread() == 1)
        for device in [laptop, thief] {
            try phone.meet(device)
            #expect(try device.unread() == 0)
        }
        let formers = try laptop.database.prepare("SELECT count(*) FROM former_marker")
        #expect(try formers.step() && formers.int(0) == 0)
    }

    /// A healed row arrives after later ones of its lane, and nobody knows that it is missing.
    @Test func aFormerMarkWaitsForAMessageThatNothingAnnounced() throws {
        try archive(1...3, on: phone)
        try phone.mark(upTo: 2)
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        try archive(4...4, on: phone)
        try phone.mark(upTo: 4)
        try phone.zone.reads.leave("bob")
        try phone.zone.commit()
        let rows = try phone.store.records(of: phone.zone.lane)
        let mark = try #require(rows.last { $0.header.kind == .register })
        try laptop.store.put(mark)
        try laptop.zone.commit()
        #expect(laptop.store.wantedCount == 0)
        for time: Duration in [.zero, Limits.formerMarks - .seconds(1)] { try laptop.run(for: time) }
        #expect(try laptop.unread() == 1 && laptop.isRead(2) == true && laptop.isRead(3) == false)
        // It does not wait for ever, since a newcomer would show nothing as read.
        try laptop.run(for: .seconds(2))
        #expect(try laptop.unread() == 3)
        try phone.meet(laptop)
        #expect(try laptop.unread() == 0)
    }

    /// The mark holds before the body goes, afterwards, and on a device that never had it.
    @Test func aMarkOnADeletedMessageGoesOn() throws {
        try archive(1...4, on: phone)
        try phone.mark(upTo: 3)
        try phone.zone.reads.leave("bob")
        _ = try phone.zone.deletions.delete(message: ChatMessage.sample(3).txid, wall: .day(1))
        try phone.zone.commit()
        #expect(try phone.unread() == 1)
        try phone.run(for: SyncState.Limits.keptAside)
        for _ in 0..<3 { try phone.run(for: .seconds(1)) }
        #expect(try phone.zone.chat.heldCopy(of: ChatMessage.sample(3).txid)?.hasContent == false)
        try phone.meet(laptop)
        for device in [phone, laptop, try phone.reopened()] {
            #expect(try device.unread() == 1)
            #expect(try device.isRead(2) == true && device.isRead(4) == false)
        }
    }

    /// A bound whose score is unknown here reaches nowhere near the others, and is kept beside them.
    @Test func aBoundWaitsForItsScoreBesideOthers() throws {
        let device = try TestZone(device: 1)
        let messages = (1...2).map { ChatMessage.sample($0, timestamp: 1_700_000_000 + $0) }
        for message in messages { _ = try device.zone.accept(message, now: .zero) }
        let ahead = ReadBound(txid: messages[0].txid, acceptingDaaScore: 50, timeMilliseconds: 1_700_000_001_000)
        let marks = [[ahead], [ReadBound(messages[1])]].map {
            ReadMarker(conversationID: "bob", bounds: $0, readAt: .day(0))
        }
        #expect(try Set(device.zone.chat.reads.joined(marks).bounds) == [ahead, ReadBound(messages[1])])
        #expect(try device.zone.chat.reads.joined(marks.reversed()).bounds.count == 2)
    }

    @Test func aMarkFollowsAMessageThatTheChainMoves() throws {
        try archive(1...6, on: phone)
        try phone.mark(upTo: 5)
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        func move(_ score: UInt64?) throws {
            let event = ChainEvent(txid: ChatMessage.sample(5).txid, kind: .reorg, acceptingDaaScore: score)
            _ = try laptop.zone.learn(event, now: .zero)
            try laptop.zone.commit()
            try laptop.meet(phone)
        }
        // The txid decides between equal scores. A message without a score still has its time.
        for (score, read) in [(3, 2), (nil, 4), (9, 4), (5, 4)] as [(UInt64?, UInt64)] {
            try move(score)
            for device in [phone, laptop] {
                let others: [UInt64] = [1, 2, 3, 4, 6]
                #expect(try others.filter { try device.isRead($0) == true } == others.filter { $0 <= read })
            }
        }
        #expect(try phone.isRead(5) == true)
    }

    /// The chain gives scores to messages that bound a mark by their times, and the user marks on, up to one without.
    @Test(arguments: [[5], [5, 6], [6, 5]]) func aMarkThatGoesOnCoversWhatItCoveredByTime(
        confirmed: [UInt64]
    ) throws {
        try archive(1...2, on: phone)
        func pending(_ number: UInt64, sent: UInt64) -> ChatMessage {
            .sample(number, timestamp: Self.time / 1_000 + sent)
        }
        // This sender's clock is ahead, so only 5 covers the message.
        let inBlock = ChatMessage.sample(6, timestamp: Self.time / 1_000 + 1, blockTime: Self.time + 7_000)
        try phone.archive(pending(4, sent: 8), inBlock)
        try phone.archive(pending(5, sent: 9))
        try phone.mark(upTo: 5)
        try phone.zone.reads.leave("bob")
        #expect(try phone.unread() == 0)
        for number in confirmed {
            let event = ChainEvent(
                txid: ChatMessage.sample(number).txid, kind: .confirm, acceptingDaaScore: number, status: .confirmed)
            _ = try phone.zone.learn(event, now: .zero)
            try phone.zone.commit()
        }
        let before = try phone.zone.chat.reads.position(of: "bob")
        try phone.archive(pending(7, sent: 3))
        try phone.mark(upTo: 7)
        try phone.zone.reads.leave("bob")
        #expect(try phone.zone.chat.reads.position(of: "bob").contains(before))
        #expect(try phone.unread() == 0)
        try phone.meet(laptop)
        #expect(try laptop.unread() == 0)
        #expect(try laptop.zone.chat.reads.position(of: "bob").contains(before))
    }

    // MARK: What a thief said

    private func enter(_ zone: TestZone) -> RecordHash { TestZone.signer.enter(zone.store.device).hash }

    /// Removes the thief as of before its marks, on both other devices.
    private func removeThief(keeping honest: [RecordHash]) throws {
        try phone.store.begin()
        let stays = try phone.zone.lists.write(honest)
        let record = TestZone.signer.remove([thief.zone.lane], heads: [enter(thief)], stays: stays)
        #expect(try phone.zone.membership.records.take([record.encoded]).added == [record.hash])
        try phone.zone.commit()
        try laptop.meet(phone)
    }

    /// The phone publishes its mark before or after it hears of the thief's.
    @Test(arguments: [true, false]) func nobodyRepeatsTheMarkOfAThief(isBefore: Bool) throws {
        try archive(1...9, on: phone)
        for _ in 0..<2 { for (one, other) in [(phone, thief), (phone, laptop)] { try one.meet(other) } }
        let honest = try thief.store.records(of: thief.zone.lane).map(\.hash)
        if isBefore {
            try phone.mark(upTo: 4)
            try phone.zone.reads.leave("bob")
        }
        try thief.mark()
        try thief.zone.reads.leave("bob")
        try phone.meet(thief)
        #expect(try phone.unread() == 0)
        if !isBefore { try phone.mark(upTo: 4) }
        // The laptop marks further, and also publishes a mark that only keeps its place.
        try laptop.meet(phone)
        try laptop.mark(upTo: 2)
        for device in [phone, laptop] {
            try device.zone.reads.publishReads()
            try device.store.startAfresh(.clone)
            try device.zone.commit()
        }
        try phone.meet(laptop)
        #expect(try phone.unread() == 0 && laptop.unread() == 0)
        try removeThief(keeping: honest)
        // What the thief's mark covered is said now, once the others have the new root.
        let newcomer = try TestZone(device: 4)
        for _ in 0..<4 {
            for device in [phone, laptop, newcomer] {
                try device.run(for: .seconds(20))
                if device !== phone { try device.meet(phone) }
            }
        }
        for device in [phone, laptop, newcomer] {
            #expect(try device.unread() == 5)
            #expect(try device.isRead(4) == true && device.isRead(5) == false)
        }
        // Each device of an account says only its own mark.
        #expect(try laptop.zone.reads.ownMark(of: "bob")?.bounds.map(\.txid) == [ChatMessage.sample(2).txid])
    }

    /// While the new mark of a removed lane waits, its former one does not stand in for it.
    @Test func aRemovedLanesFormerMarkGoesWithIt() throws {
        try archive(1...9, on: phone)
        try phone.meet(thief)
        let honest = try thief.store.records(of: thief.zone.lane).map(\.hash)
        try thief.mark(upTo: 5)
        try thief.zone.reads.leave("bob")
        try phone.meet(thief)
        try thief.archive(Self.message(10))
        try say([bound(ChatMessage.sample(10).txid)], by: thief)
        try phone.takeRows(of: thief)
        #expect(try phone.unread() == 4)
        try removeThief(keeping: honest)
        for device in [phone, try phone.reopened()] { #expect(try device.unread() == 9) }
    }
}
