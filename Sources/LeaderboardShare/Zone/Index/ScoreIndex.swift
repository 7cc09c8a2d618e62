import NodeCore
import SyncState

/// Where a group's results stand, and what of them counts: kept in tables beside the records, so that neither a start
/// nor a question reads a million of them. They are counted when they are asked for, or when there are many: of each
/// member what came since, and all anew only where the rights of that member changed.
final class ScoreIndex {
    /// A score that came and is not counted yet.
    struct Arrived {
        let score: DailyScore
        let place: ScoreTables.Place
        let member: Int
        let hash: RecordHash
        let lane: LaneID
    }

    struct Member {
        let id: MemberID
        /// The key (`GroupState.scoreKeys`) under which the standings have the member's results, zero for none of
        /// them; nil where they are to be counted anew.
        var counted: Bytes16?
        /// The same, as the tables say.
        var stored: Bytes16?
        /// All results that there are of the member are among those that arrived.
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
    /// Blocks that are to be written, and members of whom all blocks are.
    var dirtyBlocks: Set<BlockKey> = []
    var dirtyMembers: Set<Int> = []
    /// Something waits that would be counted anew after a start.
    var hasUnwritten = false
    /// The lanes that members certified, as far as they were asked for since the state changed.
    var knownLanes: [Int: Set<Int>] = [:]
    private var memberNumbers: [MemberID: Int] = [:]
    private var gameNumbers: [GameID: Int] = [:]

    init(database: Database) throws {
        try database.migrate("scores", ScoreTables.migrations)
        tables = try ScoreTables(database)
        try load()
    }

    /// Reads members and games; the rest when it is asked for. After the start and after a roll-back.
    func load() throws {
        standings = nil
        arrived = []
        dirtyBlocks = []
        dirtyMembers = []
        hasUnwritten = false
        members = try tables.allMembers().map { Member(id: $0.id, counted: $0.key, stored: $0.key, isFresh: false) }
        memberNumbers = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.id, $0) })
        games = try tables.allGames()
        gameNumbers = Dictionary(uniqueKeysWithValues: games.enumerated().map { ($1.id, $0) })
    }

    /// Forgets all, the tables' rows too.
    func wipe() throws {
        try tables.wipe()
        try load()
    }

    /// A score's row is held from now on.
    func add(_ score: DailyScore, hash: RecordHash, lane: LaneID, number: Int, seq: UInt64, isLate: Bool) throws {
        let member = try memberNumber(score.member)
        if members[member].stored != nil {
            // A crash before the blocks are written finds the member to be counted anew.
            try tables.putMember(member, score.member, key: nil)
            members[member].stored = nil
        }
        let place = ScoreTables.Place(
            game: try gameNumber(score.game), day: score.day, lane: number, seq: seq, isLate: isLate)
        try tables.put(place, member: member)
        hasUnwritten = true
        guard members[member].counted != nil else { return }
        arrived.append(Arrived(score: score, place: place, member: member, hash: hash, lane: lane))
        guard arrived.count > Limits.arrivedScores else { return }
        // Nobody asks, or their members are not known yet: they are read again when they are.
        for held in arrived { forget(held.member) }
        arrived = []
    }

    /// The member's results are to be counted anew.
    func forget(_ member: Int) {
        members[member].counted = nil
        members[member].isFresh = false
    }

    /// The member's number; nil where no score of it was ever held.
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
