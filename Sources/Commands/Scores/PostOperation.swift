import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

enum ScorePost {
    static let allGroups = Parameter.flag("--all-groups", "post in every group that has the game")
    static let score = Parameter.count("--score", "attempts, guesses, hints, points or seconds")
    static let failed = Parameter.flag("--failed", "not completed")
    static let streak = Parameter(
        ParameterSpec(
            "--streak", .number("N", 0...UInt64(LeaderboardShare.Limits.streakDays)),
            help: "days in a row, as the game shows it")
    ) { $0.first.flatMap { UInt32($0) } }
    static let shareText = Parameter.text(
        "--share-text", .text("TEXT"),
        "the game's text for sharing, with game and result; - is standard input")

    static let result: [any AnyParameter] = [
        ScoreParameters.game, score, failed, ScoreParameters.date, streak, ScoreParameters.maximum,
        shareText.requested(help: "the game's text for sharing, with game and result"),
    ]
}

/// `score post`: one result, in one group or in all that have the game. All posts are written or none.
final class PostOperation: Operation {
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
    /// The game that a text for sharing names, if the user names one, too.
    private var shared: String?
    private let isForAll: Bool

    init(_ call: Call) throws {
        groups = try Self.groups(call)
        wall = call.clock.wall()
        isForAll = call.has(ScorePost.allGroups)
        let day = try call.day(ScoreParameters.date) ?? Day(wall)
        let (streak, maximum) = (call[ScorePost.streak], call[ScoreParameters.maximum])
        let others: [any AnyParameter] = [ScorePost.score, ScorePost.failed]
        if let text = call[ScorePost.shareText] {
            guard !others.contains(where: call.has) else {
                throw NodeError(
                    .usage,
                    """
                    \(parameter: ScorePost.shareText.spec.name) contains the result: leave out \
                    \(parameter: ScorePost.score.spec.name) and \(parameter: ScorePost.failed.spec.name)
                    """)
            }
            guard let share = ShareText(text) else {
                throw NodeError.wrong(ScorePost.shareText, "has no result such as `Wordle 1,234 3/6`")
            }
            game = call[ScoreParameters.game] ?? share.gameName
            shared = share.gameName
            result = Result(score: share.score, maxAttempts: maximum ?? share.maxAttempts, streak: streak, day: day)
            return
        }
        guard let name = call[ScoreParameters.game] else {
            throw NodeError(
                .usage,
                """
                a result needs \(parameter: ScoreParameters.game.spec.name) or \
                \(parameter: ScorePost.shareText.spec.name)
                """)
        }
        game = name
        guard others.count(where: call.has) == 1 else {
            throw NodeError(
                .usage,
                """
                a result needs either \(parameter: ScorePost.score.spec.name) or \
                \(parameter: ScorePost.failed.spec.name)
                """)
        }
        result = Result(score: call[ScorePost.score], maxAttempts: maximum, streak: streak, day: day)
    }

    private static func groups(_ call: Call) throws(NodeError) -> [NodeGroup] {
        guard call.has(ScorePost.allGroups) else { return [try call.onlyGroup()] }
        guard !call.has(GroupNaming.optionalGroup) else {
            throw NodeError.wrong(ScorePost.allGroups, "and a named group exclude each other")
        }
        let groups = try call.account.groups.filter(\.isIn)
        guard !groups.isEmpty else { throw NodeError(.notFound, "the account is in no group") }
        for group in groups { _ = try call.usable(group) }
        return groups
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        var posted: [(NodeGroup, LeaderboardShare.Game)] = []
        for group in groups {
            do throws(NodeError) {
                posted.append((group, try group.game(named: game)))
            } catch {
                // `--all-groups` means the groups that have the game.
                guard isForAll else { throw error.blaming(ScoreParameters.game.spec.name) }
            }
        }
        guard !posted.isEmpty else {
            throw NodeError(.usage, "none of your groups has the game `\(game)` in its catalogue")
                .blaming(ScoreParameters.game.spec.name)
        }
        // A name that the catalogue does not have may be the same game's.
        for (group, game) in posted {
            guard let shared, let other = try? group.game(named: shared), other.id != game.id else { continue }
            throw NodeError.wrong(ScoreParameters.game, "is \(game.name), and the text is about \(other.name)")
        }
        // Finds a group that refuses before anything is written.
        for (group, game) in posted { try check(group, game) }
        for (group, game) in posted {
            let score = try group.zone.post(
                game: game.id, day: result.day, score: result.score, maxAttempts: result.maxAttempts,
                streak: result.streak, wall: wall)
            var line = Score(score)
            line.groupId = group.zone.zone.hex
            line.group = group.title
            line.points = Int(clamping: game.points(score))
            reply.data(line)
        }
        return .done
    }

    private func check(_ group: NodeGroup, _ game: LeaderboardShare.Game) throws {
        do {
            try group.zone.checkPost(
                game: game.id, day: result.day, score: result.score, maxAttempts: result.maxAttempts, wall: wall)
        } catch ScoreError.impossible(let score) {
            let place = isForAll ? " in the group \(Terminal.harmless(group.title))" : ""
            throw NodeError.wrong(
                ScorePost.score, "\(score.reason)\(place); or use \(parameter: ScorePost.failed.spec.name)")
        } catch ScoreError.future {
            throw NodeError.wrong(ScoreParameters.date, "must be no later than tomorrow, in UTC")
        } catch ScoreError.early {
            throw NodeError.wrong(ScoreParameters.date, "must be in 1970 or later")
        } catch let cause where isForAll {
            let error = NodeError(cause: cause)
            guard !error.isStoreFault else { throw cause }
            throw NodeError(
                error.code, "the group \(Terminal.harmless(group.title)) refuses it: \(sentence: error.sentence)")
        }
    }
}
