import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("News of posted scores", .timeLimit(.minutes(30))) struct NewScoresTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let today = Int(Day(GroupBench.wall).number)

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        ben = try anna.admit("ben", 2, with: try anna.zone.invitations.invite(people: 3))
    }

    private func bens(_ day: Int) -> PostedScore {
        PostedScore(member: ben.member, game: GroupBench.game, day: Day(number: day))
    }

    @Test("A first result of these days is told once; corrections and history are not")
    func once() throws {
        try ben.post(3, day: today)
        try ben.meet(anna)
        #expect(anna.zone.takePosted() == [bens(today)])
        #expect(anna.zone.takePosted().isEmpty)
        #expect(ben.zone.takePosted() == [bens(today)])
        try ben.post(2, day: today)
        try ben.post(4, day: today - 2)
        try ben.meet(anna)
        #expect(anna.zone.takePosted().isEmpty)
        try ben.post(2, day: today - 1)
        try ben.post(2, day: today + 1)
        try ben.meet(anna)
        #expect(anna.zone.takePosted() == [bens(today - 1), bens(today + 1)])
    }

    @Test("A result that was taken back is told when it comes again")
    func again() throws {
        try ben.post(3, day: today)
        try ben.zone.post(
            game: GroupBench.game, day: Day(number: today), score: 3, isRemoved: true, wall: GroupBench.wall)
        try ben.turn()
        try ben.meet(anna)
        #expect(anna.zone.takePosted().isEmpty)
        try ben.post(3, day: today)
        try ben.meet(anna)
        #expect(anna.zone.takePosted() == [bens(today)])
    }

    @Test("A result waits for the game by which it counts, in whatever order rows come", arguments: [false, true])
    func waits(isReversed: Bool) throws {
        try ben.post(3, day: today)
        try ben.meet(anna)
        let late = try GroupBench(anna.zone.keys, 5)
        try late.take(anna.ledger)
        let rows = try anna.rows()
        var told: [PostedScore] = []
        for row in isReversed ? rows.reversed() : rows {
            try late.take([], [row])
            let counts = try late.zone.score(of: ben.member, day: Day(number: today), game: GroupBench.game) != nil
            told += late.zone.takePosted()
            #expect(told == (counts && late.zone.catalogue[GroupBench.game] != nil ? [bens(today)] : []))
        }
        #expect(told == [bens(today)])
    }

    @Test("A result of one who became a viewer is told when it is raised again")
    func raised() throws {
        try anna.zone.roster.set(.viewer, of: ben.member)
        try anna.turn()
        let score = try DailyScore(
            member: ben.member, day: Day(number: today), game: GroupBench.game, gameName: "Wordle", score: 1,
            updatedAt: GroupBench.wall)
        try ben.force(.score(score))
        try ben.meet(anna)
        #expect(anna.zone.takePosted().isEmpty)
        try anna.zone.roster.set(.member, of: ben.member)
        try anna.turn()
        #expect(anna.zone.takePosted() == [bens(today)])
    }

    @Test("Scores of a turn that failed are told when they come again")
    func rolledBack() throws {
        try ben.post(3, day: today)
        let record = try #require(try ben.zone.store.records(of: ben.zone.lane).last)
        try anna.zone.store.put(record)
        try anna.zone.rollback()
        try anna.turn()
        #expect(anna.zone.takePosted().isEmpty)
        try ben.meet(anna)
        #expect(anna.zone.takePosted() == [bens(today)])
    }
}
