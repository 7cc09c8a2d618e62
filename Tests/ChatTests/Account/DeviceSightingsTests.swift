import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// Devices that fall silent, in days that pass as fast as they are counted.
@Suite struct DeviceSightingsTests {
    private let zones: [TestZone]

    init() throws { zones = try (1...3).map { try TestZone(device: $0) } }

    /// A day on which these devices wrote something, and then met.
    private func pass(_ day: Int, _ active: Int...) throws {
        for index in active { try zones[index].writeFact("\(day).\(index)") }
        for index in active {
            zones[index].store.setTime(now: .zero, wall: .day(day))
            for other in active where other < index { try zones[index].meet(zones[other]) }
        }
        for index in active {
            try zones[index].zone.devices.retireSilent()
            try zones[index].zone.commit()
        }
    }

    private func isRetired(_ index: Int, at other: Int) -> Bool {
        zones[other].store.lane(zones[index].zone.lane)?.isRetired == true
    }

    @Test func ninetyDaysOfSilenceRetireADeviceThatComesBackWithAll() throws {
        let lost = zones[2]
        try lost.archive(.sample(1, score: 1), .sample(2, score: 2))
        _ = try lost.zone.reads.markRead("bob", upTo: ChatMessage.sample(1, score: 1).txid, now: .zero, wall: .day(0))
        try lost.zone.reads.publishReads()
        try lost.zone.details.change("bob", [.pinned(true)], wall: .day(0))
        try pass(0, 0, 1, 2)
        let old = lost.zone.lane
        for day in 1...89 { try pass(day, 0, 1) }
        #expect(!isRetired(2, at: 0))
        for day in 90...91 { try pass(day, 0, 1) }
        #expect(isRetired(2, at: 0) && isRetired(2, at: 1))
        #expect(!isRetired(0, at: 1) && !isRetired(1, at: 0))
        // Its registers are gone, what they said is not; nor are its messages.
        #expect(try zones[0].store.liveRegisters(of: old).isEmpty)
        #expect(try zones[0].zone.chat.message(ChatMessage.sample(1).txid)?.isRead == true)
        #expect(try zones[0].zone.chat.conversation("bob")?.unread == 1)
        #expect(try zones[0].zone.chat.details("bob").isPinned?.value == true)

        // What it did meanwhile, offline, is not lost either.
        try lost.archive(.sample(3, score: 3))
        _ = try lost.zone.reads.markRead("bob", upTo: ChatMessage.sample(2, score: 2).txid, now: .zero, wall: .day(92))
        try lost.zone.reads.publishReads()
        try pass(92, 0, 1, 2)
        try pass(93, 0, 1, 2)
        #expect(lost.zone.lane != old)
        for zone in zones {
            let summary = try #require(try zone.zone.chat.conversation("bob"))
            #expect(summary.messages == 3 && summary.unread == 1 && summary.details?.isPinned?.value == true)
        }
        #expect(Set(zones.map(\.store.digest)).count == 1)
    }

    @Test func aNodeAloneOrWithOneThatIsGoneNeverPrunes() throws {
        try pass(0, 0, 1, 2)
        for day in 1...200 { try pass(day, 0) }
        #expect(!isRetired(1, at: 0) && !isRetired(2, at: 0))
    }

    @Test func aWrongClockRetiresNobody() throws {
        try pass(0, 0, 1, 2)
        // This node's clock runs back and forth over a few days, and once far ahead.
        for step in 0..<TestScale.of(usual: 100, proof: 400) { try pass([1, 2, 3, 5_000, 4][step % 5], 0, 1) }
        #expect(!isRetired(2, at: 0))
    }

    @Test func theTimeCanBeSet() throws {
        zones[0].zone.policy.retireAfterDays = 30
        try pass(0, 0, 1, 2)
        for day in 1...31 { try pass(day, 0, 1) }
        #expect(isRetired(2, at: 0))
    }
}
