import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `score import`: one's own results from lines. What is there already is not written again.
final class ScoreImportOperation: Operation {
    let changesData = true

    private let group: NodeGroup
    private let clock: any Clock
    private var counts = ImportedScores()
    private var refusals: LineRefusals

    init(group: NodeGroup, _ call: Call) {
        refusals = LineRefusals(call)
        self.group = group
        clock = call.clock
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            try group.zone.checkPost()
        } catch {
            throw NodeError(cause: error)
        }
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                guard input.isEnded else { return .needsInput }
                finish(&reply)
                return .done
            }
            counts.lines += 1
            do throws(LineError) {
                try read(line)
            } catch {
                if let fault = error.fault { throw fault }
                refusals.add(counts.lines, error.reason, to: &reply)
            }
        }
        return .again
    }

    private func read(_ line: LineBuffer.Line) throws(LineError) {
        guard case .line(let bytes) = line else {
            throw LineError("is longer than 1 MiB")
        }
        let result = try ScoreInput(bytes)
        let zone = group.zone
        if let user = result.userID, user != zone.member.hex {
            throw LineError("is another member's result: nobody can post for another")
        }
        do {
            // First, so that a game comes with a line that is taken only.
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
        } catch let error as LineError {
            throw error
        } catch let error as ScoreError {
            throw LineError("\(error)")
        } catch let error as GroupError {
            throw LineError("\(error)")
        } catch {
            throw LineError(fault: NodeError(cause: error))
        }
    }

    /// The game of a line; entered into the catalogue where it is not there and this member may do that.
    private func entered(_ result: ScoreInput) throws -> LeaderboardShare.Game {
        let catalogue = group.zone.catalogue
        if let id = result.game, let game = catalogue[id] { return game }
        if result.game == nil, let game = catalogue.game(named: result.gameName) { return game }
        guard let name = result.gameName.isEmpty ? nil : result.gameName, group.zone.mayEnterGames else {
            throw LineError("the game is not in the group's catalogue")
        }
        let model: LeaderboardShare.ScoringModel = result.maxAttempts ?? 0 > 0 ? .lowerAttempts : .higher
        guard result.score == nil || model.counted(result.score) != nil else { throw ScoreError.noAttempts }
        let game = try group.zone.enter(
            result.game ?? GameID(name: name), name: name, model: model, maxAttempts: result.maxAttempts ?? 0)
        counts.gamesAdded += 1
        return game
    }

    private func finish(_ reply: inout CommandReply) {
        counts.refused = refusals.count
        reply.data(counts)
        refusals.end(&reply, lines: counts.lines)
    }
}

/// A line of an import, understood.
private struct ScoreInput {
    let day: Day
    let game: GameID?
    let gameName: String
    let score: UInt32?
    let maxAttempts: UInt32?
    let streak: UInt32?
    /// Whose it says that it is.
    let userID: String?

    init(_ bytes: [UInt8]) throws(LineError) {
        let line: ScoreLine
        do throws(FieldError) {
            line = try ScoreLine(json: bytes)
        } catch {
            throw LineError("\(error)")
        }
        guard let day = Day(dateInt: line.dateInt) else { throw LineError("`dateInt` must be a day such as 20250131") }
        self.day = day
        game = line.gameId.flatMap { GameID(uuid: $0) }
        guard line.gameId == nil || game != nil else { throw LineError("`gameId` must be a UUID") }
        gameName = line.gameName ?? ""
        guard game != nil || !gameName.isEmpty else { throw LineError("lacks `gameId` and `gameName`") }
        score = line.score.map { UInt32(clamping: $0) }
        maxAttempts = line.maxAttempts.map { UInt32(clamping: $0) }
        streak = line.currentStreak.map { UInt32(clamping: $0) }
        userID = line.userId
        if let completed = line.completed, completed != (score != nil) {
            throw LineError("a completed result has a `score`, a failed one has null")
        }
    }

    /// Whether a held result says the same already.
    func says(_ held: DailyScore, of game: LeaderboardShare.Game) -> Bool {
        held.score == score && held.maxAttempts == maxAttempts ?? game.maxAttempts && held.currentStreak == streak
    }
}
