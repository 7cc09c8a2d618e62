import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// Several devices' marks of one conversation, in the single marker of an archive and of a renewed account.
@Suite struct ReadMarkerArchiveTests {
    private static let time: UInt64 = 1_700_000_000_000
    private let phone: TestZone
    private let laptop: TestZone

    init() throws {
        phone = try TestZone(device: 1)
        laptop = try TestZone(device: 2)
    }

    private func learn(
        _ number: UInt64, on device: TestZone, _ kind: ChainEvent.Kind = .confirm, score: UInt64, blockTime: UInt64
    ) throws {
        let event = ChainEvent(
            txid: ChatMessage.sample(number).txid, kind: kind, blockTime: blockTime, acceptingDaaScore: score)
        _ = try device.zone.learn(event, now: .zero)
        try device.zone.commit()
    }

    private func read(on device: TestZone, upTo number: UInt64? = nil) throws {
        try device.mark(upTo: number)
        try device.zone.reads.publishReads()
        try device.zone.cut(force: true, now: .zero)
        try device.zone.commit()
    }

    /// A new account that takes over everything a device shows.
    private func renewed(from device: TestZone) throws -> TestZone {
        let new = try TestZone(device: 9)
        for shown in try device.zone.chat.messages(conversation: "bob", limit: 1_000) {
            _ = try new.zone.accept(shown.message, isHistory: true, now: .zero)
        }
        try new.zone.cut(force: true, now: .zero)
        for marker in try device.zone.reads.all() {
            // The marker passes through a file, which limits names and bounds like a record.
            let marker = try ReadMarker(encoded: marker.encoded)
            _ = try new.zone.reads.adoptRead(marker, now: .zero)
        }
        try new.zone.commit()
        try new.zone.reads.publishReads()
        try new.zone.commit()
        return new
    }

    /// The order of the devices' lanes does not matter.
    @Test(arguments: [false, true]) func ofTwoScoresOfOneMessageTheHigherCounts(isSwapped: Bool) throws {
        let (first, second) = isSwapped ? (laptop, phone) : (phone, laptop)
        try first.archive(.sample(1))
        try first.meet(second)
        try learn(1, on: first, score: 20_001, blockTime: Self.time)
        try read(on: first)
        try first.meet(second)
        try learn(1, on: second, .reorg, score: 20_005, blockTime: Self.time + 2_000)
        try learn(1, on: second, score: 20_005, blockTime: Self.time + 2_000)
        try read(on: second)
        try first.meet(second)
        for device in [first, second] {
            #expect(try device.unread() == 0)
            #expect(try renewed(from: device).unread() == 0)
        }
    }

    /// One device knew the message's score when it marked it; the other did not yet.
    @Test(arguments: [false, true]) func aBoundByTimeAndOneByScoreOfOneMessageBothCount(isSwapped: Bool) throws {
        let (first, second) = isSwapped ? (laptop, phone) : (phone, laptop)
        for number in 1...10 as ClosedRange<UInt64> {
            try first.archive(.sample(number, blockTime: Self.time + number * 1_000))
        }
        try first.meet(second)
        try read(on: first, upTo: 10)
        try learn(10, on: second, score: 500, blockTime: Self.time + 10_000)
        try second.archive(.sample(11, score: 400, blockTime: Self.time + 11_000))
        try second.archive(.sample(12, score: 501, blockTime: Self.time + 12_000))
        try read(on: second, upTo: 10)
        try first.meet(second)
        for device in [first, second] {
            #expect(try device.unread() == 1)
            let new = try renewed(from: device)
            #expect(try new.unread() == 1)
            #expect(try new.isRead(12) == false)
        }
    }

    /// Two devices together named more messages than one marker may; messages that nobody read stay unread.
    @Test func moreNamesThanAMarkerHasStayRead() throws {
        let (count, unread): (UInt64, UInt64) = (128, 100)
        for number in 1...count { _ = try phone.zone.accept(.sample(number, score: number), now: .zero) }
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        for (device, parity) in [(phone, 0), (laptop, 1)] as [(TestZone, UInt64)] {
            let named = (1...count).filter { $0 % 2 == parity && $0 != unread }
            let marker = ReadMarker(
                conversationID: "bob", named: named.map { ChatMessage.sample($0).txid }, readAt: .day(0))
            #expect(try device.zone.reads.adoptRead(marker, now: .zero))
            try device.zone.reads.publishReads()
        }
        try phone.meet(laptop)
        for device in [phone, laptop] {
            #expect(try device.unread() == 1)
            let new = try renewed(from: device)
            #expect(try new.unread() == 1)
            #expect(try new.isRead(unread) == false)
        }
    }

    /// Messages that were read before they were in a block get into blocks an hour later, in any order, on two devices
    /// at once. They stay read throughout, on each device and on one that takes over their marks.
    @Test(arguments: 1...TestScale.of(usual: 4, proof: 40) as ClosedRange<UInt64>) func confirmedInAnyOrderAllStayRead(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let count: UInt64 = 100
        for number in 1...count {
            _ = try phone.zone.accept(.sample(number, timestamp: Self.time / 1_000 + number), now: .zero)
        }
        try phone.zone.cut(force: true, now: .zero)
        try phone.meet(laptop)
        try phone.mark()
        try phone.zone.reads.publishReads()
        try phone.meet(laptop)
        let areTogether = seed % 2 == 0
        for number in (1...count).shuffled(using: &random) {
            let device = areTogether ? phone : laptop
            try learn(number, on: device, score: 50_000 + number, blockTime: Self.time + 3_600_000 + number * 1_000)
            #expect(try device.unread() == 0, "message \(number)")
            if random.next() % 8 == 0 { try device.zone.reads.publishReads() }
            if areTogether, random.next() % 8 == 0 { try phone.meet(laptop) }
            #expect(try phone.unread() == 0)
        }
        for device in [phone, laptop] {
            try device.zone.reads.publishReads()
            try device.zone.cut(force: true, now: .zero)
        }
        try phone.meet(laptop)
        for device in [phone, laptop] {
            #expect(try device.unread() == 0)
            #expect(try renewed(from: device).unread() == 0)
        }
        #expect(try phone.zone.reads.livePosition("bob") == laptop.zone.reads.livePosition("bob"))
    }

    @Test func whoReadLastIsTheSameOnAllDevices() throws {
        let tablet = try TestZone(device: 3)
        for number in 1...3 as ClosedRange<UInt64> { try phone.archive(.sample(number, score: number)) }
        try phone.meet(laptop)
        try phone.meet(tablet)
        try read(on: tablet)
        try phone.meet(tablet)
        try phone.meet(laptop)
        let later = WallTime.day(1)
        #expect(try laptop.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: later) == false)
        try laptop.zone.reads.leave("bob")
        try phone.meet(laptop)
        for device in [phone, laptop, tablet] {
            #expect(try device.zone.chat.conversation("bob")?.lastReadBy == tablet.zone.lane)
        }
    }
}
