import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Messages that are read before the chain has them (docs/PROTOCOL-CHAT.md, §4.6).
@Suite struct ReadMarkerNamesTests {
    private static let time: UInt64 = 1_700_000_000_000
    private let phone: TestZone
    private let laptop: TestZone

    init() throws {
        phone = try TestZone(device: 1)
        laptop = try TestZone(device: 2)
    }

    private func pending(_ number: UInt64, after seconds: UInt64 = 0) -> ChatMessage {
        .sample(number, timestamp: Self.time / 1_000 + seconds)
    }

    private func confirm(
        _ number: UInt64, on device: TestZone, score: UInt64?, blockTime: UInt64? = nil,
        kind: ChainEvent.Kind = .confirm
    ) throws {
        let event = ChainEvent(
            txid: ChatMessage.sample(number).txid, kind: kind, blockTime: blockTime, acceptingDaaScore: score)
        _ = try device.zone.learn(event, now: .zero)
        try device.zone.commit()
    }

    private func take(_ messages: ChatMessage..., by device: TestZone) throws {
        for message in messages { _ = try device.zone.accept(message, now: .zero) }
        try device.zone.commit()
    }

    /// The message is in the queue or in a segment when the chain confirms it.
    @Test(arguments: [false, true]) func aConfirmationTurnsNothingUnread(isArchived: Bool) throws {
        try take(pending(1), by: phone)
        try phone.mark()
        #expect(try phone.isRead(1) == true)
        if isArchived { try phone.zone.cut(force: true, now: .zero) }
        try confirm(1, on: phone, score: 500, blockTime: Self.time + 30_000)
        #expect(try phone.isRead(1) == true)
        #expect(try phone.unread() == 0)
        // Messages that come later were not seen.
        try take(.sample(2, score: 501, blockTime: Self.time + 31_000), by: phone)
        // As far as this device knows, neither was the one listed before it.
        try take(.sample(3, score: 499, blockTime: Self.time + 29_000), by: phone)
        #expect(try phone.unread() == 2)
        #expect(try phone.isRead(1) == true)
    }

    @Test func anotherDeviceMayMeetItConfirmed() throws {
        try take(pending(1), by: phone)
        try phone.mark()
        try phone.zone.reads.leave("bob")
        try laptop.archive(.sample(1, score: 500, blockTime: Self.time + 30_000))
        #expect(try laptop.unread() == 1)
        // The phone is heard once, and never learns of the block.
        try phone.zone.commit()
        try laptop.take(from: phone)
        #expect(try laptop.isRead(1) == true)
        #expect(try laptop.unread() == 0)
        // The marker alone suffices, before the message.
        let tablet = try TestZone(device: 3)
        try tablet.take(from: phone)
        try take(.sample(1, score: 500, blockTime: Self.time + 30_000), by: tablet)
        #expect(try tablet.isRead(1) == true)
        #expect(try tablet.unread() == 0)
    }

    /// It came late, below a position, and so was never marked itself.
    @Test func whatWasReadByItsTimeStaysReadToo() throws {
        try take(pending(1, after: 60), by: phone)
        try phone.mark()
        try take(pending(2), by: phone)
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        #expect(try phone.isRead(2) == true)
        try confirm(2, on: phone, score: 500, blockTime: Self.time + 90_000)
        #expect(try phone.isRead(2) == true)
        #expect(try phone.unread() == 0)
        // The others hear of it at the next stable point.
        try phone.zone.work(now: .zero)
        let due = try #require(phone.zone.reads.publishDeadline)
        try phone.zone.work(now: due)
        #expect(try phone.writtenMarks() == 2)
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        #expect(try laptop.isRead(2) == true)
        #expect(try laptop.unread() == 0)
    }

    /// A history without scores was read up to its last message, which then got a score and is marked again.
    @Test func markingAgainWhatGotItsScoreTurnsNothingUnread() throws {
        func old(_ number: UInt64, score: UInt64? = nil) -> ChatMessage {
            .sample(
                number, timestamp: Self.time / 1_000 + number, score: score, blockTime: Self.time + number * 1_000)
        }
        for number in 1...100 as ClosedRange<UInt64> { try take(old(number), by: phone) }
        try phone.mark(upTo: 100)
        #expect(try phone.unread() == 0)
        try confirm(100, on: phone, score: 500, blockTime: Self.time + 100_000)
        #expect(try phone.unread() == 0)
        try phone.mark(upTo: 100)
        #expect(try phone.unread() == 0)
        // The mark still covers a message with a score below it, and not one above.
        try take(old(101, score: 499), by: phone)
        try take(old(102, score: 501), by: phone)
        #expect(try phone.unread() == 2)
        try phone.mark(upTo: 100)
        #expect(try phone.isRead(101) == true && phone.isRead(102) == false)
        #expect(try phone.unread() == 1)
        try phone.zone.reads.publishReads()
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        #expect(try laptop.unread() == 1)
    }

