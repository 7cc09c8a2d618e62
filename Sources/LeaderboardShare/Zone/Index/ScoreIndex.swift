import Ledger
import NodeCore
import SyncState

/// The locations of a group's results, and which of them count: kept in tables beside the records, so that neither a
/// start nor a query reads a million records. Results are counted on demand, or when there are many: for each member
/// only the new ones, and everything again only if that member's rights changed.
final class ScoreIndex {
    /// A score that arrived and is not counted yet.
    struct Arrived {
        let score: DailyScore
        let place: ScoreTables.Place
        let member: Int
        /// `Record.name`
        let name: RecordHash
        let lane: LaneID
    }

    struct Member {
        let id: MemberID
        /// The key (`ScoreJudge.scoreKeys`) by which the standings contain the member's results, zero for none of them;
        /// nil if they must be counted again.
        var counted: Bytes16?
        /// The same, as stored in the tables.
        var stored: Bytes16?
        /// All existing results of the member are among those that arrived.
        var isFresh: Bool
    }

    struct BlockKey: Hashable {
        let member: Int
        let game: Int
        let block: Int32
    }

    let tables: ScoreTables
    var members: [Member] = []
    var games: [(id: GameID, rule: Bytes16?)] = []
    /// Nil until the tables were read.
    var standings: Standings?
    var arrived: [Arrived] = []
    /// Blocks that must be written, and members whose blocks must all be.
    var dirtyBlocks: Set<BlockKey> = []
    var dirtyMembers: Set<Int> = []
    /// Whether state in memory would have to be counted again after a restart.
    var hasUnwritten = false
    /// The lanes of members, cached until the state changes.
    var knownLanes: [Int: Set<Int>] = [:]
    /// The members or games cannot be read: all of it is derived again.
    private var isDamaged = false
    private var memberNumbers: [MemberID: Int] = [:]
    private var gameNumbers: [GameID: Int] = [:]

    init(database: Database) throws {
        try database.migrate("scores", ScoreTables.migrations)
        tables = try ScoreTables(database)
        try load()
    }

    /// Reads members and games, and the rest on demand. Called after the start and after a rollback.
    func load() throws {
        standings = nil
        arrived = []
        dirtyBlocks = []
        dirtyMembers = []
        hasUnwritten = false
        (members, games, memberNumbers, gameNumbers, isDamaged) = ([], [], [:], [:], false)
        do {
            let (stored, games) = (try tables.allMembers(), try tables.allGames())
            members = stored.map { Member(id: $0.id, counted: $0.rule, stored: $0.rule, isFresh: false) }
            self.games = games
        } catch is StoreError {
            isDamaged = true
        }
        memberNumbers = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.id, $0) })
        gameNumbers = Dictionary(uniqueKeysWithValues: games.enumerated().map { ($1.id, $0) })
    }

    /// False if the tables are of two commits or rotted, so that no standings can be read from them.
    var isReadable: Bool {
        get throws { try !isDamaged && tables.areNumbers(belowMember: members.count, game: games.count) }
    }

    /// Forgets everything, including the tables' rows.
    func wipe() throws {
        try tables.wipe()
        try load()
    }

    /// Adds a score whose row is now held.
    func add(_ score: DailyScore, name: RecordHash, lane: LaneID, number: Int, seq: UInt64, arrival: ScoreArrival)
        throws
    {
        let member = try memberNumber(score.member)
        if members[member].stored != nil {
            // After a crash before the blocks are written, the member is found to need counting.
            try tables.putMember(member, score.member, key: nil)
            members[member].stored = nil
        }
        let place = ScoreTables.Place(
            game: try gameNumber(score.game), day: score.day, lane: number, seq: seq, arrival: arrival)
        try tables.put(place, member: member)
        hasUnwritten = true
        guard members[member].counted != nil else { return }
        arrived.append(Arrived(score: score, place: place, member: member, name: name, lane: lane))
        guard arrived.count > Limits.arrivedScores else { return }
        // Nobody queries, or their members are not known yet: they are read again when needed.
        for held in arrived { forget(held.member) }
        arrived = []
    }

    /// True if the tables have the place of a score's row.
    func holds(_ score: DailyScore, lane: Int, seq: UInt64) throws -> Bool {
        guard let member = known(score.member), let game = known(score.game) else { return false }
        return try tables.holds(
            ScoreTables.Place(game: game, day: score.day, lane: lane, seq: seq, arrival: .inTime), member: member)
    }

    /// Marks the member's results to be counted again.
    func forget(_ member: Int) {
        members[member].counted = nil
        members[member].isFresh = false
    }

    /// The member's number; nil if no score of it was ever held in a lane of its own.
    func known(_ member: MemberID) -> Int? { memberNumbers[member] }

    func known(_ game: GameID) -> Int? { gameNumbers[game] }

    private func memberNumber(_ id: MemberID) throws -> Int {
        if let known = memberNumbers[id] { return known }
        let number = members.count
        members.append(Member(id: id, counted: .zero, stored: nil, isFresh: true))
        memberNumbers[id] = number
        try tables.putMember(number, id, key: nil)
        return number
    }

    private func gameNumber(_ id: GameID) throws -> Int {
        if let known = gameNumbers[id] { return known }
        let number = games.count
        games.append((id, nil))
        gameNumbers[id] = number
        try tables.putGame(number, id, rule: nil)
        return number
    }
}
