import Ledger
import NodeCore
import SyncState

/// The tables for finding a group's results without reading its records (docs/STORAGE.md, §3.3).
struct ScoreTables {
    static var migrations: [Migration] {
        [
            Migration(
                "scores",
                sql: """
                    CREATE TABLE score_member(number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, key BLOB);
                    CREATE TABLE score_game(number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, rule BLOB);
                    CREATE TABLE score(
                        member INTEGER NOT NULL, game INTEGER NOT NULL, day INTEGER NOT NULL, lane INTEGER NOT NULL,
                        seq INTEGER NOT NULL, late INTEGER NOT NULL,
                        PRIMARY KEY(member, game, day, lane, seq)) WITHOUT ROWID;
                    CREATE TABLE score_block(
                        member INTEGER NOT NULL, game INTEGER NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
                        PRIMARY KEY(member, game, block)) WITHOUT ROWID;
                    CREATE TABLE other_row(
                        lane INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(lane, seq)) WITHOUT ROWID;
                    """),
            // Blocks also say of each result whether it was imported: they are counted again.
            Migration(
                "imported scores", sql: "DELETE FROM score_block; UPDATE score_member SET key = NULL"),
        ]
    }

    /// The location of a score's record, and how it came.
    struct Place {
        let game: Int
        let day: Day
        let lane: Int
        let seq: UInt64
        let arrival: ScoreArrival
    }

    private let putScore, ofCell, ofGame, ofMember: Statement
    private let putOther, others: Statement
    private let putMember, members, putGame, games, membersOfGame: Statement
    private let putBlock, dropBlocks, blocks: Statement
    private let holds, holdsOther, highestMember, highestGame: Statement
    private let clear: [Statement]

    init(_ database: Database) throws {
        putScore = try database.prepare("INSERT OR IGNORE INTO score VALUES(?, ?, ?, ?, ?, ?)")
        ofCell = try database.prepare(
            "SELECT game, day, lane, seq, late FROM score WHERE member = ? AND game = ? AND day = ? AND lane = ?")
        ofGame = try database.prepare(
            "SELECT game, day, lane, seq, late FROM score WHERE member = ? AND game = ? ORDER BY day, lane, seq")
        ofMember = try database.prepare(
            "SELECT game, day, lane, seq, late FROM score WHERE member = ? ORDER BY game, day, lane, seq")
        putOther = try database.prepare("INSERT OR IGNORE INTO other_row VALUES(?, ?)")
        others = try database.prepare("SELECT lane, seq FROM other_row ORDER BY lane, seq")
        putMember = try database.prepare("INSERT OR REPLACE INTO score_member VALUES(?, ?, ?)")
        members = try database.prepare("SELECT number, id, key FROM score_member ORDER BY number")
        putGame = try database.prepare("INSERT OR REPLACE INTO score_game VALUES(?, ?, ?)")
        games = try database.prepare("SELECT number, id, rule FROM score_game ORDER BY number")
        membersOfGame = try database.prepare("SELECT DISTINCT member FROM score WHERE game = ?")
        putBlock = try database.prepare("INSERT OR REPLACE INTO score_block VALUES(?, ?, ?, ?)")
        dropBlocks = try database.prepare("DELETE FROM score_block WHERE member = ?")
        blocks = try database.prepare("SELECT member, game, data FROM score_block ORDER BY member, game, block")
        holds = try database.prepare(
            "SELECT 1 FROM score WHERE member = ? AND game = ? AND day = ? AND lane = ? AND seq = ?")
        holdsOther = try database.prepare("SELECT 1 FROM other_row WHERE lane = ? AND seq = ?")
        highestMember = try database.prepare(
            """
            SELECT max(
                coalesce((SELECT max(member) FROM score), -1), coalesce((SELECT max(member) FROM score_block), -1))
            """)
        highestGame = try database.prepare("SELECT coalesce(max(game), -1) FROM score_block")
        clear = try ["score", "score_block", "score_member", "score_game", "other_row"].map {
            try database.prepare("DELETE FROM \($0)")
        }
    }

    /// Forgets all of it.
    func wipe() throws { for statement in clear { try statement.run() } }

    // MARK: Scores

    func put(_ place: Place, member: Int) throws {
        try putScore.run(
            Int64(member), Int64(place.game), Int64(place.day.number), Int64(place.lane), Int64(place.seq),
            Int64(place.arrival.rawValue))
    }

