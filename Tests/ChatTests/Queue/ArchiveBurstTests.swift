import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// Messages that are queued while a device is connected, or when one connects.
@Suite struct ArchiveBurstTests {
    private static func at(_ milliseconds: Int) -> MonotonicTime { .zero + .milliseconds(milliseconds) }
    private static let lanes = (1...4).map { LaneID(Bytes32(UInt64($0), 9, 9, 9)) }

    /// A conversation in which this many lanes rank before the fixture's device.
    private static func conversation(rank: Int) throws -> String {
        let ranking = ArchiveRanking(own: ChatFixture.lane, others: lanes)
        let found = (0..<1_000).map { "talk \($0)" }.first {
            ranking.rank(conversation: $0, day: ChatMessage.sample(1).dayBucket) == rank
        }
        return try #require(found)
    }

    private static func connected() throws -> ChatFixture {
        let node = try ChatFixture()
        node.chat.queue.ranking.others = lanes
        return node
    }

    /// Does what a node does when its deadlines pass, until the queue is empty.
    ///
    /// - Returns: the times of the cuts, in milliseconds.
    private static func run(_ node: ChatFixture, until end: Int) throws -> [Int] {
        var cuts: [Int] = []
        var steps = 0
        while let due = node.chat.nextCutDeadline, due <= at(end) {
            steps += 1
            try #require(steps < 100, "a deadline that is never met")
            let now = max(due, node.chat.queue.latestNow)
            if try node.cut(force: false, now: now) > 0 {
                cuts.append(Int((now - .zero).heldNanoseconds / 1_000_000))
            }
        }
        return cuts
    }

    @Test func aBurstIsOneSegmentAShortWhileAfterItsLastMessage() throws {
        let node = try Self.connected()
        for number in 0..<20 {
            try node.accept(.sample(UInt64(number), direction: .sent), now: Self.at(number * 100))
            #expect(try Self.run(node, until: number * 100) == [])
        }
        #expect(node.chat.nextCutDeadline == Self.at(2_200))
        #expect(try Self.run(node, until: 10_000) == [2_200])
        #expect(try node.store.contents().map(\.messages.count) == [20])
    }

    @Test func aBurstWithoutEndIsCutNowAndThen() throws {
        let node = try Self.connected()
        var cuts: [Int] = []
        for number in 0..<100 {
            try node.accept(.sample(UInt64(number), direction: .sent), now: Self.at(number * 250))
            cuts += try Self.run(node, until: number * 250)
        }
        // Each cut comes five seconds after its first message, with the twenty-first.
        #expect(cuts == [5_000, 10_250, 15_500, 20_750])
        #expect(try node.store.contents().allSatisfy { $0.messages.count == 21 })
    }

    @Test func whoComesGetsWhatWaits() throws {
        let node = try ChatFixture()
        for number in 1...3 as ClosedRange<UInt64> { try node.accept(.sample(number, direction: .sent)) }
        #expect(try Self.run(node, until: 100_000) == [])
        try node.accept(.sample(4, conversation: "ann", direction: .sent), now: Self.at(100_000))
        node.chat.queue.ranking.others = Self.lanes
        #expect(try Self.run(node, until: 110_000) == [100_300])
        #expect(node.chat.queuedCount == 0)
    }

    /// The others may have the same messages queued, so the wait counts from the meeting, not from the arrival.
    @Test func whatWasReceivedWaitsForThoseThatComeFirstAlsoWhenTheyMeet() throws {
        let name = try Self.conversation(rank: 2)
        let node = try ChatFixture()
        try node.accept(.sample(1, conversation: name))
        #expect(try node.cut(force: false, now: Self.at(100_000)) == 0)
        node.chat.queue.ranking.others = Self.lanes
        #expect(try Self.run(node, until: 200_000) == [100_800])
    }

    @Test func whatWasSentIsCutOutOfWhatWaitsForOthers() throws {
        let name = try Self.conversation(rank: 1)
        let node = try Self.connected()
        try node.accept(.sample(1, conversation: name, direction: .received))
        #expect(try Self.run(node, until: 0) == [])
        try node.accept(.sample(2, conversation: name, direction: .sent), now: Self.at(100))
        try node.accept(.sample(3, conversation: name, direction: .received), now: Self.at(300))
        #expect(try Self.run(node, until: 60_000) == [400, 850])
        #expect(try node.store.contents().map { $0.messages.map(\.direction) } == [[.sent], [.received, .received]])
    }

