import LeaderboardShare
import Node

/// `game …`, `score …` and `leaderboard …`
extension Catalogue {
    static let scores: [CommandSpec] = [
        CommandSpec(
            "game add", summary: "Enter a game into a group's catalogue, or correct it (owner, admins)",
            examples: [
                "kachat-node game add Wordle --group Family --model lower-attempts --max-attempts 6",
                "kachat-node game add Mini --group Family --model lower-seconds",
            ],
            places: [PlaceSpec("NAME", .text("NAME"))],
            options: [
                .account, inGroup,
                OptionSpec(
                    "--model", .choice("M", ScoringModel.allCases.map(\.name)), required: true,
                    help: "lower-attempts, lower-guesses, lower-hints, higher or lower-seconds"),
                maximum,
                OptionSpec(
                    "--id", .form("UUID", .uuid), help: "of a game that other groups have (default: from its name)"),
            ]),
        CommandSpec(
            "game list", summary: "List the games of a group",
            examples: ["kachat-node game list --group Family"], options: [.account, inGroup]),
        CommandSpec(
            "score post", summary: "Post your result of a day, in place of the one before",
            examples: [
                "kachat-node score post Family --game Wordle --score 3",
                "kachat-node score post --all-groups --share-text - < clipboard.txt",
                "kachat-node score post Family --game Wordle --failed --date 20261120",
            ],
            places: [optionalGroup],
            options: [
                .account, OptionSpec("--all-groups", help: "in each group that has the game"),
                game, OptionSpec("--score", .form("N", .count), help: "attempts, guesses, hints, points or seconds"),
                OptionSpec("--failed", help: "it was not completed"), maximum, date,
                OptionSpec("--streak", .form("N", .count), help: "days in a row, as the game shows it"),
                OptionSpec(
                    "--share-text", .text("TEXT"),
                    help: "what the game put on the clipboard, which says game and result; - is standard input"),
            ]),
        CommandSpec(
            "score list", summary: "List results",
            examples: [
                "kachat-node score list Family", "kachat-node score list Family --member Ben --from 20261101",
                "kachat-node score list Family --unsent",
            ],
            places: [optionalGroup],
            options: [
                .account, OptionSpec("--member", .text("MEMBER"), help: "somebody else's (default: your own)"),
                OptionSpec("--all", help: "everybody's"), game, from, to,
                OptionSpec("--unsent", help: "your own that nobody else is known to have, and who has the others"),
            ]),
        CommandSpec(
            "score import", summary: "Post your results from a file, one JSON object a line; again changes nothing",
            examples: ["kachat-node score import wordle.jsonl --group Family"],
            places: [PlaceSpec("FILE", .text("FILE"))], options: [.account, inGroup]),
        CommandSpec(
            "score remove", summary: "Take your result of a day back",
            examples: ["kachat-node score remove Family --game Wordle --date 20261120"],
            places: [optionalGroup], options: [.account, game, date]),
        CommandSpec(
            "leaderboard", summary: "Show who stands where in a group",
            examples: [
                "kachat-node leaderboard Family", "kachat-node leaderboard Family --game Wordle --period month",
                "kachat-node leaderboard Family --from 20260101 --to 20260331",
            ],
            places: [optionalGroup],
            options: [
                .account, game,
                OptionSpec(
                    "--period", .choice("P", ["today", "yesterday", "week", "last-week", "month", "all"]),
                    help: "today, yesterday, week, last-week, month or all (default: week)"),
                from, to,
            ]),
        CommandSpec(
            "leaderboard history", summary: "Show the points of each week and member, for plots",
            examples: ["kachat-node leaderboard history Family --csv > family.csv"],
            places: [optionalGroup],
            options: [.account, game, OptionSpec("--csv", help: "as comma-separated values")]),
        CommandSpec(
            "leaderboard day", summary: "Show each member's result of a day, and who won it",
            examples: ["kachat-node leaderboard day Family 20261120 --game Wordle"],
            places: [group, PlaceSpec("DATE", .form("YYYYMMDD", .day))], options: [.account, game]),
    ]

    /// May be left out where the account is in one group only.
    private static let optionalGroup = PlaceSpec("GROUP", .text("GROUP"), required: false)
    private static let inGroup = OptionSpec(
        "--group", .text("GROUP"), help: "the group: id, beginning of it, or title (may be left out if there is one)")
    private static let game = OptionSpec("--game", .text("GAME"), help: "the game, by name or UUID")
    private static let date = OptionSpec("--date", .form("YYYYMMDD", .day), help: "the day, in UTC (default: today)")
    private static let from = OptionSpec("--from", .form("YYYYMMDD", .day), help: "from this day on")
    private static let to = OptionSpec("--to", .form("YYYYMMDD", .day), help: "up to this day, which counts")
    private static let maximum = OptionSpec(
        "--max-attempts", .number("N", 0...100), help: "how many attempts the game grants")
}
