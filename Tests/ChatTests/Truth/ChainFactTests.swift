import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ChainFactTests {
    private static let txid = ChatMessage.sample(1).txid

    @Test func factsComeBackAsTheyWent() throws {
        let facts = ChainFacts([
            ChainFact(txid: Self.txid, revision: 1, status: .reorged),
            ChainFact(
                txid: Self.txid, revision: SyncState.Limits.revision, blockTime: Chat.Limits.timeMilliseconds,
                acceptingDaaScore: Chat.Limits.acceptingDaaScore, status: .confirmed),
        ])
        #expect(try ChainFacts(encoded: facts.encoded) == facts)
        for count in 0..<facts.encoded.count {
            #expect(throws: CBORError.self) { try ChainFacts(encoded: Array(facts.encoded.prefix(count))) }
        }
        #expect(throws: CBORError.self) { try ChainFacts(encoded: facts.encoded + [0]) }
        #expect(throws: CBORError.self) { try ChainFacts(encoded: ChainFacts([]).encoded) }
        for revision in [0, SyncState.Limits.revision + 1] {
            let bad = ChainFacts([ChainFact(txid: Self.txid, revision: revision, status: .seen)])
            #expect(throws: CBORError.self) { try ChainFacts(encoded: bad.encoded) }
        }
    }

    /// The longest batch fits a record with its seal.
    @Test func aFullBatchFitsARecord() throws {
        let device = try TestZone(device: 1)
        for number in 0..<UInt64(Chat.Limits.factsInRecord) {
            let event = ChainEvent(
                txid: ChatMessage.sample(number).txid, kind: .confirm, blockTime: Chat.Limits.timeMilliseconds,
                acceptingDaaScore: Chat.Limits.acceptingDaaScore)
            #expect(try device.zone.learn(event, now: .zero) == .new)
        }
        try device.zone.commit()
        let records = device.store.takeWritten().map(\.record)
        #expect(records.count == 1 && records.allSatisfy { $0.encoded.count <= SyncState.Limits.recordSizeBytes })
        #expect(throws: ChatMessageError.self) {
            try device.zone.learn(
                ChainEvent(txid: Self.txid, kind: .confirm, blockTime: Chat.Limits.timeMilliseconds + 1), now: .zero)
        }
    }

    @Test func theHighestRevisionCountsThenTheHash() {
        let one = ChainFact(txid: Self.txid, revision: 1, acceptingDaaScore: 9, status: .confirmed)
        let other = ChainFact(txid: Self.txid, revision: 1, acceptingDaaScore: 8, status: .confirmed)
        #expect(one.isPreferred(over: other) != other.isPreferred(over: one))
        #expect(!one.isPreferred(over: one))
        let later = ChainFact(txid: Self.txid, revision: 2, status: .reorged)
        #expect(later.isPreferred(over: one) && !one.isPreferred(over: later))
    }

    @Test func whatIsNotToldStaysAndOnlyAReorgTakesAScoreAway() throws {
        let copy = ChatMessage.sample(1, score: 5, blockTime: 77)
        let seen = ChainFact(txid: copy.txid, revision: 1, blockTime: 80, status: .seen).applied(to: copy)
        #expect(seen.acceptingDaaScore == 5 && seen.blockTime == 80 && seen.status == .confirmed)
        let reorged = try ChainEvent(txid: copy.txid, kind: .reorg).fact(after: nil).applied(to: copy)
        #expect(reorged.acceptingDaaScore == nil && reorged.blockTime == 77 && reorged.status == .reorged)
        let moved = try ChainEvent(txid: copy.txid, kind: .reorg, acceptingDaaScore: 9).fact(after: nil)
        #expect(moved.applied(to: copy).acceptingDaaScore == 9 && moved.status == .reorged)
        let highest = ChainFact(txid: copy.txid, revision: SyncState.Limits.revision, status: .seen)
        #expect(throws: ChatError.revisionsExhausted) {
            try ChainEvent(txid: copy.txid, kind: .confirm).fact(after: highest)
        }
    }

    /// One device hears once or twice that the message is in a block, the other that it is accepted. The score stays,
    /// whichever fact counts.
    @Test(arguments: [1, 2], 1...8)
    func whatTwoDevicesHeardAtOnceAddsUp(blocks: UInt64, number: UInt64) throws {
        let cluster = try TruthCluster(3)
        let txid = ChatMessage.sample(number).txid
        try cluster.devices[0].archive(.sample(number))
        try cluster.settle()
        func hear(_ device: Int, blockTime: UInt64? = nil, score: UInt64? = nil) throws {
            let event = ChainEvent(txid: txid, kind: .confirm, blockTime: blockTime, acceptingDaaScore: score)
            #expect(try cluster.devices[device].zone.learn(event, now: .zero) == .upgraded)
            try cluster.devices[device].zone.commit()
        }
        for block in 1...blocks { try hear(0, blockTime: 1_700_000_000_000 + block) }
        try hear(1, score: 90)
        try cluster.settle()
        for place in 0..<3 {
            let message = try #require(try cluster.row(place, txid).message)
            #expect(message.acceptingDaaScore == 90 && message.status == .confirmed)
            #expect(message.blockTime == 1_700_000_000_000 + blocks)
        }
        // Nobody replies to a complete fact.
        for device in cluster.devices { #expect(!device.zone.chat.hasUnpublishedFacts) }
        let facts = try cluster.devices.map { try $0.written { $0 is ChainFacts } }
        #expect(facts.reduce(0, +) <= Int(blocks) + 1 + 3)
    }

    /// A score that a reorg removed does not return when its fact arrives after a later one.
    @Test(arguments: 0..<6) func aScoreThatWasTakenAwayStaysAway(order: Int) throws {
        let device = try TestZone(device: 1)
        try device.archive(.sample(1))
        var left = [
            ChainFact(txid: Self.txid, revision: 1, acceptingDaaScore: 90, status: .confirmed),
            ChainFact(txid: Self.txid, revision: 2, status: .reorged),
            ChainFact(txid: Self.txid, revision: 3, blockTime: 1_700_000_009_000, status: .seen),
        ]
        for step in [order / 2, order % 2, 0] { _ = try device.zone.chat.merge(ChainFacts([left.remove(at: step)])) }
        let message = try #require(try device.zone.chat.message(Self.txid)?.message)
        #expect(message.acceptingDaaScore == nil && message.status == .seen)
    }

    /// Completing it would raise its revision above the news that the message is accepted again.
    @Test func aReorgIsLeftAsItIs() {
        let block = ChainFact(txid: Self.txid, revision: 1, blockTime: 5, acceptingDaaScore: 9, status: .confirmed)
        let reorg = ChainFact(txid: Self.txid, revision: 2, status: .reorged)
        #expect(reorg.completed(by: block) == nil)
    }

    /// A device takes the highest possible revision, and a correction still counts.
    @Test func revisionsAreNotUsedUp() throws {
        let cluster = try TruthCluster(3)
        try cluster.devices[0].archive(.sample(1))
        try cluster.settle()
        let bad = cluster.devices[2]
        func say(_ revision: UInt64, score: UInt64) throws {
            let fact = ChainFact(txid: Self.txid, revision: revision, acceptingDaaScore: score, status: .confirmed)
            try bad.store.write(
                RecordMeta(type: .chainFacts, tag: Bytes16(revision, score), fields: ChainFacts([fact]).encoded),
                slotName: ChainFacts.slotName, kind: .immutable)
            try bad.zone.commit()
            try cluster.settle()
        }
        func scores() throws -> Set<UInt64?> {
            Set(try (0..<3).map { try cluster.row($0, Self.txid).message?.acceptingDaaScore })
        }
        try say(SyncState.Limits.revision, score: 1)
        #expect(try scores() == [nil])
        for score: UInt64 in 50...51 {
            let event = ChainEvent(txid: Self.txid, kind: .confirm, acceptingDaaScore: score)
            #expect(try cluster.devices[0].zone.learn(event, now: .zero) == .upgraded)
            try cluster.devices[0].zone.commit()
            try cluster.settle()
            #expect(try scores() == [score])
        }
        let newcomer = try TestZone(device: 4)
        try newcomer.take(from: cluster.devices[1])
        #expect(try newcomer.zone.chat.message(Self.txid)?.message.acceptingDaaScore == 51)
        // Revisions within reach of one another count, whichever comes first.
        try say(2 + 2 * SyncState.Limits.revisionGap, score: 2)
        #expect(try scores() == [51])
        try say(2 + SyncState.Limits.revisionGap, score: 3)
        #expect(try scores() == [2])
    }

    @Test(arguments: 0..<6)
    func theOrderOfArrivalDoesNotMatter(order: Int) throws {
        let gap = SyncState.Limits.revisionGap
        var left = [gap, 2 * gap, 3 * gap + 1].map {
            ChainFact(txid: Self.txid, revision: $0, acceptingDaaScore: $0 / gap, status: .confirmed)
        }
        let device = try TestZone(device: 1)
        try device.archive(.sample(1))
        for step in [order / 2, order % 2, 0] {
            _ = try device.zone.chat.merge(ChainFacts([left.remove(at: step)]))
            try device.zone.commit()
        }
        #expect(try device.zone.chat.message(Self.txid)?.message.acceptingDaaScore == 2)
        let again = try device.reopened()
        let last = ChainFact(txid: Self.txid, revision: 2 * gap + 1, acceptingDaaScore: 7, status: .confirmed)
        #expect(try again.zone.chat.merge(ChainFacts([last])) == [Self.txid, Self.txid])
        #expect(try again.zone.chat.message(Self.txid)?.message.acceptingDaaScore == 3)
    }

    /// An import without a body may know where the message stands.
    @Test func whatAStubTellsOfTheChainStays() throws {
        let cluster = try TruthCluster(2)
        let (importer, sender) = (cluster.devices[0], cluster.devices[1])
        let stub = Stub(
            txid: Self.txid, conversationID: "bob", blockTime: 1_700_000_009_000, acceptingDaaScore: 90,
            hintedAt: WallTime(milliseconds: 1_700_000_100_000))
        #expect(try importer.zone.hint(stub) == .new)
        #expect(try importer.zone.hint(stub) == .known)
        try importer.zone.commit()
        #expect(try importer.written { $0 is ChainFacts } == 1)
        try sender.archive(.sample(1))
        try cluster.settle()
        for place in [0, 1] {
            let message = try #require(try cluster.row(place, Self.txid).message)
            #expect(message.acceptingDaaScore == 90 && message.blockTime == 1_700_000_009_000)
            #expect(message.status == .confirmed && message.body == "text 1")
        }
        // Known facts override those of an old export.
        let event = ChainEvent(txid: ChatMessage.sample(2).txid, kind: .confirm, acceptingDaaScore: 95)
        _ = try importer.zone.learn(event, now: .zero)
        var old = stub
        (old.txid, old.acceptingDaaScore) = (event.txid, 91)
        #expect(try importer.zone.hint(old) == .new)
        try importer.zone.commit()
        try sender.archive(.sample(2))
        try cluster.settle()
        #expect(try cluster.row(1, event.txid).message?.acceptingDaaScore == 95)
    }
}