    @Test func aCopyThatKnowsMoreTurnsNothingUnread() throws {
        try phone.archive(pending(1, after: 60))
        try phone.mark()
        // It came late, below the position: no mark names it.
        try phone.archive(pending(2))
        #expect(try phone.unread() == 0)
        #expect(try phone.isRead(2) == true)
        #expect(try phone.zone.chat.reads.position(of: "bob").named == [ChatMessage.sample(1).txid])
        try laptop.archive(.sample(2, timestamp: Self.time / 1_000, score: 500, blockTime: Self.time + 90_000))
        try phone.take(from: laptop)
        #expect(try phone.unread() == 0)
        #expect(try phone.isRead(2) == true)
        #expect(try phone.zone.chat.message(ChatMessage.sample(2).txid)?.message.acceptingDaaScore == 500)
    }

    @Test func aReorgedMessageIsJudgedAtItsNewScore() throws {
        try take(.sample(1, score: 10), .sample(2, score: 20), by: phone)
        try phone.mark()
        try confirm(1, on: phone, score: 15, kind: .reorg)
        #expect(try phone.isRead(1) == true)
        try confirm(1, on: phone, score: 30, kind: .reorg)
        #expect(try phone.isRead(1) == false)
        #expect(try phone.unread() == 1)
    }

    @Test func itSaysWhenItWasReadAndWhere() throws {
        try take(pending(1), by: phone)
        _ = try phone.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1))
        try take(pending(2), by: phone)
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        for number: UInt64 in 1...2 {
            try confirm(number, on: phone, score: 500 + number, blockTime: Self.time + 40_000)
        }
        _ = try phone.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(2))
        try phone.zone.reads.publishReads()
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        for device in [phone, laptop] {
            let message = try #require(try device.zone.chat.message(ChatMessage.sample(1).txid)?.message)
            let first = try #require(try device.zone.chat.reads.firstRead(of: message))
            #expect(first.readAt == .day(1) && first.lane == phone.zone.lane)
        }
    }

    @Test func namesGoWhenTheScalesHavePassedThem() throws {
        for number: UInt64 in 1...40 {
            try take(pending(number, after: number), by: phone)
            try phone.mark()
            try phone.zone.reads.leave("bob")
            try phone.zone.cut(force: true, now: .zero)
            try phone.meet(laptop)
            try confirm(number, on: phone, score: number, blockTime: Self.time + number * 1_000 + 500)
            #expect(try phone.unread() == 0)
        }
        let message = ChatMessage.sample(41, score: 41, blockTime: Self.time + 41_000)
        try take(message, by: phone)
        try phone.mark()
        try phone.zone.reads.leave("bob")
        try phone.meet(laptop)
        #expect(try laptop.writtenMarks() == 0)
        for device in [phone, laptop] {
            #expect(try device.unread() == 0)
            let position = try device.zone.chat.reads.position(of: "bob")
            #expect(position.named.count <= Chat.Limits.passedReads)
            #expect(try device.zone.reads.livePosition("bob") == position)
        }
    }

    @Test func moreThanAMarkerNamesStayRead() throws {
        let count = UInt64(3 * Chat.Limits.namedReads)
        for number in 1...count { try take(pending(number, after: number), by: phone) }
        try phone.mark(upTo: count / 2)
        try phone.mark()
        #expect(try phone.unread() == 0)
        // The last is confirmed first, long after all that were marked.
        for number in (1...count).reversed() {
            try confirm(number, on: phone, score: 1_000 + number, blockTime: Self.time + 9_000_000 + number)
            if number % 50 == 0 { try phone.zone.reads.publishReads() }
            #expect(try phone.unread() == 0)
        }
        try phone.zone.reads.publishReads()
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        #expect(try laptop.unread() == 0)
        #expect(try laptop.zone.reads.livePosition("bob").named.count <= Chat.Limits.namedReads)
        try take(.sample(count + 1, score: 1_001 + count, blockTime: Self.time + 9_900_000), by: phone)
        #expect(try phone.unread() == 1)
    }

    /// A sender whose txid begins like that of a read message gains nothing.
    @Test func aNameStandsForOneMessage() throws {
        try take(pending(1), by: phone)
        try phone.mark()
        let read = ChatMessage.sample(1).txid.storage
        var alike = ChatMessage.sample(2, score: 500, blockTime: Self.time + 60_000)
        alike.txid = TxID(Bytes32(read.w0, 7, 7, 7))
        try take(alike, by: phone)
        #expect(try phone.unread() == 1)
        #expect(try phone.zone.chat.message(alike.txid)?.isRead == false)
        try confirm(1, on: phone, score: 500, blockTime: Self.time + 50_000)
        #expect(try phone.unread() == 1)
        #expect(try phone.isRead(1) == true)
    }
}
