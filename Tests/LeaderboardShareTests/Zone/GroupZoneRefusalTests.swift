import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Refusals of a group zone", .timeLimit(.minutes(30))) struct GroupZoneRefusalTests {
    private let anna: GroupBench
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        try anna.meet(ben)
    }

    @Test("A row that its lane's key did not sign, whoever has the roots")
    func forged() throws {
        try ben.post(3)
        let record = try #require(try ben.rows().last { $0.lane == ben.zone.lane })
        var wrong = record.signature
        wrong[3] ^= 1
        let forged = Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta, signature: wrong)
        let bare = Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta)
        #expect(throws: RecordRejection.notAuthentic) { try anna.zone.store.put(forged) }
        #expect(throws: RecordRejection.notAuthentic) { try anna.zone.store.put(bare) }
        #expect(record.isSigned(in: anna.zone.zone))
        _ = try anna.zone.store.put(record)
    }

    @Test("Rows that follow nothing, registers, and what stands in another slot")
    func foreignForms() throws {
        var random: any RandomSource = SeededRandom(seed: 9)
        let sealer = ben.zone.context.sealer
        let entered = try #require(ben.state.entrance(of: ben.key))
        func record(_ meta: RecordMeta, slot: String, _ kind: RecordKind, prev: RecordHash? = entered) -> Record {
            let header = RecordHeader(
                lane: ben.zone.lane, seq: 900, slot: sealer.slot(named: Array(slot.utf8), tag: .zero), kind: kind,
                keyVersion: sealer.keyVersion, prev: prev)
            return Record(
                header: header, blob: nil, sealedMeta: sealer.seal(meta, header: header, blob: nil, random: &random),
                zone: ben.zone.zone, signedBy: ben.zone.store.device.signing)
        }
        let score = try GroupRecord.score(ben.post(3))
        #expect(throws: RecordRejection.malformedFields) {
            try anna.zone.store.put(record(score.meta, slot: score.slotName, .register))
        }
        #expect(throws: RecordRejection.malformedFields) {
            try anna.zone.store.put(record(score.meta, slot: score.slotName, .immutable, prev: nil))
        }
        #expect(throws: RecordRejection.foreignSlot) {
            try anna.zone.store.put(record(score.meta, slot: "score.of.another", .immutable))
        }
        let later = record(RecordMeta(number: 99, fields: [1]), slot: "later", .immutable)
        _ = try anna.zone.store.put(later)
        #expect(anna.zone.contents.unknown == 1)
    }

    @Test("A score that the game does not allow is not posted, and does not count where a foreign program posted it")
    func impossible() throws {
        let day = Day(number: 20_001)
        for attempts in [0, 7] as [UInt32] {
            #expect(throws: ScoreError.self) { try ben.post(attempts, day: 20_001) }
        }
        try ben.post(7 - 1, day: 20_000)
        try ben.force(
            .score(
                DailyScore(
                    member: ben.member, day: day, game: GroupBench.game, gameName: "Wordle", score: 7,
                    updatedAt: GroupBench.wall)))
        try ben.meet(anna)
        let result = try #require(try anna.zone.standings.results(on: day, [ben.member]).first)
        #expect(result.score == nil && result.points == 0 && !result.isWinner)
        #expect(anna.points([ben.member]) == [1])
        // Its writer may withdraw it.
        try ben.zone.post(game: GroupBench.game, day: day, score: 7, isRemoved: true, wall: GroupBench.wall)
        #expect(try ben.zone.score(of: ben.member, day: day, game: GroupBench.game) == nil)
    }

    @Test("A post for another counts for nobody, and so does a game that a member enters")
    func foreignScores() throws {
        let forged = try DailyScore(
            member: anna.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle", score: 6,
            updatedAt: GroupBench.wall)
        try ben.force(.score(forged))
        let game = try Game(id: GameID(Bytes16(1, 2)), name: "Mine", model: .higher, number: 2)
        try ben.force(.game(GameEntry(member: ben.member, game: game)))
        try ben.meet(anna)
        for bench in [anna, ben] {
            #expect(bench.points([anna.member]) == [0])
            #expect(try bench.zone.voidScores == 1)
            #expect(bench.zone.catalogue.games.map(\.name) == ["Wordle"])
        }
    }

    @Test("A row behind no head, of a lane whose member was removed, is held and counts for nothing")
    func branches() throws {
        try ben.post(3, day: 19_000)
        try ben.meet(anna)
        let copy = try ben.reopened()
        try ben.post(2, day: 19_001)
        try ben.meet(anna)
        // This is the other branch, below the head that the removal names.
        try copy.post(1, day: 19_002)
        let branch = try #require(try copy.rows().last { $0.lane == copy.zone.lane })
        #expect(branch.seq == 2)
        try anna.zone.roster.remove(ben.member)
        try anna.turn()
        #expect(try anna.take([], [branch]).isEmpty)
        #expect(try anna.zone.scoreCount == 3 && anna.zone.voidScores == 1)
        #expect(try anna.kept(ben.member) == 2)
    }

    @Test("A title that its owner sealed badly is none, and keeps nothing from working")
    func badTitles() throws {
        try anna.zone.context.write(.title(Title(revision: 9, sealed: [1, 2, 3])))
        try anna.turn()
        #expect(try ben.meet(anna))
        #expect(ben.zone.roster.title == nil && ben.zone.access == .member)
        try anna.zone.roster.rename("Again")
        try anna.turn()
        try ben.meet(anna)
        #expect(ben.zone.roster.title?.title == "Again")
    }
}
