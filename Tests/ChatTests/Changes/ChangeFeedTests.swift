import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// What readers are told and when, in virtual time, across rollbacks and crashes.
@Suite struct ChangeFeedTests {
    /// A zone with a clock of its own.
    private final class Home {
        private(set) var node: TestZone
        var milliseconds: Int64 = 1_000

        init(device: UInt8 = 1) throws { node = try TestZone(device: device) }

        var zone: AccountZone { node.zone }
        var feed: ChangeFeed { zone.changes }

        func tick(_ milliseconds: Int64 = 1) {
            self.milliseconds += milliseconds
            let now = MonotonicTime.zero + .milliseconds(self.milliseconds)
            zone.store.setTime(now: now, wall: WallTime(milliseconds: 1_700_000_000_000 + self.milliseconds))
        }

        /// Runs a turn of the loop: notes the changes and commits.
        func turn(after milliseconds: Int64 = 1, _ changes: ChangeGroup...) throws {
            tick(milliseconds)
            for change in changes { feed.note(change) }
            try zone.commit()
        }

        func crash() throws {
            node = try node.reopened()
            tick()
        }

        func entries(after number: UInt64 = 0) throws -> [ChangeEntry] {
            try feed.read(after: number, limit: Chat.Limits.readChanges)
        }
    }

    private static func txid(_ number: UInt64) -> TxID { TxID(Bytes32(number, 0, 0, number)) }

    private static func many(_ count: Int, _ conversation: String = "bob") -> ChangeGroup {
        ChangeGroup(of: .messageAdded, conversation: conversation, count: count)
    }

    private static func added(_ number: UInt64, _ conversation: String = "bob") -> ChangeGroup {
        ChangeGroup(of: .messageAdded, txid(number), conversation: conversation)
    }

    // MARK: One by one

