import Chat
import Node
import SyncState

/// Games, results, leaderboards, achievements.
extension APITable {
    private static let group = APIParameter(.path, "group", "GROUP", help: "its id, the beginning of it, or its title")
    /// For the commands that take it as an option.
    private static let inGroup = APIParameter(
        .path, "group", "--group", help: "its id, the beginning of it, or its title")
    private static let date = APIParameter.Kind.value(.number("YYYYMMDD", 19_700_101...99_991_231))
    private static let count = APIParameter.Kind.value(.number("N", 0...UInt64(UInt32.max)))

    private static func days(_ place: APIParameter.Place) -> [APIParameter] {
        [
            APIParameter(place, "from", "--from", date, help: "from this day on, yyyymmdd in UTC"),
            APIParameter(place, "to", "--to", date, help: "up to this day, which counts"),
        ]
    }

    private static let result = [
        APIParameter(.body, "game", "--game"), APIParameter(.body, "score", "--score", count),
        APIParameter(.body, "failed", "--failed"),
        APIParameter(.body, "date", "--date", date, help: "yyyymmdd in UTC (default: today)"),
        APIParameter(.body, "streak", "--streak", count), APIParameter(.body, "maxAttempts", "--max-attempts"),
        APIParameter(.body, "shareText", "--share-text", help: "what the game put on the clipboard"),
    ]

    static let scores: [Endpoint] = [
        Endpoint(
            "games", .get, "/v1/groups/{group}/games", .scope(.groupsRead), .command("game list"),
            "The games of a group", parameters: [inGroup], answer: .list("Game", next: nil)),
        Endpoint(
            "addGame", .post, "/v1/groups/{group}/games", .scope(.groupsWrite), .command("game add"),
            "Enter a game into a group's catalogue, or correct it (owner, admins)",
            parameters: [
                inGroup, APIParameter(.body, "name", "NAME", required: true),
                APIParameter(
                    .body, "model", "--model",
                    .value(
                        .choice(
                            "M", ["lower-attempts", "lower-guesses", "lower-hints", "higher", "lower-seconds"])),
                    required: true),
                APIParameter(.body, "maxAttempts", "--max-attempts"), APIParameter(.body, "id", "--id"),
            ], body: .fields, answer: .object("Game")),
        Endpoint(
            "scores", .get, "/v1/groups/{group}/scores", .scope(.groupsRead), .command("score list"), "Results",
            parameters: [
                group, APIParameter(.query, "member", "--member"), APIParameter(.query, "all", "--all"),
                APIParameter(.query, "game", "--game"), APIParameter(.query, "unsent", "--unsent"),
            ] + days(.query), answer: .list("Score", next: nil)),
        Endpoint(
            "postScore", .post, "/v1/groups/{group}/scores", .scope(.groupsWrite), .command("score post"),
            "Post your result of a day, in place of the one before", parameters: [group] + result, body: .someFields,
            answer: .object("PostedScore")),
        Endpoint(
            "postScoreEverywhere", .post, "/v1/scores", .scope(.groupsWrite), .command("score post"),
            "Post your result of a day in each group that has the game", parameters: result,
            fixed: ["--all-groups": [""]], body: .someFields, answer: .list("PostedScore", next: nil)),
        Endpoint(
            "removeScore", .delete, "/v1/groups/{group}/scores", .scope(.groupsWrite), .command("score remove"),
            "Take your result of a day back",
            parameters: [
                group, APIParameter(.query, "game", "--game", required: true),
                APIParameter(.query, "date", "--date", date, help: "yyyymmdd in UTC (default: today)"),
            ], answer: .object("Score")),
        Endpoint(
            "importScores", .post, "/v1/groups/{group}/scores/import", .scope(.groupsWrite), .command("score import"),
            "Post your results, one a line; again changes nothing", parameters: [inGroup], body: .lines("Score"),
            answer: .object("ImportedScores")),
        Endpoint(
            "leaderboard", .get, "/v1/groups/{group}/leaderboard", .scope(.groupsRead), .command("leaderboard"),
            "Who stands where in a group",
            parameters: [
                group, APIParameter(.query, "game", "--game"),
                APIParameter(
                    .query, "period", "--period",
                    .value(.choice("P", ["today", "yesterday", "week", "last-week", "month", "all"]))),
            ] + days(.query), answer: .object("Leaderboard")),
        Endpoint(
            "leaderboardHistory", .get, "/v1/groups/{group}/leaderboard/history", .scope(.groupsRead),
            .command("leaderboard history"), "The points of each week and member, for plots",
            parameters: [group, APIParameter(.query, "game", "--game")], answer: .object("LeaderboardHistory")),
        Endpoint(
            "leaderboardDay", .get, "/v1/groups/{group}/leaderboard/days/{date}", .scope(.groupsRead),
            .command("leaderboard day"), "Each member's result of a day, and who won it",
            parameters: [
                group, APIParameter(.path, "date", "DATE", date, help: "yyyymmdd in UTC"),
                APIParameter(.query, "game", "--game"),
            ], answer: .object("LeaderboardDay")),
        Endpoint(
            "achievements", .get, "/v1/achievements", .scope(.groupsRead), .command("achievement list"),
            "The categories of achievements, or the achievements of one",
            parameters: [APIParameter(.query, "category", "--category")], answer: .list("Achievement", next: nil)),
        Endpoint(
            "importAchievements", .post, "/v1/achievements", .scope(.groupsWrite), .command("achievement import"),
            "Add achievements to those that are held; nothing reached is ever lost, and the same again changes nothing",
            body: .array("NewAchievement", most: Chat.Limits.achievements),
            answer: .object("ImportedAchievements")),
    ]

    static let scoreShapes: [Shape] = [
        Shape("Game", "gameId text,name text,model text,maxAttempts int?,revision? int"),
        Shape(
            "Score",
            """
            scoreId? text,userId? text,dateInt int,gameId? text,gameName? text?,score? int?,maxAttempts? int?,\
            completed bool,currentStreak? int?,updatedAt? any,revision? int
            """),
        Shape("PostedScore", "groupId text,dateInt int,gameId text,score int?,completed bool"),
        Shape("ImportedScores", "lines int,added int,updated int,known int,refused int,gamesAdded int"),
        Shape("Leaderboard", "groupId text,title text?,rows [Standing]"),
        Shape("Standing", "rank int?,memberId text,name text?,me bool,points any"),
        Shape("LeaderboardHistory", "members [object],weeks [object]"),
        Shape("LeaderboardDay", "groupId text,date int,results [object],winners [object]"),
        Shape("Achievement", "category text"),
        Shape(
            "NewAchievement",
            "id uuid,category text,requirements? [AchievementRequirement],progress AchievementProgress"),
        Shape("AchievementRequirement", "tier any,threshold int"),
        Shape(
            "AchievementProgress", "currentValue int,currentTier? any,lastUpdated any,tierUnlockDates? any"),
        Shape("ImportedAchievements", "achievements int,changed bool,held int"),
    ]
}
