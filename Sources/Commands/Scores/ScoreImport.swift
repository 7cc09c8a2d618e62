import Chat
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `score import`: the user's own results from lines. A known result is not written again.
final class ScoreImport {
    private let group: NodeGroup
    private let clock: any Clock
    /// What the account is and was called here and in its other groups.
    private let own: Set<String>
    private var counts = ImportedScores()

    init(_ call: Call) throws(NodeError) {
        group = try call.onlyGroup(GroupNaming.inGroup)
        clock = call.clock
        let memberships = group.owner.zone.groups.all
        own = Set(memberships.flatMap { [$0.member] + $0.former }.map(\.id.hex) + [group.zone.member.hex])
    }

    func operation(_ call: Call) -> any Operation {
        LineImport(
            call, prepare: { try self.group.zone.checkPost() }, take: { bytes, _ in try self.take(ScoreInput(bytes)) },
            counts: { lines, refused in
                (self.counts.lines, self.counts.refused) = (lines, refused)
                return self.counts
            })
    }

    private func take(_ result: ScoreInput) throws {
        let zone = group.zone
        if let user = result.userID, !own.contains(user) {
            throw FieldError("", "is another member's result: nobody can post for another")
        }
        try DailyScore.check(day: result.day, now: clock.wall())
        let game = try entered(result)
        let held = try zone.score(of: zone.member, day: result.day, game: game.id)
        if let held, result.says(held, of: game) {
            counts.known += 1
            return
        }
        try zone.post(
            game: game.id, day: result.day, score: result.score, maxAttempts: result.maxAttempts,
            streak: result.streak, wall: clock.wall())
        if held == nil { counts.added += 1 } else { counts.updated += 1 }
    }

    /// The game of a line; added to the catalogue if it is missing there and this member may do that.
    private func entered(_ result: ScoreInput) throws -> LeaderboardShare.Game {
        let catalogue = group.zone.catalogue
        if let id = result.game, let game = catalogue[id] { return game }
        if result.game == nil, let game = catalogue.game(named: result.gameName) { return game }
        guard let name = result.gameName.isEmpty ? nil : result.gameName, group.zone.mayEnterGames else {
            throw FieldError("", "the game is not in the group's catalogue")
        }
        let new = try LeaderboardShare.Game(
            id: result.game ?? GameID(name: name), name: name,
            model: result.maxAttempts ?? 0 > 0 ? .lowerAttempts : .higher, maxAttempts: result.maxAttempts ?? 0,
            number: catalogue.nextNumber)
        // Checked first, so that no refused line adds a game.
        try new.check(score: result.score, maxAttempts: nil)
        let game = try group.zone.enter(new.id, name: name, model: new.model, maxAttempts: new.maxAttempts)
        counts.gamesAdded += 1
        return game
    }
}

/// A line of `score import`.
struct ScoreInput {
    let day: Day
    let game: GameID?
    let gameName: String
    let score: UInt32?
    let maxAttempts: UInt32?
    let streak: UInt32?
    /// The member it claims to belong to.
    let userID: String?

    init(_ bytes: [UInt8]) throws(FieldError) {
        let line = try ScoreLine(json: bytes)
        guard let day = Day(dateInt: line.dateInt) else {
            throw FieldError("", "`dateInt` must be a day such as 20250131")
        }
        self.day = day
        game = line.gameId.flatMap { GameID(uuid: $0) }
        guard line.gameId == nil || game != nil else { throw FieldError("", "`gameId` must be a UUID") }
        gameName = line.gameName ?? ""
        guard game != nil || !gameName.isEmpty else { throw FieldError("", "lacks `gameId` and `gameName`") }
        score = line.score.map { UInt32(clamping: $0) }
        maxAttempts = line.maxAttempts.map { UInt32(clamping: $0) }
        streak = line.currentStreak.map { UInt32(clamping: $0) }
        userID = line.userId
        if let completed = line.completed, completed != (score != nil) {
            throw FieldError("", "a completed result has a `score`, a failed one has null")
        }
    }

    /// True if a held result says the same.
    func says(_ held: DailyScore, of game: LeaderboardShare.Game) -> Bool {
        held.score == score && held.maxAttempts == game.maximum(maxAttempts) && held.currentStreak == streak
    }
}
