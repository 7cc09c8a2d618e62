import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A removal loses no message that an honest device was given, even if only the removed device had archived it.
@Suite struct GivenMessagesTests {
    private static let given = ChatMessage.sample(1, score: 1, blockTime: 1_700_000_000_001)
    private static let invented = ChatMessage.sample(2, score: 2, blockTime: 1_700_000_000_002)

    private let laptop, phone, tablet: TestZone

    init() throws {
        // These are not in the family that all test zones know.
        (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try begin(day: 1)
        for zone in [laptop, phone, tablet] { try zone.writeFact("a row by which it is known") }
        for _ in 0..<2 {
            try laptop.settle(with: phone)
            try laptop.settle(with: tablet)
        }
        // The thief has the phone from now on.
        try begin(day: 2)
    }

    private func begin(day: Int) throws {
        for zone in [laptop, phone, tablet] { try zone.begin(day: day) }
    }

    private func remove() throws {
        try begin(day: 3)
        try laptop.zone.removal.remove(phone.zone.lane, since: .day(2, 0), by: TestZone.signer)
        try laptop.zone.commit()
    }

    private func give(_ message: ChatMessage, to zone: TestZone) throws {
        _ = try zone.zone.accept(message, now: .zero)
        try zone.zone.commit()
    }

    private func shown(_ zone: TestZone) throws -> [ChatMessage] {
        try [Self.given, Self.invented].compactMap { try zone.zone.chat.message($0.txid)?.message }
    }

    /// The queue drops what another device archived, and queues it again when that no longer counts.
    @Test func whatWasQueuedStays() throws {
        try give(Self.given, to: laptop)
        try phone.archive(Self.given, Self.invented)
        try laptop.settle(with: phone)
        #expect(laptop.zone.chat.queuedCount == 0)
        #expect(try shown(laptop) == [Self.given, Self.invented])
        try remove()
        for zone in [laptop, try laptop.reopened()] { #expect(try shown(zone) == [Self.given]) }
        try laptop.zone.cut(force: true, now: .zero)
        try laptop.settle(with: tablet)
        #expect(try shown(tablet) == [Self.given])
    }

    /// An app gives a message after another device has archived it.
    @Test func whatWasGivenLaterStays() throws {
        try phone.archive(Self.given, Self.invented)
        try laptop.settle(with: phone)
        try give(Self.given, to: laptop)
        #expect(laptop.zone.chat.queuedCount == 0)
        try remove()
        #expect(try shown(laptop) == [Self.given])
    }

    /// A thief that archives other content under its txid does not keep it out, and the thief's chain facts go.
    @Test func itStaysAsItWasGiven() throws {
        var forged = Self.given
        forged.body = "forged"
        try phone.archive(forged)
        var dated = ChatMessage.sample(3)
        try give(dated, to: laptop)
        (dated.blockTime, dated.acceptingDaaScore, dated.status) = (1_800_000_000_000, 99, .confirmed)
        try phone.archive(dated)
        try laptop.settle(with: phone)
        try give(Self.given, to: laptop)
        try give(Self.given, to: laptop)
        #expect(laptop.zone.chat.queuedCount == 1)
        try remove()
        #expect(try shown(laptop) == [Self.given])
        #expect(try laptop.zone.chat.message(dated.txid)?.message == .sample(3))
    }

    /// A thief that rewrites its segment without a body takes it from nobody, before or after its removal.
    @Test func whatIsRewrittenWithoutItsBodyStays() throws {
        try give(Self.given, to: laptop)
        try phone.archive(Self.given, Self.invented)
        try laptop.settle(with: phone)
        for record in try phone.store.records(of: phone.zone.lane) where record.kind == .segment {
            try phone.zone.archive.recut(record.seq) { $0.withoutBody }
        }
        try laptop.settle(with: phone)
        #expect(try shown(laptop).first == Self.given)
        try remove()
        #expect(try shown(laptop) == [Self.given])
    }

    /// A message that only waits for its list is not archived twice.
    @Test func whatAListNamesIsNotQueuedAgain() throws {
        // This message is in a segment of its own.
        let early = ChatMessage.sample(4, conversation: "eve", score: 4, blockTime: 1_700_000_000_004)
        try give(early, to: tablet)
        try begin(day: 1)
        try phone.archive(early)
        try laptop.settle(with: phone)
        try begin(day: 2)
        try give(Self.given, to: tablet)
        try phone.archive(Self.given)
        try tablet.settle(with: phone)
        #expect(tablet.zone.chat.queuedCount == 0)
        try remove()
        try tablet.learnLedger(of: laptop)
        try tablet.zone.commit()
        #expect(try shown(tablet).isEmpty && tablet.zone.chat.queuedCount == 0)
        try tablet.take(from: laptop)
        #expect(try shown(tablet) == [Self.given] && tablet.zone.chat.queuedCount == 1)
        #expect(try tablet.zone.chat.message(early.txid) != nil)
    }

    /// A thief's flood pushes its own earlier rows out of aside, but only after they were read.
    @Test func aFloodHidesNothing() throws {
        try give(Self.given, to: laptop)
        try phone.archive(Self.given)
        var random = SeededRandom(seed: 1)
        let noise = String(decoding: random.bytes(Chat.Limits.bodyBytes).map { 33 + $0 % 94 }, as: UTF8.self)
        for number in 0...UInt64(SyncState.Limits.asideSizeBytes / 50_000) {
            try phone.archive(.sample(100 + number, timestamp: 1_700_000_000 + number * 86_400, body: noise))
        }
        try laptop.take(from: phone)
        #expect(laptop.zone.chat.queuedCount == 0)
        #expect(laptop.store.content(of: phone.zone.lane).held.bytes > SyncState.Limits.asideSizeBytes)
        try remove()
        #expect(try shown(laptop) == [Self.given])
    }
}
