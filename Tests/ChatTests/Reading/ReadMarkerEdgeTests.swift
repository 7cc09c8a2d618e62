import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Named cases of reading on several devices.
@Suite struct ReadMarkerEdgeTests {
    private let phone: TestZone
    private let laptop: TestZone

    init() throws {
        phone = try TestZone(device: 1)
        laptop = try TestZone(device: 2)
    }

    private func accept(_ numbers: ClosedRange<UInt64>, on device: TestZone) throws {
        for number in numbers { _ = try device.zone.accept(.sample(number, score: number), now: .zero) }
        try device.zone.commit()
    }

    @Test func readOnOneDeviceBeforeItIsSyncedToTheOther() throws {
        try accept(1...3, on: phone)
        try phone.mark()
        try phone.zone.reads.leave("bob")
        try phone.zone.commit()
        try laptop.takeRows(of: phone)
        // The marker is there without its message, so it waits.
        #expect(try laptop.unread() == nil)
        #expect(try laptop.zone.chat.reads.position(of: "bob") == .empty)
        try phone.meet(laptop)
        #expect(try laptop.unread() == 0)
        #expect(try laptop.isRead(1) == true && laptop.isRead(3) == true)
    }

    @Test func newAfterTheMarker() throws {
        try accept(1...3, on: phone)
        try phone.mark()
        try phone.zone.reads.leave("bob")
        try accept(4...5, on: phone)
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        for device in [phone, laptop] {
            #expect(try device.unread() == 2)
            #expect(try device.isRead(3) == true && device.isRead(4) == false)
        }
    }

    @Test func bothReadAtTheSameTime() throws {
        try accept(1...5, on: phone)
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        try phone.mark(upTo: 2)
        try laptop.mark(upTo: 4)
        try phone.zone.reads.leave("bob")
        try laptop.zone.reads.leave("bob")
        try phone.meet(laptop)
        for device in [phone, laptop] {
            #expect(try device.unread() == 1)
            #expect(try device.isRead(4) == true && device.isRead(5) == false)
        }
        #expect(try phone.writtenMarks() == 1)
        #expect(try laptop.writtenMarks() == 1)
    }

    /// One marks by score and one by time, as where only one of them sees the chain.
    @Test func bothReadAtTheSameTimeOnTwoScales() throws {
        try phone.archive(.sample(1, score: 1, blockTime: 1_700_000_001_000))
        try phone.archive(.sample(2, blockTime: 1_700_000_002_000), .sample(3, blockTime: 1_700_000_003_000))
        try phone.meet(laptop)
        try phone.mark(upTo: 1)
        try laptop.mark(upTo: 2)
        try phone.zone.reads.publishReads()
        try laptop.zone.reads.publishReads()
        try phone.meet(laptop)
        for device in [phone, laptop] {
            #expect(try device.unread() == 1)
            #expect(try device.isRead(1) == true && device.isRead(2) == true && device.isRead(3) == false)
        }
    }

    @Test func offlineForLong() throws {
        try accept(1...5, on: phone)
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        // It reads a little, sleeps before it can say so, and wakes after a year with an old copy of the world.
        try laptop.mark(upTo: 2)
        try laptop.zone.commit()
        for number: UInt64 in 6...105 {
            try phone.archive(.sample(number, timestamp: 1_700_000_000 + number * 300_000, score: number))
            if number % 10 == 0 {
                try phone.mark()
                try phone.zone.reads.leave("bob")
            }
        }
        let woken = try laptop.reopened()
        try phone.meet(woken)
        #expect(try woken.unread() == 5)
        try woken.zone.reads.publishReads()
        // Everything it read is covered.
        #expect(try woken.writtenMarks() == 0)
        try phone.meet(woken)
        for device in [phone, woken] {
            #expect(try device.unread() == 5)
            #expect(try device.isRead(100) == true && device.isRead(101) == false)
        }
    }