    @Test func theWholeQueueCountsWhileNobodyIsThere() throws {
        let node = try ChatFixture()
        for number in 1...30 as ClosedRange<UInt64> {
            try node.accept(.sample(number, conversation: "talk \(number)"), now: Self.at(Int(number)))
            _ = try Self.run(node, until: Int(number))
        }
        #expect(node.chat.queuedCount == 5)
        #expect(node.chat.nextCutDeadline == Self.at(300_026))
    }

    @Test func itsBytesCountToo() throws {
        let node = try ChatFixture()
        let body = String(repeating: "long ", count: 10_000)
        for number in 1...3 as ClosedRange<UInt64> {
            try node.accept(.sample(number, conversation: "talk \(number)", body: body))
        }
        #expect(try Self.run(node, until: 0) == [0])
        #expect(node.chat.queuedCount == 0)
    }

    /// The importer cuts an import.
    @Test func historyMakesNoSmallSegments() throws {
        for others in [[], Self.lanes] {
            let node = try ChatFixture()
            node.chat.queue.ranking.others = others
            try node.database.transaction {
                for number in 1...300 as ClosedRange<UInt64> {
                    let message = ChatMessage.sample(number, conversation: "talk \(number % 30)")
                    _ = try node.chat.accept(message, isHistory: true, now: .zero)
                }
            }
            #expect(try Self.run(node, until: 60_000) == [])
            // It does not hold up a message that an app gives meanwhile.
            try node.accept(.sample(1_000, conversation: "app", direction: .sent), now: Self.at(60_000))
            #expect(try Self.run(node, until: 61_000) == (others.isEmpty ? [] : [60_300]))
            #expect(try node.cut() == (others.isEmpty ? 31 : 30))
        }
    }

    /// News of a queued message does not make it wait longer.
    @Test func aMessageThatIsConfirmedMeanwhileGoesAtItsTime() throws {
        let node = try Self.connected()
        let message = ChatMessage.sample(1, direction: .sent)
        try node.accept(message)
        #expect(try Self.run(node, until: 0) == [])
        for number in 1...2 {
            let event = ChainEvent(
                txid: message.txid, kind: .confirm, acceptingDaaScore: number == 1 ? nil : 7,
                status: number == 1 ? .seen : .confirmed)
            _ = try node.database.transaction { try node.chat.learn(event, now: Self.at(number * 100)) }
        }
        #expect(try Self.run(node, until: 10_000) == [300])
        #expect(try node.store.contents()[0].messages[0].status == .confirmed)
    }

    @Test func aRollbackLeavesWhatWaitsItsTime() throws {
        let node = try Self.connected()
        try node.accept(.sample(1, direction: .sent))
        #expect(try node.cut(force: false) == 0)
        try node.database.begin()
        _ = try node.chat.accept(.sample(2, direction: .sent), now: Self.at(250))
        node.database.rollback()
        #expect(node.chat.queuedCount == 1)
        #expect(try Self.run(node, until: 10_000) == [300])
    }

    /// Random messages, devices that come and go, and segments that arrive: nothing waits for ever, no deadline stalls,
    /// and each message is archived once.
    @Test(arguments: 0..<TestScale.of(usual: 20, proof: 60) as Range<UInt64>) func nothingWaitsLongBesideADevice(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let node = try ChatFixture()
        var now = 0
        var number: UInt64 = 0
        for _ in 0..<200 {
            now += Int.random(in: 0..<3 as Range<Int>, using: &random) == 0 ? 20_000 : 150
            _ = try Self.run(node, until: now)
            let patience = Chat.Limits.burstAge + Chat.Limits.rankPauseMost
            if let since = node.chat.waitingBesideDevicesSince { #expect(Self.at(now) - since <= patience) }
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let count = Int.random(in: 0...4, using: &random)
                node.chat.queue.ranking.others = Array(Self.lanes.prefix(count))
            case 1:
                try node.database.begin()
                _ = try node.chat.accept(.sample(number + 1), now: Self.at(now))
                node.database.rollback()
            default:
                number += 1
                let isSent = Bool.random(using: &random)
                try node.accept(
                    .sample(
                        number, conversation: "talk \(Int.random(in: 0..<4, using: &random))",
                        direction: isSent ? .sent : .received), now: Self.at(now))
            }
        }
        _ = try Self.run(node, until: now + 400_000)
        #expect(node.chat.queuedCount == 0)
        let archived = try node.store.contents().flatMap { $0.messages.map(\.txid) }
        #expect(archived.count == Int(number) && Set(archived).count == archived.count)
    }
}
