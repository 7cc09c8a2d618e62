import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// A member's rows name days, games and members as it likes: they take nothing from the others.
@Suite("Group zones: what a member's rows say about the others", .timeLimit(.minutes(30))) struct GroupRowClaimsTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let mallory: GroupBench
    private let today = Day(GroupBench.wall)

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 8)
        ben = try anna.admit("ben", 2, with: token)
        mallory = try anna.admit("mallory", 4, with: token)
        try ben.meet(anna)
    }

    private func makeAdmins(_ others: [GroupBench]) throws {
        for other in others { try anna.zone.roster.set(.admin, of: other.member) }
        try anna.turn()
        for other in others { try other.meet(anna) }
    }

    private func force(_ game: Game) throws {
        try mallory.force(.game(GameEntry(member: mallory.member, game: game)))
    }

    @Test("Results that count for nobody keep none of the others' from being told", arguments: [false, true])
    func flood(isFlooded: Bool) throws {
        try ben.post(2, day: Int(today.number))
        try ben.meet(mallory)
        for number in 0..<(isFlooded ? Limits.newScores + 1 : 0) {
            let member = MemberID(Blake2b.hash32(Array("member \(number)".utf8)))
            try mallory.force(
                .score(
                    DailyScore(
                        member: member, day: today, game: GroupBench.game, gameName: "Wordle", score: 1,
                        updatedAt: GroupBench.wall, revision: 1)))
        }
        _ = anna.zone.takePosted()
        for rows in try [mallory.rows(), mallory.rows().reversed()] as [[Record]] {
            let fresh = try anna.reopened()
            try fresh.take([], rows)
            #expect(
                fresh.zone.takePosted()
                    == [PostedScore(member: ben.member, game: GroupBench.game, day: today)])
        }
    }

    @Test("The owner enters a game anew for which an admin has used all revisions up")
    func revisions() throws {
        try makeAdmins([ben, mallory])
        let id = GameID(name: "Chess")
        try ben.zone.enter(id, name: "Chess", model: .higher)
        try ben.turn()
        try force(
            try Game(id: id, name: "Mallory's", model: .lowerSeconds, revision: Limits.scoreRevision, number: 0))
        for other in [ben, mallory] { try other.meet(anna) }
        #expect(anna.zone.catalogue[id]?.name == "Mallory's")
        try anna.zone.enter(id, name: "Chess", model: .higher)
        try anna.turn()
        #expect(anna.zone.catalogue[id]?.name == "Chess")
        #expect(try ben.meet(anna))
        #expect(ben.zone.catalogue[id]?.name == "Chess")
    }

    @Test("Results in another's name, of today, are not looked at when that one's are counted")
    func oneCellOfToday() throws {
        for number in 0..<100 {
            try mallory.zone.context.put(
                .score(
                    DailyScore(
                        member: ben.member, day: today, game: GroupBench.game, gameName: "Wordle", score: 1,
                        updatedAt: GroupBench.wall, revision: UInt32(number + 1))))
        }
        try mallory.turn()
        try mallory.meet(anna)
        try ben.post(2, day: Int(today.number))
        try ben.meet(anna)
        #expect(anna.zone.store.recordCount > 100)
        #expect(try anna.zone.score(of: ben.member, day: today, game: GroupBench.game)?.score == 2)
        let index = anna.zone.index
        let (member, game) = (try #require(index.known(ben.member)), try #require(index.known(GroupBench.game)))
        let lane = try #require(anna.zone.store.laneNumber(ben.zone.lane))
        #expect(try index.tables.places(member: member, game: game, day: today, in: [lane]).count == 1)
    }

    @Test("However many games an admin enters, those of the owner stay, with their results")
    func manyGames() throws {
        try ben.post(2)
        try ben.meet(anna)
        #expect(anna.points([ben.member]) == [5])
        try makeAdmins([mallory])
        for number in 0..<Limits.games {
            try force(
                try Game(id: GameID(name: "game \(number)"), name: "Game \(number)", model: .higher, number: 0))
        }
        try mallory.meet(anna)
        #expect(anna.zone.catalogue[GroupBench.game] != nil)
        #expect(anna.points([ben.member]) == [5])
        #expect(throws: Never.self) { try anna.zone.enter(GameID(name: "Chess"), name: "Chess", model: .higher) }
    }
}
