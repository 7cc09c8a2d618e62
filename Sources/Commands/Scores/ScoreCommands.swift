import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `game …` and `score …`
extension Command {
    static let scores: [Command] = [gameAdd, gameList, scorePost, scoreList, scoreImport, scoreRemove]

    // MARK: Games

    static let gameAdd: Command = {
        let name = Parameter.text("NAME", .form("NAME", .title))
        let model = Parameter.choice(
            "--model", "M", NodeModel.ScoringModel.allCases.map(\.rawValue),
            "lower-attempts, lower-guesses, lower-hints, higher or lower-seconds"
        ).required
        let id = Parameter.text(
            "--id", .form("UUID", .uuid),
            "of one that is here, to rename or change it, or that other groups have (default: derived from the name)")
        return Command(
            "game add", "Add or edit a game in a group's catalogue (owner, admins)",
            examples: [
                "Family Wordle --model lower-attempts --max-attempts 6", "Family Mini --model lower-seconds",
                "Family 'The Mini' --model lower-seconds --id 95caaeda-4fba-8e37-9f6e-1b2b3c4d5e6f",
            ],
            takes: [GroupNaming.inGroup, name, account, model, ScoreParameters.maximum, id],
            at: Endpoint(
                "addGame", .post, "/v1/groups/{group}/games", .scope(.groupsWrite),
                answer: .object(NodeModel.Game.self, shows: ScoreText.game)),
            begin: changing { call, _ in
                let group = try call.onlyGroup(GroupNaming.inGroup)
                let name = try call.need(name)
                guard let model = LeaderboardShare.ScoringModel(name: try call.need(model)) else {
                    throw NodeError.wrong(model, "must be the name of a scoring model")
                }
                guard let id = call[id].map({ GameID(uuid: $0) }) ?? GameID(name: name) else {
                    throw NodeError.wrong(id, "must be \(TextForm.uuid.allowed)")
                }
                let maximum = call[ScoreParameters.maximum] ?? 0
                guard maximum == 0 || model.countsAttempts else {
                    throw NodeError.wrong(
                        ScoreParameters.maximum, "is for games that count attempts, guesses or hints")
                }
                return NodeModel.Game(try group.zone.enter(id, name: name, model: model, maxAttempts: maximum))
            })
    }()

    static let gameList = Command(
        "game list", "List the games of a group", examples: ["Family"], takes: [GroupNaming.inGroup, account],
        at: Endpoint(
            "games", .get, "/v1/groups/{group}/games", .scope(.groupsRead),
            answer: .list(of: NodeModel.Game.self, as: ScoreText.games)),
        begin: listing { call in try call.onlyGroup(GroupNaming.inGroup).zone.catalogue.games.map { NodeModel.Game($0) }
        })

    // MARK: Results

    static let scorePost = Command(
        "score post", "Post or replace your result for a day",
        examples: [
            "Family --game Wordle --score 3", "--all-groups --share-text - < clipboard.txt",
            "Family --game Wordle --failed --date 2026-11-20",
        ],
        takes: [
            GroupNaming.optionalGroup, account, ScorePost.allGroups, ScoreParameters.game, ScorePost.score,
            ScorePost.failed, ScoreParameters.maximum, ScoreParameters.date, ScorePost.streak, ScorePost.shareText,
        ],
        at: [
            Endpoint(
                "postScore", .post, "/v1/groups/{group}/scores", .scope(.groupsWrite),
                takes: [GroupNaming.optionalGroup] + ScorePost.result, body: .someFields,
                answer: .object(Score.self, shows: ScoreText.posted)),
            Endpoint(
                "postScoreEverywhere", .post, "/v1/scores", .scope(.groupsWrite),
                "Post or replace your result for a day in every group that has the game", takes: ScorePost.result,
                fixed: [(ScorePost.allGroups, "")], body: .someFields,
                answer: .list(of: Score.self, as: ScoreText.list)),
        ]
    ) { call in try PostOperation(call) }

    static let scoreList = Command(
        "score list", "List results", examples: ["Family", "Family --member Ben --from 2026-11-01", "Family --unsent"],
        takes: [
            GroupNaming.optionalGroup, account, ScoreListing.member, ScoreListing.all, ScoreParameters.game,
            ScoreParameters.from, ScoreParameters.to, ScoreListing.unsent,
        ],
        at: Endpoint(
            "scores", .get, "/v1/groups/{group}/scores", .scope(.groupsRead),
            answer: .list(of: Score.self, as: ScoreText.list)),
        begin: listing { call in
            try ScoreListing(call).list()
        })

