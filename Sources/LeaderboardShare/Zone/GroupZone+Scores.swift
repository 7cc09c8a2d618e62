package import NodeCore
import SyncState

/// Scores and games: what is held, what of it counts, and what this device posts.
extension GroupZone {
    struct ScoreKey: Hashable {
        let member: MemberID
        let day: Day
        let game: GameID

        init(_ score: DailyScore) {
            member = score.member
            day = score.day
            game = score.game
        }

        init(member: MemberID, day: Day, game: GameID) {
            self.member = member
            self.day = day
            self.game = game
        }
    }

    /// The standings by the records held, as far as they were counted.
    struct KnownStandings {
        var standings: Standings
        /// The value that counts for each result.
        var winners: [ScoreKey: HeldScore] = [:]
        /// How many of the scores held went in.
        var counted = 0
        var isBehind = true
    }

    func isAccepted(_ score: HeldScore, _ state: GroupState) -> Bool {
        state.accepted(
            score.hash, by: score.score.member, device: score.lane, claimedAt: score.score.updatedAt)
    }

    /// Games are entered by admins and the owner.
    func isAccepted(_ game: HeldGame, _ state: GroupState) -> Bool {
        state.accepted(
            game.hash, by: game.entry.member, device: game.lane, claimedAt: WallTime(milliseconds: 0), need: .admin)
    }

    /// The group's games.
    package var catalogue: GameCatalogue {
        let state = state
        return GameCatalogue(games.filter { isAccepted($0, state) }.map(\.entry.game))
    }

    /// The standings, of all members; suspended ones are to be left out of what is asked for.
    package var standings: Standings {
        countScores()
        return knownStandings?.standings ?? Standings(catalogue: GameCatalogue())
    }

    /// The value that counts for a member's result of a day and game; nil where there is none, or it was taken back.
    package func score(of member: MemberID, day: Day, game: GameID) -> DailyScore? {
        guard let score = latest(member, day, game), !score.isRemoved else { return nil }
        return score
    }

    /// How many scores are held that count for nothing: of foreign lanes, removed members, viewers.
    package var voidScores: Int {
        let state = state
        return scores.count { !isAccepted($0, state) }
    }

    /// What counts of a member's results, the removed ones too, by day and then game.
    package func results(of member: MemberID) -> [StoredScore] {
        countScores()
        let all = knownStandings?.winners.values.filter { $0.score.member == member } ?? []
        return all.map { StoredScore(score: $0.score, lane: $0.lane, seq: $0.seq) }.sorted {
            ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game)
        }
    }

    private func latest(_ member: MemberID, _ day: Day, _ game: GameID) -> DailyScore? {
        countScores()
        return knownStandings?.winners[ScoreKey(member: member, day: day, game: game)]?.score
    }

    /// Counts what came in since this was last done; all anew where control records changed what counts.
    private func countScores() {
        var known = knownStandings ?? KnownStandings(standings: Standings(catalogue: catalogue))
        guard known.isBehind else { return }
        knownStandings = nil
        let state = state
        for score in scores[known.counted...] where isAccepted(score, state) {
            let key = ScoreKey(score.score)
            if let winner = known.winners[key], !score.score.supersedes(winner.score) { continue }
            known.winners[key] = score
            known.standings.put(score.score)
        }
        known.counted = scores.count
        known.isBehind = false
        knownStandings = known
    }

    // MARK: Posting

    /// Why this member could not post now.
    package func checkPost() throws { try checkMayPost(.member) }

    /// Why it could not post a result of this game and day.
    package func checkPost(game: GameID, day: Day, wall: WallTime) throws {
        try checkMayPost(.member)
        guard catalogue[game] != nil else { throw ScoreError.unknownGame }
        try DailyScore.check(day: day, now: wall)
    }

    package var mayEnterGames: Bool { (try? checkMayPost(.admin)) != nil }

    private func checkMayPost(_ need: Role) throws {
        let state = state
        if state.isClosed { throw GroupError.closed }
        guard let role = state.members[member] else { throw GroupError.notMember }
        guard role >= need else { throw GroupError.notAllowed }
    }

    /// Enters a game, or corrects it.
    @discardableResult
    package func enter(_ id: GameID, name: String, model: ScoringModel, maxAttempts: UInt32 = 0) throws -> Game {
        try checkMayPost(.admin)
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

    /// Posts one's own result, in place of the one before.
    ///
    /// - Parameter score: nil where it was not completed.
    @discardableResult
    package func post(
        game id: GameID, day: Day, score: UInt32?, maxAttempts: UInt32? = nil, streak: UInt32? = nil,
        isRemoved: Bool = false, wall: WallTime
    ) throws -> DailyScore {
        try checkPost(game: id, day: day, wall: wall)
        guard let game = catalogue[id] else { throw ScoreError.unknownGame }
        let result = try DailyScore(
            member: member, day: day, game: id, gameName: game.name, score: score,
            maxAttempts: maxAttempts ?? game.maxAttempts, currentStreak: streak, updatedAt: wall,
            revision: try latest(member, day, id)?.nextRevision() ?? 1, isRemoved: isRemoved)
        try put(.score(result))
        return result
    }
}

/// A result that counts, and where its record stands.
package struct StoredScore: Sendable {
    package let score: DailyScore
    package let lane: LaneID
    package let seq: UInt64
}
