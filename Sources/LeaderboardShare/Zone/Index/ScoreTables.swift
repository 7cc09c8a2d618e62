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
            // Blocks say of each result also whether it was imported: they are counted anew.
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

    private let putScore, ofCell, ofMember, everyScore: Statement
    private let putOther, others: Statement
    private let putMember, members, putGame, games, membersOfGame: Statement
    private let putBlock, dropBlocks, blocks: Statement
    private let clear: [Statement]

    init(_ database: Database) throws {
        putScore = try database.prepare("INSERT OR IGNORE INTO score VALUES(?, ?, ?, ?, ?, ?)")
        ofCell = try database.prepare(
            "SELECT game, day, lane, seq, late FROM score WHERE member = ? AND game = ? AND day = ?")
        ofMember = try database.prepare(
            "SELECT game, day, lane, seq, late FROM score WHERE member = ? ORDER BY game, day, lane, seq")
        everyScore = try database.prepare("SELECT count(*) FROM score")
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
        clear = try ["score", "score_block", "score_member", "score_game", "other_row"].map {
            try database.prepare("DELETE FROM \($0)")
        }
    }

    /// Forgets all of it.
    func wipe() throws { for statement in clear { try statement.run() } }

    // MARK: Scores

    func put(_ place: Place, member: Int) throws {
        putScore.bind(1, Int64(member))
        putScore.bind(2, Int64(place.game))
        putScore.bind(3, Int64(place.day.number))
        putScore.bind(4, Int64(place.lane))
        putScore.bind(5, Int64(place.seq))
        putScore.bind(6, Int64(place.arrival.rawValue))
        try putScore.run()
    }

    func places(member: Int, game: Int, day: Day) throws -> [Place] {
        ofCell.bind(1, Int64(member))
        ofCell.bind(2, Int64(game))
        ofCell.bind(3, Int64(day.number))
        return try places(ofCell)
    }

    /// In order of cells: by game, then day.
    func places(member: Int) throws -> [Place] {
        ofMember.bind(1, Int64(member))
        return try places(ofMember)
    }

    private func places(_ query: Statement) throws -> [Place] {
        defer { query.reset() }
        var places: [Place] = []
        while try query.step() {
            places.append(
                Place(
                    game: Int(query.int(0)), day: Day(number: Int(query.int(1))), lane: Int(query.int(2)),
                    seq: UInt64(query.int(3)), arrival: ScoreArrival(rawValue: Int(query.int(4))) ?? .inTime))
        }
        return places
    }

    func count() throws -> Int {
        defer { everyScore.reset() }
        return try everyScore.step() ? Int(everyScore.int(0)) : 0
    }

    // MARK: Other records

    func putOther(lane: Int, seq: UInt64) throws {
        putOther.bind(1, Int64(lane))
        putOther.bind(2, Int64(seq))
        try putOther.run()
    }

    /// Every record that is not a score, by lane and seq.
    func otherRows() throws -> [(lane: Int, seq: UInt64)] {
        defer { others.reset() }
        var rows: [(Int, UInt64)] = []
        while try others.step() { rows.append((Int(others.int(0)), UInt64(others.int(1)))) }
        return rows
    }

    // MARK: Members and games

    func putMember(_ number: Int, _ id: MemberID, key: Bytes16?) throws {
        putMember.bind(1, Int64(number))
        putMember.bind(2, id.bytes)
        if let key { putMember.bind(3, key.bytes) } else { putMember.bindNull(3) }
        try putMember.run()
    }

    func allMembers() throws -> [(id: MemberID, key: Bytes16?)] {
        defer { members.reset() }
        var found: [(MemberID, Bytes16?)] = []
        while try members.step() {
            guard Int(members.int(0)) == found.count, let id = MemberID(bytes: members.blob(1)) else {
                throw StoreError.damaged("the members of the scores")
            }
            found.append((id, members.isNull(2) ? nil : Bytes16(bytes: members.blob(2))))
        }
        return found
    }

    /// - Parameter rule: the rule by which the blocks were counted; nil if they were not.
    func putGame(_ number: Int, _ id: GameID, rule: Bytes16?) throws {
        putGame.bind(1, Int64(number))
        putGame.bind(2, id.bytes)
        if let rule { putGame.bind(3, rule.bytes) } else { putGame.bindNull(3) }
        try putGame.run()
    }

    func allGames() throws -> [(id: GameID, rule: Bytes16?)] {
        defer { games.reset() }
        var found: [(GameID, Bytes16?)] = []
        while try games.step() {
            guard Int(games.int(0)) == found.count, let id = GameID(bytes: games.blob(1)) else {
                throw StoreError.damaged("the games of the scores")
            }
            found.append((id, games.isNull(2) ? nil : Bytes16(bytes: games.blob(2))))
        }
        return found
    }

    func members(ofGame game: Int) throws -> [Int] {
        membersOfGame.bind(1, Int64(game))
        defer { membersOfGame.reset() }
        var found: [Int] = []
        while try membersOfGame.step() { found.append(Int(membersOfGame.int(0))) }
        return found
    }

    // MARK: Blocks

    func put(_ block: ScoreColumn.Block, member: Int, game: Int) throws {
        putBlock.bind(1, Int64(member))
        putBlock.bind(2, Int64(game))
        putBlock.bind(3, Int64(block.number))
        putBlock.bind(4, block.encoded)
        try putBlock.run()
    }

    func dropBlocks(member: Int) throws {
        dropBlocks.bind(1, Int64(member))
        try dropBlocks.run()
    }

    func forEachBlock(_ body: (_ member: Int, _ game: Int, ScoreColumn.Block) -> Void) throws {
        defer { blocks.reset() }
        while try blocks.step() {
            guard let block = ScoreColumn.Block(encoded: blocks.blob(2)) else {
                throw StoreError.damaged("the standings")
            }
            body(Int(blocks.int(0)), Int(blocks.int(1)), block)
        }
    }
}
