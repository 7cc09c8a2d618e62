import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// Games, results and standings of one member, as scripts see them.
    @Suite struct Scores {
        struct Created: Decodable { var groupId: String }
        struct Added: Decodable { var gameId: String }
        struct Posted: Decodable {
            var gameName: String
            var score: Int?
            var maxAttempts: Int
            var dateInt: Int
            var revision: Int
            var heldBy: [String]?
        }
        struct Imported: Decodable, Equatable {
            var lines = 0
            var added = 0
            var updated = 0
            var known = 0
            var refused = 0
            var gamesAdded = 0
        }
        struct Board: Decodable {
            struct Row: Decodable {
                var rank: Int
                var name: String
                var points: Int
                var played: Int
                var wins: Int
                var currentStreak: Int
                var bestStreak: Int
                var me: Bool
            }
            var rows: [Row]
        }
        struct DayBoard: Decodable {
            struct Result: Decodable {
                var memberId: String
                var name: String
                var score: Int?
                var completed: Bool
                var points: Int
                var late: Bool
            }
            struct Winner: Decodable {
                var memberId: String
                var name: String
            }
            var results: [Result]
            var winners: [Winner]
        }

        private let fixture: Fixture
        private let node: DrivenNode
        private let group: String

        init() throws {
            fixture = try Fixture()
            node = try fixture.node("anna")
            group = try node.object(Created.self, ["group", "create", "Family"]).groupId
            try node.run([
                "game", "add", "Wordle", "--group", group, "--model", "lower-attempts", "--max-attempts", "6",
            ])
        }

        @Test func postingCorrectingAndTakingBack() throws {
            let first = try node.object(
                Posted.self, ["score", "post", group, "--game", "wordle", "--score", "4", "--date", "20250131"])
            #expect(first.score == 4 && first.maxAttempts == 6 && first.dateInt == 20_250_131 && first.revision == 1)
            let second = try node.object(
                Posted.self, ["score", "post", "family", "--game", "Wordle", "--score", "3", "--date", "20250131"])
            #expect(second.revision == 2)
            try node.run(["score", "post", group, "--game", "Wordle", "--failed", "--date", "20250201"])
            let listed = try node.objects(Posted.self, ["score", "list", group])
            #expect(listed.map(\.score) == [3, nil])
            var day = try node.object(DayBoard.self, ["leaderboard", "day", group, "20250131"])
            #expect(day.results.map(\.points) == [4])
            #expect(day.winners.count == 1)
            day = try node.object(DayBoard.self, ["leaderboard", "day", group, "20250201", "--game", "Wordle"])
            #expect(day.results.map(\.completed) == [false])
            #expect(day.winners.isEmpty)
            try node.run(["score", "remove", group, "--game", "Wordle", "--date", "20250131", "--yes"])
            #expect(try node.objects(Posted.self, ["score", "list", group]).count == 1)
            let again = ["score", "remove", group, "--game", "Wordle", "--date", "20250131", "--yes"]
            #expect(try node.attempt(again).status == .exited(5))
        }

        @Test func sharedTextAndSeveralGroups() throws {
            WholeDay.begin()
            let other = try node.object(Created.self, ["group", "create", "Office"]).groupId
            let text = "Wordle 1,234 3/6*\n\n🟩🟩🟩🟩🟩"
            let posted = try node.objects(Posted.self, ["score", "post", "--all-groups", "--share-text", text])
            #expect(posted.map(\.score) == [3])
            try node.run(["game", "add", "Wordle", "--group", other, "--model", "lower-attempts"])
            let both = try node.attempt(["score", "post", "--all-groups", "--share-text", "-", "--json"], input: text)
            #expect(both.status == .exited(0))
            #expect(both.output.split(separator: "\n").count == 2)
            // A name stands for one game in all groups.
            let ids = try [group, other].map { try node.object(Added.self, ["game", "list", "--group", $0]).gameId }
            #expect(Set(ids).count == 1)
            let board = try node.object(Board.self, ["leaderboard", group, "--period", "today"])
            #expect(board.rows.map(\.points) == [4])
            #expect(board.rows.first?.me == true && board.rows.first?.currentStreak == 1)
            // The refusing group is named.
            try node.run(["game", "add", "Hints", "--group", other, "--model", "lower-attempts", "--max-attempts", "3"])
            try node.run(["game", "add", "Hints", "--group", group, "--model", "higher"])
            let four = ["score", "post", "--all-groups", "--game", "Hints", "--score", "4"]
            let refused = try node.attempt(four)
            #expect(refused.status == .exited(2) && refused.errorOutput.contains("in the group Office"), "\(refused)")
        }

        @Test func linesAreImportedOnce() throws {
            let mini = "5d0c8a52-8a4f-4f0e-9d52-0000000000aa"
            let path = try fixture.file(
                "scores.jsonl",
                [
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": 4, "maxAttempts": 6, "completed": true}"#,
                    #"{"dateInt": 20250201, "gameName": "Wordle", "score": null, "maxAttempts": 6}"#,
                    #"{"dateInt": 20250201, "gameId": "\#(mini)", "gameName": "Mini", "score": 61, "completed": true}"#,
                ])
            let first = try node.object(Imported.self, ["score", "import", path, "--group", group])
            #expect(first == Imported(lines: 3, added: 3, gamesAdded: 1))
            let one = #"{"dateInt": 20250131, "gameName": "Wordle", "score": 4, "maxAttempts": 6, "completed": true}"#
            #expect(try node.run(["score", "import", "-", "--group", group], input: one + "\n").hasPrefix("1 line: "))
            let more = #"{"dateInt": 20250131, "gameName": "Connections", "score": 1}"#
            let said = try node.run(["score", "import", "-", "--group", group], input: more + "\n")
            #expect(said == "1 line: 1 added, 0 updated, 0 known, 0 refused; 1 game added to the catalogue\n")
            let second = try node.object(Imported.self, ["score", "import", path, "--group", group])
            #expect(second == Imported(lines: 3, known: 3))
            #expect(
                try node.objects(Added.self, ["game", "list", "--group", group]).contains { $0.gameId == mini })
            let somebody = String(repeating: "a", count: 64)
            let bad = try fixture.file(
                "bad.jsonl",
                [
                    #"{"dateInt": 20250230, "gameName": "Wordle", "score": 4, "completed": true}"#,
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": -4, "completed": true}"#,
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": 4, "completed": false}"#,
                    #"{"dateInt": 20991231, "gameName": "Wordle", "score": 4, "completed": true}"#,
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": 4, "userId": "\#(somebody)"}"#,
                    #"{"dateInt": 20250131, "score": 4}"#, "no line",
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": 0}"#,
                    #"{"dateInt": 20250131, "gameName": "Of none", "score": 0, "maxAttempts": 6}"#,
                    #"{"dateInt": 20250131, "gameName": "Wordle", "score": 7}"#,
                    #"{"dateInt": 20250131, "gameName": "Of none", "score": 7, "maxAttempts": 6}"#,
                ])
            let result = try node.attempt(["score", "import", bad, "--group", group])
            #expect(result.status == .exited(1))
            for number in 1...10 { #expect(result.errorOutput.contains("line \(number):")) }
            #expect(result.errorOutput.contains("and 1 more: `--json` lists them all"))
            let listed = try node.attempt(["score", "import", bad, "--group", group, "--json"])
            for number in 1...11 { #expect(listed.errorOutput.contains("line \(number):")) }
            #expect(result.errorOutput.contains("a whole number from 1 to 6 for Wordle, not 7"))
            // Nothing of a refused line is taken, not even its game.
            #expect(!(try node.run(["game", "list", "--group", group]).contains("Of none")))
            let late = #"{"dateInt": 20991231, "gameName": "Of tomorrow", "score": 4}"#
            let refused = try node.attempt(["score", "import", "-", "--group", group, "--json"], input: late + "\n")
            for count in ["added", "gamesAdded"] { #expect(refused.output.contains("\"\(count)\":0")) }
            #expect(!(try node.run(["game", "list", "--group", group]).contains("Of tomorrow")))
            let history = try node.run(["leaderboard", "history", group, "--csv"])
            #expect(history.hasPrefix("week,Member "))
            #expect(history.contains("2025-01-27,"))
            // Its scores are never sent to anybody, since nobody else is in the group.
            let unsent = try node.objects(Posted.self, ["score", "list", group, "--unsent"])
            #expect(unsent.count == 4 && unsent.allSatisfy { $0.heldBy == [] })
        }

        @Test("A score that cannot be posted says why, ends with 2, 4 or 5, and writes nothing")
        func badInput() throws {
            struct Shown: Decodable { var joinedAt: Int64 }
            try node.run(["game", "add", "Mini", "--group", group, "--model", "lower-seconds"])
            let before = try node.run(["group", "show", group, "--problems", "--json"])
            let post = ["score", "post", group, "--game", "Wordle"]
            let cases: [([String], Int32)] = [
                (post + ["--score", "-3"], 2), (post + ["--score", "3", "--date", "20250230"], 2),
                (post + ["--score", "3", "--date", "20991231"], 2), (post + ["--score", "3", "--failed"], 2),
                (post, 2), (post + ["--score", "1000001"], 2), (post + ["--score", "3.5"], 2),
                (post + ["--score", "7"], 2), (post + ["--score", "0"], 2),
                (post + ["--score", "50", "--max-attempts", "100"], 2),
                (["score", "post", group, "--game", "Mini", "--score", "0"], 2),
                (["score", "post", group, "--game", "Chess", "--score", "3"], 2),
                (["score", "post", "Nobody", "--game", "Wordle", "--score", "3"], 5),
                (["score", "post", group, "--share-text", "hello"], 2),
                (["score", "post", group, "--all-groups", "--game", "Wordle", "--score", "3"], 2),
                (["game", "add", "Chess", "--group", group, "--model", "elo"], 2),
                (["game", "add", "Chess", "--group", group, "--model", "higher", "--id", "12"], 2),
                (["game", "add", String(repeating: "x", count: 81), "--group", group, "--model", "higher"], 2),
                (["group", "rename", group, "two\nlines"], 2), (["group", "set-name", group, "\u{1B}[2J"], 2),
                (["group", "set-role", group, "nobody", "admin"], 5),
                (["group", "invite", group, "--role", "owner"], 2),
                (["group", "invite", group, "--expires", "soon"], 2),
                (["leaderboard", group, "--period", "decade"], 2),
                (["leaderboard", group, "--from", "20250201", "--to", "20250131"], 2),
                (["leaderboard", "day", group, "20250431"], 2),
                (["group", "inspect", "hello"], 1), (["group", "follow", group], 5),
            ]
            for (arguments, status) in cases {
                let result = try node.attempt(arguments)
                #expect(result.status == .exited(status), "\(arguments): \(result.errorOutput)")
                #expect(!result.errorOutput.isEmpty)
            }
            #expect(try node.objects(Posted.self, ["score", "list", group]).isEmpty)
            #expect(try node.run(["group", "show", group, "--problems", "--json"]) == before)
        }

        @Test("The limit of the catalogue is said, and the rest works")
        func fiftyGames() throws {
            for number in 1..<50 {
                try node.run(["game", "add", "Game \(number)", "--group", group, "--model", "higher"])
            }
            let result = try node.attempt(["game", "add", "Game 50", "--group", group, "--model", "higher"])
            #expect(result.status == .exited(2))
            #expect(result.errorOutput.contains("at most 50 games"))
            try node.run(["score", "post", group, "--game", "Game 49", "--score", "3"])
        }

        @Test func achievements() throws {
            struct Summary: Decodable {
                var category: String
                var count: Int
                var unlocked: Int
                var highestTier: String?
            }
            let path = try fixture.file(
                "achievements.json",
                [
                    "[", #"{"id": "5d0c8a52-8a4f-4f0e-9d52-0000000000aa", "category": "streaks","#,
                    #" "requirements": [{"tier": "bronze", "threshold": 3}, ["gold", 30]],"#,
                    #" "progress": {"currentValue": 31, "currentTier": "gold", "lastUpdated": 1750000000000,"#,
                    #"  "tierUnlockDates": ["bronze", "2025-01-31T12:00:00Z", 3, 1750000000000]}}"#, "]",
                ])
            try node.run(["achievement", "import", path])
            let summary = try node.object(Summary.self, ["achievement", "list"])
            #expect(summary.category == "streaks" && summary.count == 1 && summary.highestTier == "gold")
            let exported = try node.run(["achievement", "export"])
            #expect(exported.contains(#""bronze":"2025-01-31T12:00:00.000Z""#))
            let copy = try fixture.file("copy.json", [exported])
            #expect(try node.run(["achievement", "import", copy, "--json"]).contains(#""changed":false"#))
            #expect(try node.attempt(["achievement", "import", "/dev/null"]).status == .exited(1))
        }
    }
}
