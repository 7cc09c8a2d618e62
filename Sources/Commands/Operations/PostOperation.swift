import LeaderboardShare
import Node
import NodeCore
import SyncState

/// `score post`: one result, in one group or in all that have the game. Nothing is written unless all of it can be.
final class PostOperation: ControlOperation {
    let changesData = true

    private struct Result {
        let score: UInt32?
        let maxAttempts: UInt32?
        let streak: UInt32?
        let day: Day
    }

    private let groups: [NodeGroup]
    private let wall: WallTime
    private let result: Result
    private let game: String
    private let isForAll: Bool

    init(groups: [NodeGroup], arguments: ScoreRequest) throws(NodeError) {
        let request = arguments.request
        self.groups = groups
        wall = arguments.wall
        isForAll = request.has("--all-groups")
        let day = try arguments.day("--date", or: Day(wall)) ?? Day(wall)
        let (streak, maximum) = (try arguments.number("--streak"), try arguments.number("--max-attempts"))
        if let text = request.text("--share-text") {
            guard !request.has("--score"), !request.has("--failed") else {
                throw NodeError(.usage, "--share-text says the result itself: leave --score and --failed out")
            }
            guard let share = ShareText(text) else {
                throw NodeError(.usage, "no result such as `Wordle 1,234 3/6` is in this text")
            }
            game = request.text("--game") ?? share.gameName
            result = Result(
                score: share.score, maxAttempts: maximum ?? share.maxAttempts, streak: streak, day: day)
            return
        }
        guard let name = request.text("--game") else {
            throw NodeError(.usage, "score post needs --game, or --share-text")
        }
        game = name
        guard request.has("--score") != request.has("--failed") else {
            throw NodeError(.usage, "score post needs either --score N or --failed")
        }
        result = Result(
            score: request.has("--failed") ? nil : try arguments.number("--score"), maxAttempts: maximum,
            streak: streak, day: day)
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        var posted: [(NodeGroup, Game)] = []
        for group in groups {
            do {
                posted.append((group, try ScoreRequest.game(game, in: group)))
            } catch {
                // Of several groups those are meant that have the game.
                guard isForAll else { throw error }
            }
        }
        guard !posted.isEmpty else {
            throw NodeError(.usage, "the game `\(game)` is in the catalogue of none of your groups")
        }
        for (_, game) in posted { try checkAttempts(game) }
        do {
            // One that refuses is found before the first one writes.
            for (group, game) in posted { try group.zone.checkPost(game: game.id, day: result.day, wall: wall) }
            for (group, game) in posted {
                let score = try group.zone.post(
                    game: game.id, day: result.day, score: result.score, maxAttempts: result.maxAttempts,
                    streak: result.streak, wall: wall)
                var fields = ScoreLine(score).fields
                fields["groupId"] = .string(group.zone.zone.hex)
                fields["group"] = .string(group.title)
                fields["points"] = .number(
                    game.model.points(
                        score: score.score, maxAttempts: score.maxAttempts > 0 ? score.maxAttempts : game.maxAttempts))
                reply.data(.object(fields))
            }
        } catch {
            throw NodeError(cause: error)
        }
        return .done
    }

    /// More attempts than the game grants are a slip of the finger, and so are none: they would count for nothing.
    private func checkAttempts(_ game: Game) throws(NodeError) {
        guard let score = result.score, game.model.countsAttempts else { return }
        let (least, most) = (game.model.least, result.maxAttempts ?? game.maxAttempts)
        guard score < least || most > 0 && score > most else { return }
        let range = most > 0 ? "from \(least) to \(most)" : "of at least \(least)"
        throw NodeError(
            .usage, "--score must be a whole number \(range) for \(game.name), not \(score); or say --failed")
    }
}