    @Test func whatWasReadOfflineIsToldAfterwards() throws {
        try accept(1...5, on: phone)
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        try laptop.mark(upTo: 4)
        try laptop.zone.commit()
        let woken = try laptop.reopened()
        // A start restarts the time of quiet.
        let due = try #require(woken.zone.reads.publishDeadline)
        try woken.zone.work(now: due)
        try phone.meet(woken)
        #expect(try phone.unread() == 1)
    }

    @Test func aLateMessageBelowThePositionIsReadAtOnce() throws {
        _ = try phone.zone.accept(.sample(1, score: 1), now: .zero)
        try accept(5...6, on: phone)
        try phone.mark()
        #expect(try phone.unread() == 0)
        try accept(3...4, on: phone)
        #expect(try phone.unread() == 0)
        #expect(try phone.isRead(3) == true && phone.isRead(4) == true)
        // The same holds for the archive of another device.
        try accept(2...2, on: laptop)
        try laptop.zone.cut(force: true, now: .zero)
        #expect(try laptop.unread() == 1)
        try phone.zone.reads.publishReads()
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        #expect(try phone.isRead(2) == true && laptop.isRead(2) == true)
        #expect(try phone.unread() == 0)
        #expect(try laptop.unread() == 0)
    }

    @Test func thePositionIsNeverBeyondTheNewestMessageHeld() throws {
        let time: UInt64 = 1_700_000_000_000
        try phone.archive(.sample(7, score: 70, blockTime: time), .sample(8, blockTime: time + 8_000))
        try phone.mark()
        let position = try phone.zone.chat.reads.position(of: "bob")
        let point = ScorePoint(acceptingDaaScore: 70, txid: ChatMessage.sample(7).txid)
        #expect(position == ReadPosition(scorePoint: point, timeMilliseconds: time + 8_000))
        // Any later message, by however little, is unread, on both scales.
        try phone.archive(.sample(9, blockTime: time + 8_001))
        try phone.archive(.sample(10, score: 71, blockTime: time + 8_002))
        #expect(try phone.unread() == 2)
        // Messages that are not held cannot be marked.
        #expect(throws: ChatError.unknownMessage) { try phone.mark(upTo: 99) }
        #expect(throws: ChatError.unknownConversation) { try phone.mark("nobody") }
        #expect(try phone.zone.chat.reads.position(of: "bob") == position)
    }

    // MARK: Of an old app

    @Test func importingReadsTwiceChangesNothing() throws {
        let time: UInt64 = 1_700_000_000_000
        func take(_ device: TestZone) throws -> Bool {
            try device.zone.reads.adoptRead("bob", blockTime: time + 2_000, now: .zero, wall: .day(0))
        }
        // Before the messages arrive, nothing can be named.
        #expect(try take(phone))
        #expect(try !take(phone))
        try phone.zone.reads.publishReads()
        #expect(try phone.writtenMarks() == 0)
        #expect(try phone.unread() == nil)
        try phone.archive(.sample(1, score: 1, blockTime: time + 1_000))
        try phone.zone.reads.publishReads()
        #expect(try phone.writtenMarks() == 1)
        for number: UInt64 in 2...4 {
            try phone.archive(.sample(number, score: number, blockTime: time + number * 1_000))
        }
        #expect(try phone.unread() == 2)
        #expect(try phone.isRead(2) == true && phone.isRead(3) == false)
        let position = try phone.zone.chat.reads.position(of: "bob")
        #expect(try !take(phone))
        let again = try phone.reopened()
        #expect(try !take(again))
        // Now the message itself is named.
        try again.zone.reads.publishReads()
        #expect(try again.writtenMarks() == 1)
        try again.zone.reads.publishReads()
        #expect(try again.writtenMarks() == 0)
        #expect(try again.zone.chat.reads.position(of: "bob") == position)
        // Nothing changes on another device either, once it knows.
        try again.meet(laptop)
        #expect(try !take(laptop))
        #expect(try laptop.unread() == 2)
        // Messages read here since stay read.
        try again.mark()
        #expect(try !take(again))
        #expect(try again.unread() == 0)
    }
}
