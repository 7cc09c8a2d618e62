import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// What a node keeps in memory of a group is what its records say, however roots and records came.
@Suite("Group zones: memory and records", .timeLimit(.minutes(30))) struct GroupZoneMemoryTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invite()
        ben = try anna.admit("ben", 2, with: token)
        try ben.post(2)
        try anna.meet(ben)
    }

    private var firstEpoch: GroupWelcome {
        GroupWelcome(group: anna.zone.zone, epochs: [anna.zone.ring.epochs[0]], vouchers: [], address: nil)
    }

    private func pass(_ records: [Record], to bench: GroupBench) throws {
        for record in records { try bench.zone.store.put(record) }
        try bench.turn()
    }

    @Test("Records that no root opened are read when a welcome brings the root, and after a restart")
    func aWelcomeOpensWhatIsLocked() throws {
        try anna.zone.rotate()
        try anna.zone.rename("The family")
        try anna.post(3)
        let late = try GroupBench("dee", 5, firstEpoch)
        try pass(try anna.records(), to: late)
        #expect(late.zone.lockedCount > 0 && late.state.title?.title == "Family")
        // The roots come with the membership's record, before anything else is opened.
        let copy = try Database(snapshot: late.database.snapshot())
        let reopened = try GroupZone.open(
            anna.zone.zone, roots: anna.zone.membershipRoots, database: copy, memberSeed: GroupBench.seed("dee"),
            deviceSecret: Secret(bytes: [UInt8](repeating: 5, count: 32)), random: SeededRandom(seed: 5))
        try reopened.commit()
        try late.zone.take(anna.zone.welcome)
        try late.turn()
        for zone in [late.zone, reopened] {
            #expect(zone.lockedCount == 0 && zone.state.title?.title == "The family")
            #expect(try zone.staleness() == nil)
            #expect(try zone.score(of: anna.member, day: Day(number: 20_000), game: GroupBench.game)?.score == 3)
        }
    }

    @Test("A wrong root that somebody welcomed with goes, and the right one is taken from its seal")
    func wrongRoots() throws {
        try anna.zone.rotate()
        try anna.zone.rename("The family")
        try anna.turn()
        let newest = try #require(anna.zone.ring.epochs.last)
        let wrong = GroupEpoch(record: newest.record, root: GroupBench.seed("wrong"))
        let phone = try GroupBench(
            "ben", 6,
            GroupWelcome(
                group: anna.zone.zone, epochs: [anna.zone.ring.epochs[0], wrong], vouchers: [], address: nil))
        #expect(try phone.meet(anna))
        #expect(phone.zone.ring.epoch(of: newest.record)?.discovery.hasBytes(of: newest.discovery) == true)
        #expect(phone.zone.lockedCount == 0 && phone.state.title?.title == "The family")
        #expect(try phone.zone.staleness() == nil)
        let again = try phone.reopened("ben")
        #expect(again.zone.ring.epoch(of: newest.record)?.discovery.hasBytes(of: newest.discovery) == true)
    }

    @Test("A store that never became durable is rolled back without beginning anything")
    func aRollbackBeginsNothing() throws {
        let zone = try GroupZone.join(
            firstEpoch, database: Database(path: ":memory:"), memberSeed: GroupBench.seed("eve"),
            deviceSecret: Secret(bytes: [UInt8](repeating: 9, count: 32)), random: SeededRandom(seed: 9))
        try zone.rollback()
        #expect(!zone.store.hasUncommitted)
        try zone.commit()
        for record in try anna.records() { try zone.store.put(record) }
        try zone.commit()
        #expect(try zone.staleness() == nil)
        #expect(zone.state.members == anna.state.members)
    }

    // MARK: What others write

    @Test("Names that somebody writes for another keep nobody from having one")
    func foreignNames() throws {
        let foreign = try MemberName(
            member: anna.member, name: "Nobody", revision: Limits.nameRevision, updatedAt: GroupBench.wall)
        try ben.zone.put(.name(foreign))
        try ben.turn()
        try anna.meet(ben)
        try anna.zone.setName("Anna", wall: GroupBench.wall)
        #expect(anna.zone.givenNames == [anna.member: "Anna"])
    }

    @Test("Junk that poses as a sealed root keeps nobody out: the owner seals nevertheless")
    func junkSeals() throws {
        let cleo = try ben.admit("cleo", 3, with: token)
        // The owner does not know her yet.
        try anna.zone.rotate()
        try anna.turn()
        let root = try #require(anna.state.rootRecord?.hash)
        let dee = try GroupBench("dee", 4, firstEpoch)
        try ben.zone.write(
            .seal(root: root, to: cleo.member, sealed: [UInt8](repeating: 7, count: 104)), under: .zero)
        try ben.turn()
        // Junk and newcomer come to the owner together.
        try pass(try ben.records(), to: anna)
        try anna.meet(cleo)
        #expect(cleo.zone.ring.epoch(of: root) != nil)
        #expect(dee.zone.ring.epochs.count == 1)
    }

    @Test("Numbers of titles and rotations have a bound, so that one more is always one")
    func numbersAreBounded() throws {
        let owner = try #require(anna.state.ownership)
        for (number, isTaken) in [(Limits.ownersNumber, true), (Limits.ownersNumber + 1, false), (.max, false)] {
            let title = GroupTitle(number: number, title: "Mine")
            let rotation = Rotation(
                number: number, commitment: .zero, previous: owner, sealedPrevious: [1], follows: .empty)
            for act in [ControlAct.title(title), .rotate(rotation)] {
                let record = ControlRecord(
                    group: anna.zone.zone, by: anna.member, under: owner, claimedAt: GroupBench.wall, nonce: 1,
                    act: act, sign: anna.zone.memberKey.sign)
                #expect(((try? ControlRecord(encoded: record.encoded)) != nil) == isTaken)
                if isTaken { try anna.zone.put(record) }
            }
        }
        try anna.turn()
        #expect(throws: GroupError.exhausted) { try anna.zone.rename("Ours") }
        // A removal asks for a rotation, which there cannot be: the node goes on without.
        try anna.zone.write(.remove(ben.member, staying: .empty), under: owner)
        try anna.turn()
        #expect(anna.state.isRootDue)
    }
}
