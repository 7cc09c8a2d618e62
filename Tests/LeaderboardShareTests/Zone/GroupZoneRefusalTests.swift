import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("What a group zone refuses", .timeLimit(.minutes(30))) struct GroupZoneRefusalTests {
    private let anna: GroupBench
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        ben = try anna.admit("ben", 2, with: anna.zone.invite())
    }

    private func admission(_ token: GroupToken, of name: String) -> Admission {
        token.admission(of: MemberID(Ed25519.KeyPair(seed: GroupBench.seed(name)).publicKey))
    }

    @Test("A record that its lane's key did not sign, whoever has the roots")
    func forged() throws {
        try ben.post(3)
        let record = try #require(try ben.records().last { $0.lane == ben.zone.lane })
        var wrong = record.signature
        wrong[3] ^= 1
        let forged = Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta, signature: wrong)
        let bare = Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta)
        #expect(throws: RecordRejection.notAuthentic) { try anna.zone.store.put(forged) }
        #expect(throws: RecordRejection.notAuthentic) { try anna.zone.store.put(bare) }
        #expect(record.isSigned(in: anna.zone.zone))
        _ = try anna.zone.store.put(record)
    }

    @Test("Registers, and what stands in another slot")
    func foreignForms() throws {
        var random: any RandomSource = SeededRandom(seed: 9)
        func record(_ meta: RecordMeta, slot: String, _ kind: RecordKind) -> Record {
            let header = RecordHeader(
                lane: ben.zone.lane, seq: 900, slot: ben.zone.ring.slot(named: slot, tag: .zero), kind: kind,
                keyVersion: ben.zone.ring.keyVersion)
            return Record(
                header: header, blob: nil,
                sealedMeta: ben.zone.ring.seal(meta, header: header, blob: nil, random: &random),
                zone: ben.zone.zone, signedBy: ben.zone.store.device.signing)
        }
        let score = try GroupRecord.score(ben.post(3))
        let meta = try #require(score.meta)
        #expect(throws: RecordRejection.malformedFields) {
            try anna.zone.store.put(record(meta, slot: score.slotName ?? "", .register))
        }
        #expect(throws: RecordRejection.foreignSlot) {
            try anna.zone.store.put(record(meta, slot: "score.of.another", .immutable))
        }
        let later = record(RecordMeta(number: 99, fields: [1]), slot: "later", .immutable)
        _ = try anna.zone.store.put(later)
        #expect(anna.zone.unknownRecords == 1)
    }

    @Test("A post for another counts for nobody, and so does a game that a member enters")
    func foreignScores() throws {
        let forged = try DailyScore(
            member: anna.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle", score: 6,
            updatedAt: GroupBench.wall)
        try ben.zone.put(.score(forged))
        let game = try Game(id: GameID(Bytes16(1, 2)), name: "Mine", model: .higher, number: 2)
        try ben.zone.put(.game(GameEntry(member: ben.member, game: game)))
        try ben.turn()
        try ben.meet(anna)
        for bench in [anna, ben] {
            #expect(bench.points([anna.member]) == [0])
            #expect(try bench.zone.voidScores == 1)
            #expect(bench.zone.catalogue.games.map(\.name) == ["Wordle"])
        }
    }

    @Test("Acts beyond one's role, before anything is written")
    func roles() throws {
        let before = try ben.records().count
        #expect(throws: GroupError.notAllowed) { try ben.zone.remove(anna.member) }
        #expect(throws: GroupError.notAllowed) { try ben.zone.invite() }
        #expect(throws: GroupError.notAllowed) { try ben.zone.rename("Mine") }
        #expect(throws: GroupError.notAllowed) { try ben.zone.close() }
        #expect(throws: GroupError.notAllowed) {
            try ben.zone.enter(GameID(Bytes16(1, 2)), name: "Mine", model: .higher)
        }
        #expect(throws: ScoreError.future) { try ben.post(3, day: 30_000) }
        #expect(throws: ScoreError.unknownGame) {
            try ben.zone.post(
                game: GameID(Bytes16(8, 8)), day: Day(number: 20_000), score: 1, wall: GroupBench.wall)
        }
        #expect(try ben.records().count == before)
    }

    @Test("A counted invitation: by its issuer alone, and only as often as it says; none that was revoked or expired")
    func tokens() throws {
        let counted = try anna.zone.invite(uses: 1)
        let short = try anna.zone.invite(expiresSeconds: UInt64(GroupBench.wall.milliseconds / 1_000))
        try anna.turn()
        try anna.meet(ben)
        func admit(_ bench: GroupBench, _ token: GroupToken, _ name: String) throws {
            _ = try bench.zone.admit(admission(token, of: name), issuer: token.issuer, wall: GroupBench.wall)
        }
        #expect(throws: GroupError.notTheIssuer) { try admit(ben, counted, "cleo") }
        try admit(anna, counted, "cleo")
        // Once more for the same key costs nothing.
        try admit(anna, counted, "cleo")
        #expect(throws: GroupError.usedUp) { try admit(anna, counted, "dee") }
        #expect(throws: GroupError.expired) { try admit(anna, short, "dee") }
        let open = try anna.zone.invite()
        let hash = try #require(anna.state.invitation(of: open.chain[0], by: open.issuer)?.hash)
        try anna.zone.revoke(hash)
        #expect(throws: GroupError.revoked) { try admit(anna, open, "dee") }
        #expect(anna.state.members.count == 3)
        try anna.zone.close()
        #expect(throws: GroupError.closed) { try admit(anna, open, "dee") }
        #expect(throws: GroupError.closed) { try anna.post(3) }
    }

    @Test("A removed key does not come back, whatever token it has")
    func removedKeys() throws {
        let token = try anna.zone.invite()
        try anna.zone.remove(ben.member)
        let fresh = try anna.zone.invite()
        for token in [token, fresh] {
            #expect(throws: GroupError.removed) {
                try anna.zone.admit(admission(token, of: "ben"), issuer: token.issuer, wall: GroupBench.wall)
            }
        }
    }
}
