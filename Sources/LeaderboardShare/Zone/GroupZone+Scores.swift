package import NodeCore
import SyncState

extension GroupZone: ScoreJudge {
    func scores(at place: ScoreTables.Place) throws -> [(score: DailyScore, hash: RecordHash, lane: LaneID)] {
        try store.records(lane: place.lane, seq: place.seq).compactMap { record in
            guard case .score(let score)? = try? read(record) else { return nil }
            return (score, record.hash, record.lane)
        }
    }
}

/// Scores and games: those held, those that count, and those posted by this device.
extension GroupZone {
    /// A key per member that determines which of its scores count.
    var scoreKeys: [MemberID: Bytes16] {
        if let knownScoreKeys { return knownScoreKeys }
        let keys = state.scoreKeys
        knownScoreKeys = keys
        return keys
    }

    /// Games are entered by admins and the owner.
    func isAccepted(_ game: GroupContents.HeldGame, _ state: GroupState) -> Bool {
        state.accepted(
            game.hash, by: game.entry.member, device: game.lane, need: .admin)
    }

    /// The games entered by a member that count.
    func acceptedGames(of member: MemberID, _ state: GroupState) -> [RecordHash] {
        contents.games.filter { $0.entry.member == member && isAccepted($0, state) }.map(\.hash)
    }

    /// The group's games.
    package var catalogue: GameCatalogue {
        let state = state
        return GameCatalogue(contents.games.filter { isAccepted($0, state) }.map(\.entry.game))
    }

    /// The standings, without suspended members.
    package var standings: Standings { get throws { try index.count(self) } }

    /// The effective value of a member's result for a day and game; nil if there is none, or it was withdrawn.
    package func score(of member: MemberID, day: Day, game: GameID) throws -> DailyScore? {
        guard let score = try index.best(of: PostedScore(member: member, game: game, day: day), by: self),
            !score.isRemoved
        else { return nil }
        return score
    }

    /// A member's effective results, including withdrawn ones, by day and then game.
    package func results(of member: MemberID) throws -> [StoredScore] {
        guard let number = index.known(member) else { return [] }
        var results: [StoredScore] = []
        for places in ScoreIndex.cells(try index.tables.places(member: number)) {
            guard let best = try index.best(of: places, member: number, self) else { continue }
            results.append(
                StoredScore(score: best.score, lane: best.lane, seq: best.place.seq, isLate: best.isLate))
        }
        return results.sorted { ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game) }
    }

    /// The records of a member's scores that count.
    func acceptedScores(of member: MemberID, _ state: GroupState) throws -> [RecordHash] {
        guard let number = index.known(member) else { return [] }
        var hashes: [RecordHash] = []
        try forEachScore(of: number) { score, hash, lane in
            if state.accepted(hash, by: score.member, device: lane) { hashes.append(hash) }
        }
        return hashes
    }

    private func forEachScore(of number: Int, _ body: (DailyScore, RecordHash, LaneID) -> Void) throws {
        for place in try index.tables.places(member: number) {
            for (score, hash, lane) in try scores(at: place)
            where score.member == index.members[number].id && score.day == place.day
                && index.known(score.game) == place.game
            {
                body(score, hash, lane)
            }
        }
    }

    /// Number of scores held, including those that do not count: from foreign lanes, removed members, viewers.
    package var scoreCount: Int { get throws { try index.tables.count() } }

    package var voidScores: Int {
        get throws {
            let state = state
            var count = 0
            for number in index.members.indices {
                let member = index.members[number].id
                guard state.countsAll(of: member) else {
                    try forEachScore(of: number) { score, hash, lane in
                        if !accepts(score, hash, lane: lane) { count += 1 }
                    }
                    continue
                }
                let own = Set(state.devices(of: member).compactMap(store.laneNumber))
                count += try index.tables.counts(member: number).reduce(0) {
                    $0 + (own.contains($1.lane) ? 0 : $1.count)
                }
            }
            return count
        }
    }

    // MARK: Lateness

    private static let sinceKey = "since"

    func loadSince() throws {
        guard let stored = try store.setting(Self.sinceKey) else {
            since = nil
            return
        }
        var reader = CBORReader(stored)
        since = WallTime(milliseconds: try reader.readInt())
    }

    /// True if a score that arrives now is late. This node did not see results arrive from before it knew the group:
    /// for these their own time counts.
    func isLate(_ score: DailyScore) throws -> Bool {
        if since == nil, store.wall.milliseconds > 0 {
            var writer = CBORWriter()
            writer.write(store.wall.milliseconds)
            try store.put(setting: Self.sinceKey, writer.bytes)
            since = store.wall
        }
        let wasSeen = since.map { !DailyScore.isLate(day: score.day, arrivedAt: $0) } ?? false
        return DailyScore.isLate(day: score.day, arrivedAt: wasSeen ? store.wall : score.updatedAt)
    }

    // MARK: Posting

    /// Throws if this member cannot post now.
    package func checkPost() throws { try checkMember(.member) }

    /// Throws if it cannot post a result of this game and day.
    package func checkPost(game: GameID, day: Day, wall: WallTime) throws {
        try checkMember(.member)
        guard catalogue[game] != nil else { throw ScoreError.unknownGame }
        try DailyScore.check(day: day, now: wall)
    }

    package var mayEnterGames: Bool { (try? checkMember(.admin)) != nil }

    /// Adds a game, or edits it.
    @discardableResult
    package func enter(_ id: GameID, name: String, model: ScoringModel, maxAttempts: UInt32 = 0) throws -> Game {
        try checkMember(.admin)
        let catalogue = catalogue
        let known = catalogue[id]
        guard known != nil || !catalogue.isFull else { throw ScoreError.tooManyGames }
        guard known.map({ $0.revision < Limits.scoreRevision }) ?? true else { throw ScoreError.tooManyRevisions }
        let game = try Game(
            id: id, name: name, model: model, maxAttempts: maxAttempts, revision: (known?.revision ?? 0) + 1,
            number: known?.number ?? catalogue.nextNumber)
        try put(.game(GameEntry(member: member, game: game)))
        return game
    }

    /// Posts this member's result, replacing the previous one.
    ///
    /// - Parameter score: nil if it was not completed.
    @discardableResult
    package func post(
        game id: GameID, day: Day, score: UInt32?, maxAttempts: UInt32? = nil, streak: UInt32? = nil,
        isRemoved: Bool = false, wall: WallTime
    ) throws -> DailyScore {
        try checkPost(game: id, day: day, wall: wall)
        guard let game = catalogue[id] else { throw ScoreError.unknownGame }
        // An impossible result that is already held may be withdrawn.
        guard isRemoved || score == nil || game.model.counted(score) != nil else { throw ScoreError.noAttempts }
        let known = try index.best(of: PostedScore(member: member, game: id, day: day), by: self)
        let result = try DailyScore(
            member: member, day: day, game: id, gameName: game.name, score: score,
            maxAttempts: maxAttempts ?? game.maxAttempts, currentStreak: streak, updatedAt: wall,
            revision: try known?.nextRevision() ?? 1, isRemoved: isRemoved)
        try put(.score(result))
        return result
    }
}

/// An effective result, and the location of its record.
package struct StoredScore: Sendable {
    package let score: DailyScore
    package let lane: LaneID
    package let seq: UInt64
    /// By the time this node saw it arrive.
    package let isLate: Bool
}
