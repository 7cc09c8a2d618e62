import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// A member's rows name arbitrary days, games and members: they take nothing from the others.
@Suite("Group zones: what a member's rows say about the others", .timeLimit(.minutes(30))) struct GroupRowClaimsTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench
    private let mallory: GroupBench
    private let today = Day(GroupBench.wall)

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 8)
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

    private func invented(_ number: Int) -> MemberID { MemberID(Blake2b.hash32(Array("member \(number)".utf8))) }

    private func score(of member: MemberID, _ day: Day, game: GameID = GroupBench.game) throws -> GroupRecord {
        .score(
            try DailyScore(
                member: member, day: day, game: game, gameName: "Wordle", score: 1, updatedAt: GroupBench.wall))
    }

    @Test("Rows that name members whom nobody knows take no memory, and are passed on")
    func inventedMembers() throws {
        try makeAdmins([mallory])
        for number in 0..<100 {
            let (member, id) = (invented(number), GameID(name: "game \(number)"))
            try mallory.zone.context.put(score(of: member, today, game: id))
            let game = try Game(id: id, name: "Game", model: .higher, number: 0)
            try mallory.zone.context.put(.game(GameEntry(member: member, game: game)))
            try mallory.zone.context.put(
                .name(MemberName(member: member, name: "Name", revision: 1, updatedAt: GroupBench.wall)))
        }
        try mallory.turn()
        #expect(try mallory.meet(anna))
        #expect(try ben.meet(anna))
        for bench in [anna, ben, try anna.reopened()] {
            #expect(bench.zone.store.recordCount > 300)
            #expect(bench.zone.index.members.isEmpty && bench.zone.index.games.isEmpty)
            #expect(bench.zone.contents.games.count == 1 && bench.zone.contents.names.isEmpty)
            #expect(try bench.zone.voidScores == 100)
            var cursor = DerivedCursor()
            while !cursor.isAtEnd { #expect(try bench.zone.mendDerived(&cursor) == []) }
        }
    }

    @Test("A member's names and games take memory for the newest of them")
    func manyOfOnesOwn() throws {
        try makeAdmins([mallory])
        for number in 1...400 {
            let id = GameID(name: "game \(number)")
            let game = try Game(id: id, name: "Game", model: .higher, number: UInt32(number))
            try mallory.zone.context.put(.game(GameEntry(member: mallory.member, game: game)))
            let again = try Game(
                id: GameID(name: "game"), name: "Game \(number)", model: .higher, revision: UInt32(number), number: 0)
            try mallory.zone.context.put(.game(GameEntry(member: mallory.member, game: again)))
            try mallory.zone.context.put(
                .name(
                    MemberName(
                        member: mallory.member, name: "Name \(number)", revision: UInt32(number),
                        updatedAt: GroupBench.wall)))
        }
        try mallory.turn()
        try mallory.meet(anna)
        let other = try ben.reopened()
        #expect(try other.take(mallory.ledger, mallory.rows().reversed()).isEmpty)
        for bench in [anna, other, try anna.reopened()] {
            let contents = bench.zone.contents
            #expect(contents.names.count == Limits.heldRevisions)
            #expect(contents.games.count <= 1 + Limits.heldGames + Limits.heldRevisions)
            // If there are too many games, those with the lowest ids stay.
            let game = bench.zone.catalogue[GameID(name: "game")]
            #expect(game == nil || game?.name == "Game 400")
            #expect(bench.zone.catalogue.games == anna.zone.catalogue.games)
            #expect(bench.zone.roster.members().contains { $0.name == "Name 400" })
        }
    }

    @Test("What an admin entered stays, whatever it writes once it is none")
    func loweredAdmin() throws {
        try makeAdmins([mallory])
        try mallory.zone.enter(GameID(name: "Chess"), name: "Chess", model: .higher)
        try mallory.turn()
        try mallory.meet(anna)
        try anna.zone.roster.set(.member, of: mallory.member)
        try anna.turn()
        try mallory.meet(anna)
        for number in 1...(Limits.heldGames + 20) {
            for name in ["Chess", "Go \(number)"] {
                let game = try Game(
                    id: GameID(name: name), name: "Junk", model: .higher, revision: UInt32(number + 1), number: 0)
                try mallory.zone.context.put(.game(GameEntry(member: mallory.member, game: game)))
            }
        }
        try mallory.turn()
        try mallory.meet(anna)
        for bench in [anna, try anna.reopened()] {
            #expect(bench.zone.catalogue.games.map(\.name).sorted() == ["Chess", "Wordle"])
            #expect(bench.zone.contents.games.count <= 1 + Limits.heldGames + Limits.heldRevisions)
        }
        // A row that does not count now may count later.
        try anna.zone.roster.set(.admin, of: mallory.member)
        try anna.turn()
        try mallory.meet(anna)
        #expect(anna.zone.catalogue.games.contains { $0.name == "Junk" })
        #expect(try anna.reopened().zone.catalogue.games == anna.zone.catalogue.games)
    }

    @Test("Results of days that no calendar of a game has take no memory")
    func absurdDays() throws {
        try mallory.post(2, day: Int(today.number))
        for number in 1...100 {
            for day in [-64 * number, Int(Limits.shownDays.upperBound) + 64 * number] {
                try mallory.zone.context.put(score(of: mallory.member, Day(number: day)))
            }
        }
        try mallory.turn()
        try mallory.meet(anna)
        let blocks = try anna.zone.standings.blocks(member: mallory.member, game: GroupBench.game)
        #expect(blocks.map(\.played.nonzeroBitCount) == [1])
        #expect(try anna.zone.standings.best.count == 1)
    }

    @Test("What a lane wrote about a member counts once the lane has entered for that one", arguments: [false, true])
    func enteredLater(isReopened: Bool) throws {
        var anna = anna
        let zoe = try anna.admit("zoe", 6, with: token)
        try mallory.force(score(of: zoe.member, Day(number: 20_000)))
        try mallory.meet(anna)
        #expect(anna.points([zoe.member]) == [0])
        if isReopened { anna = try anna.reopened() }
        let device = mallory.zone.store.device
        let message = Enter.endorsed(
            lane: device.lane, member: zoe.member, isReplica: false, sealKey: device.sealing.publicKey,
            succeeds: .zero, zone: anna.zone.zone)
        let enter = Enter(
            person: GroupBench.person("zoe"), firstLane: zoe.zone.keys.firstLane, sealKey: device.sealing.publicKey,
            entrance: .person(GroupBench.key("zoe").sign(message)))
        try anna.take([
            LedgerRecord(
                zone: anna.zone.zone, signer: device.signing.publicKey, prev: .zero, act: .enter(enter),
                sign: device.signing.sign)
        ])
        for bench in [anna, try anna.reopened()] {
            #expect(bench.points([zoe.member]) == [6])
            #expect(try bench.zone.voidScores == 0)
        }
    }
}
