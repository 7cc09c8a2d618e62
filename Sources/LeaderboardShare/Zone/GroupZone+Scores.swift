package import Ledger
package import NodeCore
import SyncState

extension GroupZone: ScoreJudge {
    func scores(at place: ScoreTables.Place) throws -> [(score: DailyScore, name: RecordHash, lane: LaneID)] {
        try store.records(lane: place.lane, seq: place.seq).compactMap { record in
            guard case .score(let score)? = try? read(record) else { return nil }
            return (score, record.name, record.lane)
        }
    }

    func accepts(_ score: DailyScore, _ name: RecordHash, lane: LaneID) throws -> Bool {
        try context.rows.counts(name, of: LaneKey(lane, of: score.member), needing: .member)
    }

    func lanes(of member: MemberID) -> [LaneID] { state.lanes(of: member).map(\.lane) }

    /// `ScoreKeys`, and none for this member once its account's devices have learnt that it is none any more.
    var scoreKeys: [MemberID: Bytes16] {
        get throws {
            var keys = try ledgerScoreKeys.keys(state, context.rows, store)
            if context.isDismissed(member) { keys[member] = nil }
            return keys
        }
    }
}

/// Scores and games: those held, those that count, and those posted by this device.
extension GroupZone {
    /// The group's games, entered by admins and the owner: the owner's own entries before all others.
    package var catalogue: GameCatalogue {
        let entries = gameEntries
        let owner = state.owner
        let owners = Set(entries.filter { $0.member == owner }.map(\.game.id))
        return GameCatalogue(
            entries.filter { $0.member == owner || !owners.contains($0.game.id) }.map(\.game), owners: owners)
    }

    /// The entries that count, by members that may enter games.
    private var gameEntries: [GameEntry] {
        contents.games.filter { held in
            let key = LaneKey(held.lane, of: held.content.member)
            return (try? context.rows.counts(held.name, of: key, needing: .admin)) ?? false
        }.map(\.content)
    }

    /// The standings of those who are members and not suspended.
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
        for places in ScoreIndex.shownCells(try index.tables.places(member: number)) {
            guard let best = try index.best(of: places, member: number, self) else { continue }
            results.append(
                StoredScore(score: best.score, lane: best.lane, seq: best.place.seq, arrival: best.place.arrival))
        }
        return results.sorted { ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game) }
    }

    /// Whether any result of a member is held in a lane of its own, also one that does not count.
    package func hasResults(of member: MemberID) -> Bool { index.known(member) != nil }

    /// Number of scores held that do not count: from foreign lanes, removed members, viewers.
    package var voidScores: Int {
        get throws {
            var count = 0
            var next: RowID? = RowID(value: 0)
            while let after = next {
                var scores: [(score: DailyScore, name: RecordHash, lane: LaneID)] = []
                next = try store.forEachRecord(after: after, limit: SyncState.Limits.scrubbedRows) { record in
                    guard case .score(let score)? = try? read(record) else { return }
                    scores.append((score, record.name, record.lane))
                }
                count += try scores.count { try !accepts($0.score, $0.name, lane: $0.lane) }
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

    /// How a score came that is held now: it may have been here before.
    ///
    /// Only a node that saw the results of a day can tell that one came late. For days before this node knew the group
    /// or the member it cannot; a result written long after such a day is imported history.
    func arrival(of score: DailyScore, in record: Record, at: WallTime?) throws -> ScoreArrival {
        if since == nil, store.wall.milliseconds > 0 {
            var writer = CBORWriter()
            writer.write(store.wall.milliseconds)
            try store.put(setting: Self.sinceKey, writer.bytes)
            since = store.wall
        }
        if let seen = try since.map({ max($0, try knownSince(score.member) ?? $0) }),
            !DailyScore.isLate(day: score.day, arrivedAt: seen)
        {
            guard DailyScore.isLate(day: score.day, arrivedAt: store.wall) else { return .inTime }
            let came = try at ?? RowArrivals(store).time(of: record) ?? store.wall
            return DailyScore.isLate(day: score.day, arrivedAt: came) ? .late : .inTime
        }
        return DailyScore.isLate(day: score.day, arrivedAt: score.updatedAt) ? .imported : .inTime
    }

    /// When the control record arrived by which the member came in; nil if that is unknown.
    private func knownSince(_ member: MemberID) throws -> WallTime? {
        if let known = entrances[member] { return known }
        let state = state
        let came = try state.lanes(of: member).compactMap { lane in
            try state.entrance(of: lane).flatMap { try membership.records.arrived($0) }
        }
        guard let first = came.min() else { return nil }
        entrances[member] = first
        return first
    }

    // MARK: Posting

    /// Throws if this member cannot post now.
    package func checkPost() throws { try context.checkMember(.member) }

    /// Throws if it cannot post a result of this game and day.
    ///
    /// - Parameter score: nil if it was not completed.
    /// - Returns: the game.
    @discardableResult
    package func checkPost(
        game id: GameID, day: Day, score: UInt32?, maxAttempts: UInt32?, wall: WallTime
    ) throws -> Game {
        try context.checkMember(.member)
        guard let game = catalogue[id] else { throw ScoreError.unknownGame }
        try DailyScore.check(day: day, now: wall)
        try game.check(score: score, maxAttempts: maxAttempts)
        return game
    }

    package var mayEnterGames: Bool { (try? context.checkMember(.admin)) != nil }

    /// Adds a game, or edits it.
    @discardableResult
    package func enter(_ id: GameID, name: String, model: ScoringModel, maxAttempts: UInt32 = 0) throws -> Game {
        try context.checkMember(.admin)
        let owner = state.owner
        let owners = gameEntries.filter { $0.member == owner && $0.game.id == id }.map(\.game.revision).max()
        guard member == owner || owners == nil else { throw GroupError.gameOfOwner }
        guard GroupTitle.isWritable(title: name) else { throw ScoreError.badName }
        let catalogue = catalogue
        let known = catalogue[id]
        guard known != nil || !catalogue.isFull(forOwner: member == owner) else { throw ScoreError.tooManyGames }
        // The owner's entries come before all others, whose revisions an admin may have used up.
        let revision = (member == owner ? owners : known?.revision) ?? 0
        guard revision < Limits.scoreRevision else { throw ScoreError.tooManyRevisions }
        let game = try Game(
            id: id, name: name, model: model, maxAttempts: maxAttempts, revision: revision + 1,
            number: known?.number ?? catalogue.nextNumber)
        try context.put(.game(GameEntry(member: member, game: game)))
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
        // An impossible result that is already held may be withdrawn.
        let game = try checkPost(
            game: id, day: day, score: isRemoved ? nil : score, maxAttempts: maxAttempts, wall: wall)
        let known = try index.best(of: PostedScore(member: member, game: id, day: day), by: self)
        let result = try DailyScore(
            member: member, day: day, game: id, gameName: game.name, score: score,
            maxAttempts: game.maximum(maxAttempts), currentStreak: streak, updatedAt: wall,
            revision: try known?.nextRevision() ?? 1, isRemoved: isRemoved)
        try context.put(.score(result))
        return result
    }
}

/// An effective result, and the location of its record.
package struct StoredScore: Sendable {
    package let score: DailyScore
    package let lane: LaneID
    package let seq: UInt64
    package let arrival: ScoreArrival
}
