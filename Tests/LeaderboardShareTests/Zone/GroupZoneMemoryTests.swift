import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// What a node keeps in memory of a group matches its store, however roots and records came.
@Suite("Group zones: memory and store", .timeLimit(.minutes(30))) struct GroupZoneMemoryTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 6)
        ben = try anna.admit("ben", 2, with: token)
        try ben.post(2)
        try anna.meet(ben)
    }

    /// The zone as memory shows it.
    private func seen(_ bench: GroupBench) throws -> [String] {
        let zone = bench.zone
        let members = zone.roster.members(withRemoved: true)
        let rows = try zone.standings.rows(members.map(\.id), period: .all, today: Day(number: 20_001))
        return members.map { "\($0.id.hex) \($0.name) \($0.role) \($0.state) \($0.isConfirmed) \($0.devices)" }
            + rows.map { "\($0.member.hex) \($0.points) \($0.played)" } + zone.catalogue.games.map(\.name)
            + [zone.roster.title?.title ?? "", "\(zone.access)", zone.membership.root.rotate.hex]
            + ["\(try zone.scoreCount) \(try zone.voidScores) \(zone.invitations.open.count)"]
    }

    @Test("After a start memory is what it was, through a life of a group")
    func starts() throws {
        let cleo = try ben.admit("cleo", 3, with: token)
        let steps: [() throws -> Void] = [
            { try cleo.post(3) }, { try cleo.zone.roster.setName("Cleo", wall: GroupBench.wall) },
            { try anna.zone.roster.set(.admin, of: ben.member) }, { try anna.zone.roster.suspend(cleo.member) },
            { try anna.zone.roster.unsuspend(cleo.member) }, { try anna.zone.roster.set(.viewer, of: cleo.member) },
            { try anna.zone.roster.remove(cleo.member) }, { try anna.post(1) }, { try ben.zone.roster.leave() },
            { try anna.zone.roster.close() },
        ]
        for step in steps {
            try step()
            for bench in [cleo, ben, anna] { try bench.turn() }
            for bench in [cleo, ben] { try bench.meet(anna) }
            try ben.meet(anna)
            for bench in [anna, ben, cleo] { #expect(try seen(bench.reopened()) == seen(bench)) }
        }
        #expect(anna.zone.access == .closed && ben.zone.access == .left && cleo.zone.access == .removed)
    }

    @Test("A turn that fails leaves nothing behind: roles, names, results and roots are what the store has")
    func rollback() throws {
        try anna.turn()
        let before = try seen(anna)
        let acts: [() throws -> Void] = [
            { try anna.zone.post(game: GroupBench.game, day: Day(number: 20_000), score: 1, wall: GroupBench.wall) },
            { try anna.zone.roster.setName("Anna", wall: GroupBench.wall) },
            { try anna.zone.roster.rename("Others") }, { try anna.zone.roster.set(.viewer, of: ben.member) },
            { try anna.zone.roster.remove(ben.member) }, { _ = try anna.zone.invitations.invite() },
            { try anna.zone.enter(GameID(Bytes16(1, 2)), name: "Mini", model: .higher) },
            { try anna.zone.roster.close() },
        ]
        for act in acts {
            try act()
            #expect(try seen(anna) != before)
            try anna.zone.rollback()
            try anna.turn()
            #expect(try seen(anna) == before)
        }
        #expect(try seen(anna.reopened()) == before)
        // It continues as if nothing had happened.
        try anna.post(3)
        #expect(try anna.meet(ben))
        #expect(ben.points([anna.member]) == [4])
    }

    @Test("A rollback that cannot read the store leaves nothing half read")
    func failedRollback() throws {
        try anna.turn()
        for table in ["score_game", "score_member"] {
            let copy = try anna.reopened()
            try copy.database.execute("DROP TABLE \(table)")
            #expect(throws: (any Error).self) { try copy.zone.rollback() }
            #expect(try copy.zone.score(of: ben.member, day: Day(number: 20_000), game: GroupBench.game) == nil)
            #expect(try copy.zone.results(of: ben.member).isEmpty)
        }
    }

    @Test("A join whose store never became durable is rolled back without beginning anything")
    func rollbackBeginsNothing() throws {
        let welcome = try anna.welcome("eve", 9, with: token)
        let zone = try GroupZone.join(
            welcome, database: Database(path: ":memory:"), deviceSecret: GroupBench.device(9),
            random: SeededRandom(seed: 9))
        try zone.rollback()
        #expect(!zone.store.hasUncommitted)
        try zone.take(welcome)
        try zone.commit()
        #expect(zone.access == .joining && zone.member == GroupBench.member("eve", 9))
    }

    @Test("Rows that wait for the group's records survive a restart, and go when they are not needed")
    func entrance() throws {
        let eve = try GroupBench(anna.welcome("eve", 9, with: token), 9)
        let again = try eve.reopened()
        #expect(again.zone.access == .joining && again.zone.vouchers == eve.zone.vouchers)
        #expect(!again.zone.vouchers.isEmpty)
        // This member knows nothing of it.
        #expect(try again.meet(ben))
        #expect(again.zone.access == .member)
        #expect(try again.zone.store.setting("entrance") == [0x80])
    }

    @Test("Rows under a root that is not held wait, and are taken once it is")
    func roots() throws {
        let cleo = try anna.admit("cleo", 3, with: token)
        try anna.zone.roster.remove(cleo.member)
        try anna.turn()
        try anna.post(3)
        let ledger = anna.ledger
        let seals = ledger.filter { if case .seal = $0.act { true } else { false } }
        #expect(!seals.isEmpty)
        let rest = ledger.filter { record in !seals.contains(record) }
        #expect(try ben.take(rest, anna.rows()) == [.notYet])
        #expect(ben.points([anna.member]) == [0])
        #expect(try ben.take(seals, anna.rows()).isEmpty)
        #expect(ben.points([anna.member]) == [4])
    }

    @Test("Junk that poses as a sealed root keeps nobody out: the owner seals nevertheless")
    func junkSeals() throws {
        let cleo = try ben.admit("cleo", 3, with: token)
        // The owner does not know her yet.
        _ = try anna.zone.membership.makeRoot()
        try anna.turn()
        let root = anna.zone.membership.root.rotate
        try ben.take(anna.ledger)
        try ben.zone.context.write(
            .seal(
                Seal(
                    rotate: root, ephemeral: Bytes32(1, 2, 3, 4),
                    entries: [.init(recipient: cleo.zone.lane.storage, sealed: [UInt8](repeating: 7, count: 48))])))
        try ben.turn()
        // The junk and the newcomer reach the owner together.
        try anna.take(ben.ledger)
        try cleo.meet(anna)
        #expect(cleo.zone.membership.root.rotate == root)
    }

    @Test("Numbers of titles have a bound, so that one more is always one")
    func numbersAreBounded() throws {
        try anna.zone.context.write(.title(Title(revision: Ledger.Limits.revision, sealed: [1])))
        try anna.turn()
        #expect(throws: GroupError.exhausted) { try anna.zone.roster.rename("Ours") }
        #expect(anna.zone.roster.title == nil)
        let word = Word(member: ben.member, role: .viewer, revision: Ledger.Limits.revision, keep: .none)
        try anna.zone.context.write(.word(word))
        try anna.turn()
        #expect(throws: GroupError.exhausted) { try anna.zone.roster.set(.admin, of: ben.member) }
    }
}
