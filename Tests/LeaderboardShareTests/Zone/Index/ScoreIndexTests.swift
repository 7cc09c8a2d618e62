import Ledger
import NodeCore
import SyncState
import TestScale
import Testing

@testable import LeaderboardShare

@Suite("Index of scores", .timeLimit(.minutes(30))) struct ScoreIndexTests {
    private static let today = Day(number: 20_050)

    private func rows(_ zone: GroupZone) throws -> [StandingRow] {
        let members = zone.roster.members(withRemoved: true).map(\.id)
        return try zone.standings.rows(members, period: .all, today: Self.today)
    }

    /// What the zone shows when all of its rows are read again.
    private func rowsAnew(_ zone: GroupZone) throws -> [StandingRow] {
        var last: Record?
        try zone.store.forEachRecord { last = $0 }
        // This is what happens after the loss of a row.
        try zone.removed(try #require(last))
        try zone.commit()
        return try rows(zone)
    }

    @Test("A start reads no score that was counted, and shows the same; after a crash the member's alone")
    func start() throws {
        let anna = try GroupBench(founder: "anna", 1)
        let ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        for day in 0..<300 {
            try anna.post(UInt32(day % 6 + 1), day: 19_000 + day)
            try ben.post(UInt32(day % 5 + 1), day: 19_000 + day)
        }
        try anna.meet(ben)
        let shown = try rows(anna.zone)
        #expect(shown.map(\.played) == [300, 300])
        try anna.zone.tidy()
        let tidy = try anna.reopened()
        let before = tidy.zone.store.scannedRows
        #expect(try rows(tidy.zone) == shown)
        #expect(tidy.zone.store.scannedRows - before < 50)
        try tidy.post(1, day: 19_400)
        let killed = try tidy.reopened()
        let read = killed.zone.store.scannedRows
        #expect(try rows(killed.zone).map(\.played).sorted() == [300, 301])
        #expect(killed.zone.store.scannedRows - read < 350)
        #expect(try rows(killed.zone) == rowsAnew(killed.zone))
    }

    /// A file whose log was lost may be between two commits.
    @Test(
        "A scrub finds rows that the tables lack; a start, members and games without a number: both derive them again",
        arguments: ["other_row": 1, "score": 1, "score_member": 0, "score_game": 0])
    func lostLog(table: String, found: Int) throws {
        let anna = try GroupBench(founder: "anna", 1)
        try anna.post(2)
        try anna.zone.tidy()
        let shown = try rows(anna.zone)
        var clean = ZoneStore.ScrubCursor()
        while try anna.zone.store.scrub(&clean) {}
        #expect(clean.report.damagedIndexes == 0)
        try anna.turn()
        try anna.database.execute("DELETE FROM \(table)")
        let again = try anna.reopened()
        var cursor = ZoneStore.ScrubCursor()
        while try again.zone.store.scrub(&cursor) { try again.zone.commit() }
        try again.zone.commit()
        #expect(cursor.report.damagedIndexes == found)
        for zone in [again.zone, try again.reopened().zone] {
            #expect(try rows(zone) == shown)
            #expect(!zone.catalogue.games.isEmpty)
        }
    }

    @Test(
        "A scrub goes on in steps of some thousand rows, and finds in a later one what rotted",
        arguments: [
            "DELETE FROM score WHERE seq = (SELECT max(seq) FROM score)",
            """
            UPDATE score_block AS rotten SET data = (
                SELECT data FROM score_block WHERE game = rotten.game - 1 AND block = rotten.block)
            WHERE game = 5
            """,
        ])
    func steps(rot: String) throws {
        let anna = try GroupBench(founder: "anna", 1)
        for number in 0..<6 {
            let game = GameID(name: "Game \(number)")
            try anna.zone.enter(game, name: "Game \(number)", model: .higher)
            for day in 0..<1_000 {
                try anna.zone.post(
                    game: game, day: Day(number: 19_000 + day), score: UInt32(number + day % 7), wall: GroupBench.wall)
            }
            try anna.turn()
        }
        try anna.zone.tidy()
        let shown = try rows(anna.zone)
        /// The findings of a pass, and the most rows that one of its steps reads.
        func pass() throws -> (found: ZoneStore.ScrubReport, rows: UInt64) {
            var (cursor, most, hasMore) = (ZoneStore.ScrubCursor(), 0 as UInt64, true)
            while hasMore {
                let before = anna.zone.store.scannedRows
                hasMore = try anna.zone.store.scrub(&cursor)
                try anna.zone.commit()
                most = max(most, anna.zone.store.scannedRows - before)
            }
            return (cursor.report, most)
        }
        let clean = try pass()
        #expect(clean.found.rows > 6_000 && clean.found.damagedIndexes == 0)
        #expect(clean.rows < 6_000, "as many in one step")
        try anna.database.execute(rot)
        try anna.zone.rollback()
        #expect(try pass().found.damagedIndexes == 1)
        #expect(try rows(anna.zone) == shown)
        try anna.database.execute("UPDATE record SET rec = zeroblob(200) WHERE id = (SELECT max(id) FROM record)")
        #expect(try pass().found.damagedRows == 1)
    }

    @Test("Scores of a member that is not known yet are refused, and count as soon as its way in is here")
    func beforeTheirMember() throws {
        let anna = try GroupBench(founder: "anna", 1)
        let ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        try ben.post(2)
        try ben.meet(anna)
        let late = try GroupBench(anna.zone.keys, 3)
        #expect(try late.take([], anna.rows()) == [.notYet])
        #expect(try rows(late.zone).allSatisfy { $0.played == 0 })
        try late.take(anna.ledger, anna.rows())
        #expect(try rows(late.zone).reduce(0) { $0 + $1.played } == 1)
        #expect(try rows(late.zone) == rowsAnew(late.zone))
    }

    @Test("Rights that change count or uncount what is there, also after a start; so does a game's rule")
    func rights() throws {
        let anna = try GroupBench(founder: "anna", 1)
        let ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        try ben.post(2)
        try ben.meet(anna)
        func points() -> [Int] { anna.points([ben.member]) }
        #expect(points() == [5])
        try anna.zone.roster.suspend(ben.member)
        try anna.turn()
        #expect(points() == [0])
        try anna.zone.roster.unsuspend(ben.member)
        try anna.turn()
        #expect(points() == [5])
        try anna.zone.enter(GroupBench.game, name: "Wordle", model: .lowerAttempts, maxAttempts: 10)
        // The game's maximum counts, not the one that the result carries.
        #expect(points() == [9])
        try anna.zone.enter(GroupBench.game, name: "Wordle", model: .higher, maxAttempts: 10)
        #expect(points() == [2])
        try anna.zone.enter(GameID(name: "Mini"), name: "Mini", model: .higher)
        #expect(points() == [2])
        try anna.zone.tidy()
        #expect(try anna.reopened().points([ben.member]) == [2])
    }

    @Test(
        "Whatever happens in whatever order, the index shows what all records read anew show",
        arguments: 0..<TestScale.of(usual: 4, proof: 12) as Range<UInt64>)
    func histories(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 2)
        let ben = try anna.admit("ben", 2, with: token)
        let cleo = try anna.admit("cleo", 3, with: token)
        let second = try ben.another(4)
        try anna.meet(second)
        for _ in 0..<60 {
            let poster = [ben, cleo, second, anna][Int.random(in: 0..<4, using: &random)]
            let day = Day(number: Int.random(in: 20_000...20_006, using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                let value = Int.random(in: 0...6, using: &random)
                _ = try? poster.zone.post(
                    game: GroupBench.game, day: day, score: value == 0 ? nil : UInt32(value),
                    isRemoved: Int.random(in: 0..<6, using: &random) == 0, wall: GroupBench.wall)
                try poster.turn()
            case 5..<9: try anna.meet(poster === anna ? second : poster)
            case 9: try anna.zone.tidy()
            case 10: anna = try anna.reopened()
            default:
                switch Int.random(in: 0..<5, using: &random) {
                case 0: try? anna.zone.roster.suspend(cleo.member)
                case 1: try? anna.zone.roster.unsuspend(cleo.member)
                case 2: try? anna.zone.roster.set(.viewer, of: ben.member)
                case 3: try? anna.zone.roster.set(.member, of: ben.member)
                default: try anna.zone.rollback()
                }
                try anna.turn()
            }
            let shown = try rows(anna.zone)
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            #expect(try shown == rowsAnew(anna.zone))
        }
        #expect(try rows(anna.zone) == rowsAnew(anna.zone))
    }

    @Test("Blocks come back as they were, and cut ones are refused")
    func blocks() throws {
        var column = ScoreColumn()
        for day in 0..<40 {
            column.set(
                Day(number: -70 + day * 3), score: day % 4 == 0 ? nil : UInt32(day), points: 3,
                day == 7 ? .late : day == 8 ? .imported : .inTime)
        }
        for block in column.blocks {
            let read = try #require(ScoreColumn.Block(encoded: block.encoded))
            #expect(read.encoded == block.encoded && read.points == block.points && read.scores == block.scores)
            #expect(read.number == block.number && read.late == block.late && read.imported == block.imported)
            for length in 0..<block.encoded.count {
                #expect(ScoreColumn.Block(encoded: Array(block.encoded.prefix(length))) == nil)
            }
        }
    }
}
