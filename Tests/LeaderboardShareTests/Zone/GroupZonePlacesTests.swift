import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: what others may fill", .timeLimit(.minutes(30))) struct GroupZonePlacesTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 4)
        ben = try anna.admit("ben", 2, with: token)
        try anna.meet(ben)
    }

    /// A row that nobody can read, in a lane with its own key.
    private func junk(_ number: Int, prev: RecordHash? = RecordHash(.zero), blob: BlobReference? = nil) -> Record {
        let key = GroupBench.key("junk \(number)")
        let header = RecordHeader(
            lane: LaneID(key.publicKey), seq: 1, slot: Slot(.zero), kind: .immutable, keyVersion: 77, prev: prev)
        return Record(
            header: header, blob: blob, sealedMeta: [UInt8](repeating: 1, count: 60), zone: anna.zone.zone,
            signedBy: key)
    }

    @Test("Rows of lanes that nobody let in take no place")
    func strangers() throws {
        let before = anna.zone.store.vector.count
        #expect(try anna.take([], (0..<200).map { junk($0) }) == [.notYet])
        #expect(anna.zone.store.vector.count == before && anna.zone.store.recordCount == 1)
    }

    @Test("Control records of nobody are not kept")
    func strangersRecords() throws {
        let stranger = try GroupBench(founder: "mallory", 8)
        let key = GroupBench.key("mallory's lane")
        let enter = Enter(
            person: GroupBench.person("mallory"), firstLane: LaneID(key.publicKey), sealKey: .zero, entrance: .founder)
        let posing = LedgerRecord(
            zone: anna.zone.zone, signer: key.publicKey, prev: .zero, act: .enter(enter), sign: key.sign)
        let before = anna.ledger.count
        try anna.take([posing])
        #expect(anna.ledger.count == before && anna.state.members.count == 2)
        // Records of another group are not even looked at.
        #expect(try anna.zone.membership.records.take(stranger.ledger.map(\.encoded)).isForged)
    }

    @Test("Many results of one day and game cost a reading each, not one beside all others")
    func oneCell() throws {
        let count = 300
        for number in 1...count {
            let score = try DailyScore(
                member: ben.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle",
                score: UInt32(number % 6 + 1), maxAttempts: 6, updatedAt: GroupBench.wall, revision: UInt32(number))
            try ben.zone.context.put(.score(score))
        }
        try ben.turn()
        try anna.meet(ben)
        let before = anna.zone.store.scannedRows
        #expect(anna.points([ben.member]) == [6])
        #expect(anna.zone.store.scannedRows - before < UInt64(4 * count))
        // Results in others' lanes are not read at all.
        for number in 1...count {
            let score = try DailyScore(
                member: anna.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle",
                score: 1, maxAttempts: 6, updatedAt: GroupBench.wall, revision: UInt32(number))
            try ben.zone.context.put(.score(score))
        }
        try ben.turn()
        try anna.meet(ben)
        _ = try anna.zone.standings
        let scanned = anna.zone.store.scannedRows
        try anna.post(5)
        #expect(anna.points([anna.member]) == [2])
        #expect(anna.zone.store.scannedRows - scanned < 50)
    }

    @Test("However many rows stand right behind the Enter of a lane, few Words name what stays of it")
    func manyEnds() throws {
        let (device, sealer) = (ben.zone.store.device, ben.zone.context.sealer)
        let entrance = try #require(ben.state.entrance(of: ben.key))
        var random: any RandomSource = SeededRandom(seed: 4)
        let rows = try (1...2_000).map { number in
            let content = GroupRecord.name(
                try MemberName(member: ben.member, name: "Ben", revision: UInt32(number), updatedAt: GroupBench.wall))
            let meta = content.meta
            let header = RecordHeader(
                lane: device.lane, seq: UInt64(number), slot: sealer.slot(named: content.slotName, tag: meta.tag),
                kind: .immutable, keyVersion: sealer.keyVersion, prev: entrance)
            return Record(
                header: header, blob: nil, sealedMeta: sealer.seal(meta, header: header, blob: nil, random: &random),
                zone: anna.zone.zone, signedBy: device.signing)
        }
        #expect(try anna.take([], rows).isEmpty)
        let before = anna.ledger.count
        try anna.zone.roster.set(.viewer, of: ben.member)
        try anna.turn()
        #expect(anna.state.role(of: ben.member) == .viewer)
        #expect(anna.ledger.count - before < 8)
    }
}