    static let scoreImport = Command(
        "score import", "Post your results from a file, one JSON object a line (safe to run again)",
        examples: ["Family wordle.jsonl"], takes: [GroupNaming.inGroup, file, account],
        at: Endpoint(
            "importScores", .post, "/v1/groups/{group}/scores/import", .scope(.groupsWrite),
            "Post your results, one a line (safe to run again)", takes: [GroupNaming.inGroup],
            body: .lines(.of(ScoreLine.self)),
            answer: .object(ImportedScores.self) { counts, output in
                let games = counts.gamesAdded
                output.line(
                    "\(Wording.count(counts.lines, "line")): \(counts.added) added, \(counts.updated) updated, "
                        + "\(counts.known) known, \(counts.refused) refused"
                        + (games > 0 ? "; \(Wording.count(games, "game")) added to the catalogue" : ""))
            })
    ) { call in try ScoreImport(call).operation(call) }

    static let scoreRemove = Command(
        "score remove", "Withdraw your result for a day",
        examples: ["Family --game Wordle", "Family --game Wordle --date 2026-11-20 --yes"],
        takes: [GroupNaming.optionalGroup, account, ScoreParameters.game, ScoreParameters.date, yes],
        asks: "This withdraws your result on the devices of all members. You may post it again.",
        at: Endpoint(
            "removeScore", .delete, "/v1/groups/{group}/scores", .scope(.groupsWrite),
            takes: [GroupNaming.optionalGroup, ScoreParameters.game.required, ScoreParameters.date],
            answer: .object(Score.self) { score, output in
                let game = Terminal.harmless(score.gameName ?? "-")
                output.line("Withdrew \(game), \(ScoreText.day(score.dateInt)).")
            }),
        begin: changing { call, _ in
            let group = try call.onlyGroup()
            guard let game = try call.game(in: group) else {
                throw NodeError.wrong(ScoreParameters.game, "must be given")
            }
            let day = try call.day(ScoreParameters.date) ?? call.today
            let zone = group.zone
            guard let held = try zone.score(of: zone.member, day: day, game: game.id) else {
                throw NodeError(
                    .notFound, "you have no result of \(game.name) on \(ScoreText.day(day.dateInt))")
            }
            var removed = Score(
                try zone.post(
                    game: game.id, day: day, score: held.score, maxAttempts: held.maxAttempts,
                    streak: held.currentStreak, isRemoved: true, wall: call.clock.wall()))
            removed.isRemoved = true
            return removed
        })
}

extension NodeModel.Game {
    init(_ game: LeaderboardShare.Game) {
        self.init()
        gameId = game.id.uuid
        name = game.name
        model = ScoringModel(rawValue: game.model.name)
        maxAttempts = Int(game.maxAttempts)
        revision = Int(game.revision)
    }
}

enum ScoreText {
    static let games = ListColumns<NodeModel.Game>(
        whenEmpty: "No games yet: `kachat-node game add` adds one.",
        [
            .text("GAME", .shortened(to: 8)) { $0.name }, .text("SCORING") { $0.model?.rawValue ?? "-" },
            .text("AT MOST") { game in game.maxAttempts.flatMap { $0 > 0 ? "\($0)" : nil } },
            .text("ID", .wrapped(at: 18)) { $0.gameId },
        ])

    @Sendable static func game(_ game: NodeModel.Game, _ output: Output) {
        let most = game.maxAttempts.flatMap { $0 > 0 ? ", at most \($0)" : nil } ?? ""
        output.line("\(Terminal.harmless(game.name)) is in the catalogue: \(game.model?.rawValue ?? "-")\(most).")
    }

    static let list = ListColumns<Score>(
        whenEmpty: "No results.",
        [
            .text("DAY") { day($0.dateInt) }, .text("MEMBER", .shortened(to: 8)) { $0.name },
            .text("GAME", .shortened(to: 8)) { $0.gameName ?? "-" },
            .text("RESULT", .wrapped(at: 10)) { score in
                let text = result(score.score, of: score.maxAttempts)
                return score.isImpossible == true ? text + " (impossible, not counted)" : text
            },
            .text("GROUP", .shortened(to: 8)) { $0.group },
            .text("HELD BY", .wrapped(at: 10)) { score in
                score.heldBy.map { $0.isEmpty ? "nobody else" : $0.joined(separator: ", ") }
            },
            .text("NOTES", .wrapped(at: 8)) { score in
                [score.isLate == true ? "late" : "", score.isImported == true ? "imported" : ""].first { !$0.isEmpty }
            },
        ])

    @Sendable static func posted(_ score: Score, _ output: Output) {
        let group = score.group.map { " in \(Terminal.harmless($0))" } ?? ""
        let game = "\(Terminal.harmless(score.gameName ?? "-")) \(result(score.score, of: score.maxAttempts))"
        output.line("Posted \(game) for \(day(score.dateInt))\(group).")
    }

    /// `3/6`, `X/6`, `83`
    static func result(_ score: Int?, of maximum: Int? = nil) -> String {
        let text = score.map { "\($0)" } ?? "X"
        return maximum.map { $0 > 0 ? "\(text)/\($0)" : text } ?? text
    }

    /// `20250131` as `2025-01-31`
    static func day(_ number: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(number / 10_000)-\(two(number / 100 % 100))-\(two(number % 100))"
    }
}
