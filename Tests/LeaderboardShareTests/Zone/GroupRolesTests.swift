import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: roles, suspensions and names", .timeLimit(.minutes(30))) struct GroupRolesTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 2)
        ben = try anna.admit("ben", 2, with: token)
        cleo = try anna.admit("cleo", 3, with: token)
        try ben.meet(anna)
    }

    /// Lets the owner act, and ben and cleo hear of it.
    private func owner(_ act: () throws -> Void) throws {
        try act()
        try anna.turn()
        try anna.meet(ben)
        try anna.meet(cleo)
    }

    private func set(_ role: Role, of bench: GroupBench) throws {
        try owner { try anna.zone.roster.set(role, of: bench.member) }
    }

    @Test("A member's scores stay when it becomes a viewer; those it posts as one count, once it is raised again")
    func viewers() throws {
        try ben.post(2)
        try ben.meet(anna)
        try set(.viewer, of: ben)
        #expect(throws: GroupError.notAllowed) { try ben.post(1, day: 20_001) }
        let score = try DailyScore(
            member: ben.member, day: Day(number: 20_001), game: GroupBench.game, gameName: "Wordle", score: 1,
            maxAttempts: 6, updatedAt: GroupBench.wall)
        try ben.force(.score(score))
        try ben.meet(anna)
        for bench in [anna, ben] { #expect(bench.points([ben.member]) == [5]) }
        #expect(try anna.zone.voidScores == 1)
        try set(.member, of: ben)
        for bench in [anna, ben] { #expect(bench.points([ben.member]) == [11]) }
        #expect(anna.state.role(of: ben.member) == .member)
    }

    @Test("An admin's games count while it is admin, and those that a demotion names after it")
    func games() throws {
        #expect(!ben.zone.mayEnterGames)
        try set(.admin, of: ben)
        #expect(ben.zone.mayEnterGames)
        try ben.zone.enter(GameID(Bytes16(1, 2)), name: "Mini", model: .higher)
        try ben.turn()
        try ben.meet(anna)
        try set(.member, of: ben)
        let late = try Game(id: GameID(Bytes16(1, 3)), name: "Late", model: .higher, number: 3)
        try ben.force(.game(GameEntry(member: ben.member, game: late)))
        try ben.meet(anna)
        try anna.meet(cleo)
        for bench in [anna, ben, cleo] { #expect(bench.zone.catalogue.games.map(\.name) == ["Wordle", "Mini"]) }
    }

    @Test("The owner's entry of a game stands before an admin's, whatever its revision")
    func ownersGames() throws {
        try set(.admin, of: ben)
        let spoilt = try Game(
            id: GroupBench.game, name: "Spoilt", model: .higher, revision: Limits.scoreRevision, number: 1)
        try ben.force(.game(GameEntry(member: ben.member, game: spoilt)))
        try ben.meet(anna)
        for bench in [anna, ben] { #expect(bench.zone.catalogue.games.map(\.name) == ["Wordle"]) }
        // An admin is told so instead of being told that it worked.
        let count = ben.zone.store.recordCount
        #expect(throws: GroupError.gameOfOwner) { try ben.zone.enter(GroupBench.game, name: "Mine", model: .higher) }
        #expect(ben.zone.store.recordCount == count)
        // The owner renames it.
        try anna.zone.enter(GroupBench.game, name: "Wordle DE", model: .lowerAttempts, maxAttempts: 6)
        try anna.turn()
        try anna.meet(ben)
        for bench in [anna, ben] { #expect(bench.zone.catalogue.games.map(\.name) == ["Wordle DE"]) }
    }

    @Test("A suspended member is hidden until it is lifted, by another admin; the owner's only by the owner")
    func suspensions() throws {
        try cleo.post(2)
        try cleo.meet(anna)
        try set(.admin, of: ben)
        try ben.zone.roster.suspend(cleo.member)
        try ben.turn()
        try ben.meet(anna)
        try anna.meet(cleo)
        for bench in [anna, ben, cleo] {
            #expect(bench.points([cleo.member]) == [0])
            #expect(bench.zone.roster.members().first { $0.id == cleo.member }?.state == .suspended)
        }
        #expect(cleo.zone.access == .suspended)
        try owner { try anna.zone.roster.unsuspend(cleo.member) }
        #expect(ben.points([cleo.member]) == [5] && cleo.zone.access == .member)
        // Lifting it again, such as after a crash, does nothing.
        let controls = anna.ledger.count
        try anna.zone.roster.unsuspend(cleo.member)
        #expect(anna.ledger.count == controls)
        #expect(throws: GroupError.noSuchMember) { try anna.zone.roster.unsuspend(MemberID(Bytes32(1, 2, 3, 4))) }
        try owner { try anna.zone.roster.suspend(cleo.member) }
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.unsuspend(cleo.member) }
        #expect(throws: GroupError.ofOwner) { try ben.zone.roster.suspend(anna.member) }
        #expect(throws: GroupError.oneself) { try ben.zone.roster.suspend(ben.member) }
        try owner { try anna.zone.roster.unsuspend(cleo.member) }
        // An admin's suspension ends with the admin's role.
        try ben.zone.roster.suspend(cleo.member)
        try ben.turn()
        try ben.meet(anna)
        try set(.member, of: ben)
        #expect(anna.points([cleo.member]) == [5] && ben.points([cleo.member]) == [5])
    }

    @Test("The title is the owner's, and stays readable under all roots")
    func titles() throws {
        try owner { try anna.zone.roster.rename("The family", description: "every\nday") }
        #expect(ben.zone.roster.title == GroupTitle(title: "The family", description: "every\nday"))
        try owner { try anna.zone.roster.remove(cleo.member) }
        try owner { try anna.zone.roster.rename("Without Cleo") }
        #expect(ben.zone.roster.title?.title == "Without Cleo")
        // A removed member reads the titles, but no content.
        try cleo.take(anna.ledger)
        #expect(cleo.roots == 1)
        for bad in ["", "a\u{1B}[2J", "a\nb", "a\u{202E}b", String(repeating: "x", count: 81)] {
            #expect(throws: GroupError.badTitle) { try anna.zone.roster.rename(bad) }
        }
    }

    @Test("Names: the last one counts, also a viewer's; what somebody writes for another keeps nobody from having one")
    func names() throws {
        func name(_ member: MemberID, on bench: GroupBench) -> String? {
            bench.zone.roster.members().first { $0.id == member }?.name
        }
        try anna.zone.roster.setName("Annabel", wall: GroupBench.wall)
        try anna.zone.roster.setName("Anna", wall: GroupBench.wall)
        try anna.turn()
        try anna.meet(ben)
        #expect(name(anna.member, on: ben) == "Anna")
        let foreign = try MemberName(
            member: anna.member, name: "Nobody", revision: Limits.nameRevision, updatedAt: GroupBench.wall)
        try ben.force(.name(foreign))
        try ben.meet(anna)
        #expect(name(anna.member, on: anna) == "Anna" && name(anna.member, on: ben) == "Anna")
        try set(.viewer, of: ben)
        try ben.zone.roster.setName("Ben", wall: GroupBench.wall)
        try ben.turn()
        try ben.meet(anna)
        #expect(name(ben.member, on: anna) == "Ben")
        #expect(throws: ScoreError.badName) { try ben.zone.roster.setName("a\u{7}", wall: GroupBench.wall) }
        #expect(name(ben.member, on: try anna.reopened()) == "Ben")
    }

    @Test("A name that is wanted before the member is one is set as soon as it is")
    func wantedName() throws {
        let dee = try GroupBench(anna.welcome("dee", 4, with: try anna.zone.invitations.invite()), 4)
        try dee.zone.roster.want(name: "Dee")
        try dee.turn()
        #expect(try !dee.zone.roster.takeWantedName(wall: GroupBench.wall))
        try dee.meet(anna)
        #expect(try dee.zone.roster.takeWantedName(wall: GroupBench.wall))
        #expect(try !dee.zone.roster.takeWantedName(wall: GroupBench.wall))
        #expect(dee.zone.roster.members().first(where: \.isMe)?.name == "Dee")
    }

    @Test("No two members look alike, whatever they call themselves")
    func alike() throws {
        try ben.zone.roster.setName("Member \(anna.member.hex.prefix(4))", wall: GroupBench.wall)
        try cleo.zone.roster.setName("MEMBER\u{200B} \(anna.member.hex.prefix(4)) ", wall: GroupBench.wall)
        for bench in [ben, cleo] {
            try bench.turn()
            try bench.meet(anna)
        }
        let shown = anna.zone.roster.members().map {
            $0.name.lowercased().filter { !$0.isWhitespace }.replacing("\u{200B}", with: "")
        }
        #expect(Set(shown).count == 3)
    }

    @Test("Acts beyond one's role are refused before anything is written")
    func beyond() throws {
        let before = (ben.ledger.count, ben.zone.store.recordCount)
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.remove(anna.member) }
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.rename("Mine") }
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.close() }
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.set(.viewer, of: cleo.member) }
        #expect(throws: GroupError.notAllowed) { try ben.zone.roster.suspend(cleo.member) }
        #expect(throws: GroupError.ofOwner) { try anna.zone.roster.remove(anna.member) }
        #expect(throws: GroupError.notAllowed) { try anna.zone.roster.set(.owner, of: ben.member) }
        #expect(throws: GroupError.notAllowed) {
            try ben.zone.enter(GameID(Bytes16(1, 2)), name: "Mine", model: .higher)
        }
        #expect(throws: ScoreError.future) { try ben.post(3, day: 30_000) }
        #expect(throws: ScoreError.unknownGame) {
            try ben.zone.post(
                game: GameID(Bytes16(8, 8)), day: Day(number: 20_000), score: 1, wall: GroupBench.wall)
        }
        #expect((ben.ledger.count, ben.zone.store.recordCount) == before)
    }
}