    /// Those in these lanes: others may have written any number.
    func places(member: Int, game: Int, day: Day, in lanes: Set<Int>) throws -> [Place] {
        try lanes.sorted().flatMap { lane in
            ofCell.bind(1, Int64(member))
            ofCell.bind(2, Int64(game))
            ofCell.bind(3, Int64(day.number))
            ofCell.bind(4, Int64(lane))
            return try places(ofCell)
        }
    }

    /// In order of days.
    func places(member: Int, game: Int) throws -> [Place] {
        ofGame.bind(1, Int64(member))
        ofGame.bind(2, Int64(game))
        return try places(ofGame)
    }

    /// In order of cells: by game, then day.
    func places(member: Int) throws -> [Place] {
        ofMember.bind(1, Int64(member))
        return try places(ofMember)
    }

    private func places(_ query: Statement) throws -> [Place] {
        try query.all { row in
            guard let (lane, seq) = Self.row(row.int(2), row.int(3)) else { return nil }
            return Place(
                game: Int(row.int(0)), day: Day(number: Int(row.int(1))), lane: lane, seq: seq,
                arrival: ScoreArrival(rawValue: Int(row.int(4))) ?? .inTime)
        }
    }

    /// Nil for a place that no row can have: it rotted, and the scrub finds that the row has none.
    private static func row(_ lane: Int64, _ seq: Int64) -> (lane: Int, seq: UInt64)? {
        guard 0..<Int64(SyncState.Limits.lanes) ~= lane, 0...Int64(SyncState.Limits.highestSeq) ~= seq else {
            return nil
        }
        return (Int(lane), UInt64(seq))
    }

    /// True if this place is here, however its score came.
    func holds(_ place: Place, member: Int) throws -> Bool {
        try holds.first(
            Int64(member), Int64(place.game), Int64(place.day.number), Int64(place.lane), Int64(place.seq)
        ) { _ in true } ?? false
    }

    // MARK: Other records

    func putOther(lane: Int, seq: UInt64) throws { try putOther.run(Int64(lane), Int64(seq)) }

    /// Every record that is not a score, by lane and seq.
    func otherRows() throws -> [(lane: Int, seq: UInt64)] {
        try others.all { Self.row($0.int(0), $0.int(1)) }
    }

    func holdsOther(lane: Int, seq: UInt64) throws -> Bool {
        try holdsOther.first(Int64(lane), Int64(seq)) { _ in true } ?? false
    }

    /// True if all numbers by which the standings are read are below these: looked up without reading scores.
    func areNumbers(belowMember member: Int, game: Int) throws -> Bool {
        try highestMember.number() < member && highestGame.number() < game
    }

    // MARK: Members and games

    func putMember(_ number: Int, _ id: MemberID, key: Bytes16?) throws {
        try putMember.run(number, id.bytes, key?.bytes)
    }

    func allMembers() throws -> [(id: MemberID, rule: Bytes16?)] { try numbered(members, "members") }

    /// - Parameter rule: the rule by which the blocks were counted; nil if they were not.
    func putGame(_ number: Int, _ id: GameID, rule: Bytes16?) throws {
        try putGame.run(number, id.bytes, rule?.bytes)
    }

    func allGames() throws -> [(id: GameID, rule: Bytes16?)] { try numbered(games, "games") }

    /// Rows are numbered from 0 on, without gaps.
    private func numbered<ID: Identifier>(
        _ query: Statement, _ what: String
    ) throws -> [(id: ID, rule: Bytes16?)] {
        var next = 0
        var seen: Set<ID> = []
        return try query.all { row in
            guard Int(row.int(0)) == next, let id = ID(bytes: row.blob(1)), seen.insert(id).inserted else {
                throw StoreError.damaged("the \(what) of the scores")
            }
            next += 1
            return (id, row.isNull(2) ? nil : Bytes16(bytes: row.blob(2)))
        }
    }

    func members(ofGame game: Int) throws -> [Int] {
        try membersOfGame.all(Int64(game)) { Int($0.int(0)) }
    }

    // MARK: Blocks

    func put(_ block: ScoreColumn.Block, member: Int, game: Int) throws {
        try putBlock.run(Int64(member), Int64(game), Int64(block.number), block.encoded)
    }

    func dropBlocks(member: Int) throws { try dropBlocks.run(Int64(member)) }

    /// - Parameter body: takes nil for a block that rotted.
    func forEachBlock(_ body: (_ member: Int, _ game: Int, ScoreColumn.Block?) -> Void) throws {
        try blocks.forEach(visit: { row in
            body(Int(row.int(0)), Int(row.int(1)), ScoreColumn.Block(encoded: row.blob(2)))
        })
    }
}
