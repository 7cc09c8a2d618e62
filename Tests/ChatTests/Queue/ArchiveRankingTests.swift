import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ArchiveRankingTests {
    private static func at(_ seconds: Double) -> MonotonicTime { .zero + .milliseconds(Int64(seconds * 1_000)) }
    private static let lanes = (1...4).map { LaneID(Bytes32(UInt64($0), 9, 9, 9)) }

    /// A conversation in which the fixture's device has a rank among the lanes.
    private static func conversation(rank: Int) throws -> String {
        let ranking = ArchiveRanking(own: ChatFixture.lane, others: lanes)
        let found = (0..<1_000).map { "talk \($0)" }.first {
            ranking.rank(conversation: $0, day: ChatMessage.sample(1).dayBucket) == rank
        }
        return try #require(found)
    }

    @Test func devicesShareTheRanksOfEachDay() {
        var firsts: [LaneID: Int] = [:]
        for day in 0..<400 {
            var ranks: [Int] = []
            for own in Self.lanes {
                let ranking = ArchiveRanking(own: own, others: Self.lanes.filter { $0 != own })
                let rank = ranking.rank(conversation: "bob", day: UInt64(day))
                ranks.append(rank)
                if rank == 0 { firsts[own, default: 0] += 1 }
            }
            #expect(ranks.sorted() == [0, 1, 2, 3])
        }
        #expect(firsts.values.allSatisfy { (60...140).contains($0) } && firsts.count == 4)
    }

    @Test func aRankWaitsTenSecondsForEachThatComesFirst() throws {
        let name = try Self.conversation(rank: 2)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        try node.accept(.sample(1, conversation: name))
        #expect(try node.cut(force: false, now: Self.at(0)) == 0)
        // The end of the burst, and twice a quarter of a second.
        #expect(try node.cut(force: false, now: Self.at(0.79)) == 0)
        #expect(node.chat.nextCutDeadline == Self.at(0.8))
        #expect(try node.cut(force: false, now: Self.at(0.8)) == 1)
    }

    @Test func aFullGroupWaitsTooAndGoesOnGrowing() throws {
        let name = try Self.conversation(rank: 1)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        for number in 1...30 {
            try node.accept(.sample(UInt64(number), conversation: name), now: Self.at(Double(number) / 100))
        }
        #expect(try node.cut(force: false, now: Self.at(0.3)) == 0)
        #expect(node.chat.nextCutDeadline == Self.at(0.5))
        try node.accept(.sample(31, conversation: name), now: Self.at(0.45))
        // The burst is not over, so messages that do not fill a segment stay.
        #expect(try node.cut(force: false, now: Self.at(0.5)) == 1)
        #expect(node.chat.queuedCount == 6)
    }

    /// Nobody else archives it.
    @Test func whatWasSentFromHereWaitsForNobody() throws {
        let name = try Self.conversation(rank: 3)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        for number in 1...25 as ClosedRange<UInt64> {
            try node.accept(.sample(number, conversation: name, direction: .sent), now: Self.at(1))
        }
        #expect(node.chat.nextCutDeadline == Self.at(1))
        #expect(try node.cut(force: false, now: Self.at(1)) == 1)
        // A single message that others may have received makes all of them wait.
        for number in 26...50 as ClosedRange<UInt64> {
            try node.accept(
                .sample(number, conversation: name, direction: number == 40 ? .received : .sent), now: Self.at(1))
        }
        #expect(try node.cut(force: false, now: Self.at(1)) == 0)
        #expect(node.chat.nextCutDeadline == Self.at(1.3))
        // Sent messages go alone.
        #expect(try node.cut(force: false, now: Self.at(1.3)) == 1)
        #expect(node.chat.queuedCount == 1)
        #expect(try node.cut(force: false, now: Self.at(1.3)) == 0)
        // The wait is no longer than for two, however many go first.
        #expect(node.chat.nextCutDeadline == Self.at(1.8))
    }

    @Test func aFlushAndAnImportDoNotWait() throws {
        let name = try Self.conversation(rank: 3)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        try node.database.transaction {
            for number in 1...25 as ClosedRange<UInt64> {
                _ = try node.chat.accept(.sample(number, conversation: name), isHistory: true, now: .zero)
            }
        }
        #expect(try node.cut(force: false) == 1)
        for number in 26...50 { try node.accept(.sample(UInt64(number), conversation: name)) }
        #expect(try node.cut(force: false) == 0)
        #expect(try node.cut(force: true) == 1)
    }

    @Test func whoIsGoneIsNotWaitedFor() throws {
        let name = try Self.conversation(rank: 3)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        for number in 1...25 { try node.accept(.sample(UInt64(number), conversation: name)) }
        #expect(try node.cut(force: false, now: Self.at(0.4)) == 0)
        #expect(node.chat.nextCutDeadline == Self.at(0.5))
        node.chat.queue.ranking.others = []
        #expect(node.chat.nextCutDeadline == Self.at(0.4))
        #expect(try node.cut(force: false, now: Self.at(0.4)) == 1)
    }

    @Test func whatAnotherArchivedMeanwhileIsNotCut() throws {
        let name = try Self.conversation(rank: 1)
        let node = try ChatFixture()
        node.chat.queue.ranking.others = Self.lanes
        let messages = (1...26).map { ChatMessage.sample(UInt64($0), conversation: name) }
        for message in messages { try node.accept(message) }
        #expect(try node.cut(force: false, now: Self.at(0.2)) == 0)
        try node.arrive(Array(messages.prefix(25)))
        #expect(node.chat.queuedCount == 1)
        // The rest is no longer a full group, so its turn counts from the end of its burst.
        #expect(try node.cut(force: false, now: Self.at(0.7)) == 0)
        #expect(node.chat.nextCutDeadline == Self.at(0.75))
    }
}
