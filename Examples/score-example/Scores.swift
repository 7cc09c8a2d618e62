import KaChatClient

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Posts results and shows the standings.
///
/// ```
/// KACHAT_TOKEN=… score-example --api 127.0.0.1:47768 post Family Wordle 3    a result of today; X: not completed
/// KACHAT_TOKEN=… score-example --api 127.0.0.1:47768 share Family "Wordle 1,234 3/6"
/// KACHAT_TOKEN=… score-example --api 127.0.0.1:47768 board Family            the week's standings
/// KACHAT_TOKEN=… score-example --api 127.0.0.1:47768 watch Family            … and again whenever they change
/// ```
@main struct Scores {
    let client: NodeClient
    let group: String

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 4, arguments[0] == "--api", let token = getenv("KACHAT_TOKEN") else {
            return fail("KACHAT_TOKEN=TOKEN score-example --api HOST:PORT post|share|board|watch GROUP …")
        }
        do {
            let client = try NodeClient(api: arguments[1], token: String(cString: token))
            try await Scores(client: client, group: arguments[3]).run(arguments[2], Array(arguments.dropFirst(4)))
        } catch let error as ClientError where error.remedy == .tellTheUser {
            fail(error.message)
        } catch {
            fail("\(error)")
        }
    }

    func run(_ command: String, _ arguments: [String]) async throws {
        switch (command, arguments.count) {
        case ("post", 2):
            let score = arguments[1] == "X" ? nil : Int(arguments[1])
            guard score != nil || arguments[1] == "X" else { return fail("`\(arguments[1])` is no score") }
            try await told(client.post(NewScore(game: arguments[0], score: score), to: group))
        case ("share", 1): try await told(client.post(NewScore(shareText: arguments[0]), to: group))
        case ("board", 0): try await showBoard()
        case ("watch", 0): try await watch()
        default: fail("`\(command)` is no command, or lacks something")
        }
    }

    private func told(_ posted: Score) async throws {
        say("posted \(posted.gameName ?? posted.gameId): \(posted.score.map { "\($0)" } ?? "not completed")")
        try await showBoard()
    }

    /// Shows the standings, and again each time a result comes, from anybody.
    private func watch() async throws {
        let id = try await client.group(group).groupId
        let place = try await client.place()
        try await showBoard()
        for try await change in client.changes(since: place) where change.groupId == id { try await showBoard() }
    }

    private func showBoard() async throws {
        let board = try await client.leaderboard(of: group, period: .week)
        say("\(board.title), this week")
        for row in board.rows {
            say("\(row.rank). \(row.name)\(row.me ? " (you)" : "")  \(row.points) points, streak \(row.currentStreak)")
        }
    }
}

/// Prints a line at once, even if the output is not a terminal.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func fail(_ reason: String) {
    say("score-example: \(reason)")
    exit(1)
}