    @Test func aMessageIsToldAtOnceAndByItsId() throws {
        let home = try Home()
        home.tick()
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try home.zone.accept(.sample(number), now: .zero)
            #expect(home.feed.latest == number - 1, "nothing is told before the commit")
            try home.zone.commit()
            #expect(home.feed.latest == number)
        }
        let entries = try home.entries()
        #expect(entries.map(\.group.kind) == [.messageAdded, .messageAdded, .messageAdded])
        #expect(entries.map(\.group.txids) == (1...3).map { [ChatMessage.sample($0).txid] })
        #expect(entries.map(\.group.conversation) == ["bob", "bob", "bob"])
        #expect(entries.map(\.number) == [1, 2, 3])
    }

    @Test func whatIsKnownAlreadyIsNotToldAgain() throws {
        let home = try Home()
        try home.turn()
        _ = try home.zone.accept(.sample(1), now: .zero)
        try home.zone.commit()
        _ = try home.zone.accept(.sample(1), now: .zero)
        try home.zone.commit()
        #expect(home.feed.latest == 1)
        _ = try home.zone.accept(.sample(1, score: 7, blockTime: 7_000), now: .zero)
        try home.zone.commit()
        #expect(try home.entries().map(\.group.kind) == [.messageAdded, .messageConfirmed])
    }

    @Test func aStubThatIsResolvedIsToldAsSuch() throws {
        let home = try Home()
        let message = ChatMessage.sample(4)
        _ = try home.zone.hint(Stub(txid: message.txid, conversationID: "bob", hintedAt: WallTime(milliseconds: 1)))
        try home.zone.commit()
        _ = try home.zone.accept(message, now: .zero)
        try home.zone.commit()
        #expect(try home.entries().map(\.group.kind) == [.messageHinted, .messageResolved])
    }

    @Test func readingTellsThePositionAndTheCount() throws {
        let home = try Home()
        _ = try home.zone.accept(.sample(1), now: .zero)
        try home.zone.commit()
        #expect(try home.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: WallTime(milliseconds: 1)))
        try home.zone.commit()
        #expect(try home.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: WallTime(milliseconds: 2)) == false)
        try home.zone.commit()
        #expect(try home.entries().dropFirst().map(\.group.kind) == [.readState, .unread])
    }

    @Test func aTurnThatFailsTellsNothing() throws {
        let home = try Home()
        _ = try home.zone.accept(.sample(1), now: .zero)
        home.feed.note(.account)
        try home.zone.rollback()
        try home.turn()
        #expect(home.feed.latest == 0)
        _ = try home.zone.accept(.sample(1), now: .zero)
        try home.zone.commit()
        #expect(home.feed.latest == 1)
    }

    @Test func theStateIsToldWhenItIsAnother() throws {
        let home = try Home()
        for state in ["idle", "idle", "syncing", "syncing", "synced"] {
            home.tick(300)
            try home.feed.note(state: state)
            try home.zone.commit()
        }
        try home.crash()
        try home.feed.note(state: "synced")
        try home.turn()
        #expect(try home.entries().map(\.group.state) == ["idle", "syncing", "synced"])
        // A change and its reversal within a window leave nothing to tell.
        for state in ["syncing", "synced", "syncing", "synced"] {
            home.tick(1)
            try home.feed.note(state: state)
            try home.zone.commit()
        }
        try home.turn(after: 300)
        #expect(try home.entries().suffix(2).map(\.group.state) == ["syncing", "synced"])
    }

    // MARK: Together

    @Test func aRestoreTellsOneEventAConversationAndWindow() throws {
        let home = try Home()
        let conversations = (0..<40).map { "c\($0)" }
        // 100,000 messages in two seconds, 20 ms a turn.
        for _ in 0..<100 {
            home.tick(20)
            for conversation in conversations { home.feed.note(Self.many(25, conversation)) }
            try home.zone.commit()
        }
        #expect(home.feed.deadline != nil)
        try home.turn(after: 250)
        #expect(home.feed.deadline == nil)
        var told: [String: [(at: Int64, count: Int)]] = [:]
        for entry in try home.entries() {
            told[entry.group.conversation ?? "", default: []].append((entry.at.milliseconds, entry.group.count))
        }
        #expect(told.count == conversations.count)
        for events in told.values {
            #expect(events.reduce(0) { $0 + $1.count } == 2_500)
            #expect(events.count <= 2_000 / 250 + 2)
            for (event, next) in zip(events, events.dropFirst()) { #expect(next.at - event.at >= 250) }
        }
    }

    @Test func aMessageOfOwnIsToldAtOnceInTheMiddleOfARestore() throws {
        let home = try Home()
        try home.turn(Self.many(25))
        try home.turn(Self.many(25))
        try home.turn(Self.added(7), Self.added(8))
        #expect(try home.entries().map(\.group.txids) == [[], [Self.txid(7)], [Self.txid(8)]])
        try home.turn(after: 250)
        #expect(try home.entries().last?.group.count == 25)
    }

    @Test func aFewMessagesTogetherAreNamed() throws {
        let home = try Home()
        try home.feed.gather { try home.turn(Self.added(1), Self.added(2), Self.added(3, "eve")) }
        #expect(try home.entries().map(\.group.txids) == [[Self.txid(1), Self.txid(2)], [Self.txid(3)]])
        home.feed.gather { for number in 10..<60 as Range<UInt64> { home.feed.note(Self.added(number)) } }
        try home.turn(after: 300)
        let many = try #require(try home.entries().last?.group)
        #expect(many.count == 50)
        #expect(many.txids.isEmpty)
    }

    @Test func whatIsHeldSurvivesACrash() throws {
        let home = try Home()
        for _ in 0..<4 { try home.turn(Self.many(10)) }
        #expect(try home.entries().map(\.group.count) == [10])
        try home.crash()
        try home.turn()
        #expect(try home.entries().map(\.group.count) == [10, 30])
        try home.crash()
        try home.turn(after: 300)
        #expect(home.feed.latest == 2)
    }

    // MARK: Tokens

    @Test func aTokenGoesOnBehindItsEntry() throws {
        let home = try Home()
        let start = try home.feed.latestToken()
        #expect(try home.feed.number(of: start) == 0)
        for number in 1...5 as ClosedRange<UInt64> { try home.turn(Self.added(number)) }
        let entries = try home.entries()
        for entry in entries {
            let token = try #require(ChangeToken(text: entry.token.text))
            #expect(try home.feed.number(of: token) == entry.number)
        }
        #expect(entries.map(\.token.text) == entries.map(\.token.text).sorted())
        #expect(try home.feed.latestToken() == entries.last?.token)
        #expect(try home.feed.number(of: start) == 0)
        try home.crash()
        #expect(try home.feed.number(of: entries[2].token) == 3)
    }

    @Test func aTokenOfAnotherStoreIsRefused() throws {
        let (home, other) = (try Home(), try Home(device: 2))
        try home.turn(Self.added(1))
        try other.turn(Self.added(1))
        let foreign = try other.feed.latestToken()
        #expect(throws: ChangeError.foreignToken) { try home.feed.number(of: foreign) }
        for text in ["", "0", "zz", foreign.text + "00", String(foreign.text.dropLast())] {
            #expect(ChangeToken(text: text) == nil)
        }
    }

    @Test func aStoreThatWasPutBackRefusesWhatItNeverTold() throws {
        let home = try Home()
        try home.turn(Self.added(1))
        let copy = try home.node.database.snapshot()
        try home.turn(Self.added(2))
        let token = try home.feed.latestToken()
        let restored = try TestZone(device: 1, database: Database(snapshot: copy)).zone
        #expect(throws: ChangeError.foreignToken) { try restored.changes.number(of: token) }
        // The restored zone takes another course, up to the same number.
        restored.store.setTime(now: .zero, wall: WallTime(milliseconds: 1_800_000_000_000))
        restored.changes.note(Self.added(3))
        try restored.commit()
        #expect(restored.changes.latest == 2)
        #expect(throws: ChangeError.foreignToken) { try restored.changes.number(of: token) }
    }

    @Test func whoStartsAfreshHasAnotherFeed() throws {
        let home = try Home()
        try home.turn(Self.added(1))
        let token = try home.feed.latestToken()
        try home.zone.store.startAfresh(.guardMismatch)
        try home.zone.commit()
        #expect(throws: ChangeError.foreignToken) { try home.feed.number(of: token) }
        try home.crash()
        #expect(throws: ChangeError.foreignToken) { try home.feed.number(of: token) }
    }

    @Test func aTokenExpiresAfterSevenDays() throws {
        let home = try Home()
        try home.turn(Self.added(1))
        let old = try home.feed.latestToken()
        let day: Int64 = 86_400_000
        try home.turn(after: 6 * day, Self.added(2))
        let young = try home.feed.latestToken()
        try home.turn(after: 2 * day, Self.added(3))
        try home.crash()
        try home.turn(Self.added(4))
        #expect(throws: ChangeError.expiredToken) { try home.feed.number(of: old) }
        #expect(try home.feed.number(of: young) == 2)
        #expect(try home.entries().map(\.number) == [2, 3, 4])
        // A feed whose entries are all old keeps the newest: numbers continue, and its reader need not start over.
        try home.crash()
        home.tick(30 * day)
        try home.turn(Self.added(5))
        #expect(try home.entries().map(\.number) == [5])
    }

    @Test func noMoreThanTheLimitIsKept() throws {
        let home = try Home()
        let total = Chat.Limits.keptChanges + 3_000
        for start in stride(from: 0, to: total, by: 1_000) {
            home.tick(300)
            for number in start..<start + 1_000 { home.feed.note(.conversation, conversation: "c\(number)") }
            try home.zone.commit()
        }
        #expect(home.feed.latest == total)
        let oldest = try #require(try home.entries().first)
        let kept = total - oldest.number + 1
        #expect(kept <= Chat.Limits.keptChanges + 1_000)
        #expect(kept >= Chat.Limits.keptChanges)
    }

    // MARK: All together

    /// Random turns, some failing, crashes, and a reader that keeps its place: each committed change is told once.
    @Test(arguments: 1...TestScale.of(usual: 6, proof: 20) as ClosedRange<UInt64>) func nothingIsLostOrDoubled(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let home = try Home()
        var (committed, learnt): ([String: Int], [String: Int]) = ([:], [:])
        var (named, told): (Set<TxID>, [TxID]) = ([], [])
        var place: ChangeToken?
        var seen: [ChangeEntry] = []
        func catchUp(limit: Int) throws {
            let start = try place.map { try home.feed.number(of: $0) } ?? 0
            for entry in try home.feed.read(after: start, limit: limit) {
                #expect(entry.number == (seen.last?.number ?? 0) + 1)
                place = entry.token
                seen.append(entry)
                if entry.group.txids.isEmpty { learnt[entry.group.conversation ?? "", default: 0] += entry.group.count }
                told += entry.group.txids
            }
        }
        for step in 0..<400 as Range<UInt64> {
            home.tick(Int64(random.next() % 120))
            var noted: [ChangeGroup] = []
            for number in 0..<random.next() % 4 {
                let conversation = "c\(random.next() % 5)"
                let isHistory = random.next() % 2 == 0
                noted.append(
                    isHistory
                        ? Self.many(Int(random.next() % 30) + 1, conversation)
                        : Self.added(step << 8 | number, conversation))
            }
            for change in noted { home.feed.note(change) }
            // A transaction ends even if nothing is noted.
            try home.zone.store.put(setting: "step", [1])
            switch random.next() % 10 {
            case 0: try home.zone.rollback()
            case 1: try home.crash()
            default:
                try home.zone.commit()
                for group in noted {
                    if group.txids.isEmpty { committed[group.conversation ?? "", default: 0] += group.count }
                    named.formUnion(group.txids)
                }
            }
            if random.next() % 3 == 0 { try catchUp(limit: Int(random.next() % 20)) }
        }
        try home.turn(after: 300)
        try catchUp(limit: 1_000)
        try catchUp(limit: 1_000)
        #expect(learnt == committed)
        #expect(Set(told) == named)
        #expect(told.count == named.count)
        let again = try home.feed.read(after: 0, limit: 1_000)
        #expect(again == Array(seen.prefix(1_000)), "an entry never changes")
    }
}
