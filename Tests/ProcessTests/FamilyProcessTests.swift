import NodeDriver
import ProcessHarness
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ProcessTests {
    /// A family that plays: each person has an account and one or two devices, in one group that they join by token.
    @Suite struct Family {
        /// Results with the verdict of who won each day. KACHAT_SCORES names the file; otherwise `make prove` looks for
        /// it in a `data` folder of a folder beside the package.
        static let realScores: String? = {
            if let named = getenv("KACHAT_SCORES") { return String(cString: named) }
            guard TestScale.proves else { return nil }
            let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            var found = glob_t()
            defer { globfree(&found) }
            let pattern = package.dropLast().joined(separator: "/") + "/*/data/scores-*.jsonl"
            guard glob(pattern, 0, nil, &found) == 0, let first = found.gl_pathv[0] else { return nil }
            return String(cString: first)
        }()

        @Test func ofThreeWithMadeUpResults() throws {
            try play(FamilyStory(lines: FamilyLine.madeUp(days: TestScale.of(usual: 15, proof: 40))))
        }

        @Test(.enabled(if: realScores != nil, "no real results: set KACHAT_SCORES=FILE.jsonl"))
        func ofThreeWithTwoYearsOfRealResults() throws {
            let path = try #require(Self.realScores)
            let text = String(decoding: try #require(FileTree.read(path)), as: UTF8.self)
            try play(FamilyStory(lines: text.split(separator: "\n").map { try FamilyLine(String($0)) }))
        }

        private func play(_ story: FamilyStory) throws {
            try story.founding()
            try story.joining()
            try story.secondDevices()
            try story.waitingForAMember()
            try story.leaving()
            try story.removing()
            try story.theEnd()
        }
    }
}

/// A result of the data, with its verdict.
struct FamilyLine: Decodable {
    var player: String
    var dateInt: Int
    var won: Bool
    var wonAlone: Bool
    var text = ""

    private enum CodingKeys: String, CodingKey { case player, dateInt, won, wonAlone }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(FamilyLine.self, from: Data(text.utf8))
        self.text = text
    }

    private init(player: String, dateInt: Int, score: Int?, best: Int?, winners: Int) {
        self.player = player
        self.dateInt = dateInt
        won = score != nil && score == best
        wonAlone = won && winners == 1
        text =
            #"{"dateInt": \#(dateInt), "gameId": "5d0c8a52-8a4f-4f0e-9d52-000000000001", "gameName": "Wordle", "#
            + #""score": \#(score.map(String.init) ?? "null"), "maxAttempts": 6, "completed": \#(score != nil)}"#
    }

    /// Results that differ from day to day, some of them failed.
    static func madeUp(days: Int) -> [FamilyLine] {
        (0..<days).flatMap { day -> [FamilyLine] in
            let scores = (1...3).map { player -> Int? in
                let value = (day * 7 + player * player * 5) % 8
                return value == 0 || day == 5 ? nil : min(6, value)
            }
            let best = scores.compactMap(\.self).min()
            let date = 20_250_100 + day % 28 + 1 + day / 28 * 100
            return zip(1...3, scores).map { player, score in
                FamilyLine(
                    player: "p\(player)", dateInt: date, score: score, best: best,
                    winners: scores.count { $0 != nil && $0 == best })
            }
        }
    }
}

/// The events in the family, and what all devices must show after each part.
final class FamilyStory {
    struct Created: Decodable { var groupId: String }
    struct Joined: Decodable {
        var state: String
        var members: Int?
        var days: Int?
    }
    struct Group: Decodable {
        var groupId: String
        var state: String
        var members: Int?
    }
    struct Member: Decodable {
        var memberId: String
        var name: String
        var state: String
    }
    struct Token: Decodable { var token: String }
    struct Split: Decodable {
        var token: String
        var rest: String
    }
    struct Counts: Decodable {
        var added: Int
        var refused: Int
    }
    struct Day: Decodable {
        struct Name: Decodable { var name: String }
        var results: [Name]
        var winners: [Name]
    }
    struct History: Decodable, Equatable {
        struct Name: Decodable, Equatable { var name: String }
        struct Week: Decodable, Equatable {
            var week: Int
            var points: [Int]
        }
        var members: [Name]
        var weeks: [Week]
    }

    private let lines: [FamilyLine]
    /// One fixture per person, whose devices share an account.
    private let people: [Fixture]
    private var anna: [DrivenNode] = []
    private var ben: [DrivenNode] = []
    private var cleo: [DrivenNode] = []
    private var dee: [DrivenNode] = []
    private var group = ""

    init(lines: [FamilyLine]) throws {
        self.lines = lines
        people = try (0..<4).map { _ in try Fixture() }
    }

    private var devices: [DrivenNode] { anna + ben + cleo }

    /// The first device posts its two years of results, which add the game.
    func founding() throws {
        anna = try people[0].started("anna-laptop")
        group = try anna[0].object(Created.self, ["group", "create", "Family"]).groupId
        try anna[0].run(["group", "set-name", group, "p1"])
        try post("p1", on: anna[0], people[0])
    }

    /// A token for two is split in two; both joiners have the history when the command returns.
    func joining() throws {
        let token = try anna[0].object(Token.self, ["group", "invite", group, "--people", "2"])
            .token
        let split = try anna[0].object(Split.self, ["group", "split", token])
        ben = try people[1].started("ben-laptop")
        let joined = try ben[0].object(Joined.self, ["group", "join", split.token, "--name", "p2", "--wait", "120"])
        #expect(joined.state == "joined" && joined.members == 2)
        #expect(joined.days == days(of: ["p1"]).count)
        try post("p2", on: ben[0], people[1])
        cleo = try people[2].started("cleo-laptop")
        let second = try cleo[0].object(Joined.self, ["group", "join", split.rest, "--name", "p3", "--wait", "120"])
        #expect(second.state == "joined" && second.members == 3)
        try post("p3", on: cleo[0], people[2])
        #expect(try cleo[0].attempt(["group", "join", token]).status == .exited(1))
        try agree()
        try verdicts(on: cleo[0], every: 5)
    }

    /// Each person's second device gets in by itself.
    func secondDevices() throws {
        anna.append(try people[0].started("anna-phone")[0])
        ben.append(try people[1].started("ben-phone")[0])
        for node in [anna[1], ben[1]] {
            try people[0].wait("\(node.name) is in") {
                try node.objects(Group.self, ["group", "list"]).first.map { $0.state == "joined" && $0.members == 3 }
                    ?? false
            }
        }
        try agree()
        try verdicts(on: ben[1], every: 1)
        try verdicts(on: anna[1], every: 7)
    }

    /// With nobody in reach, a join waits, across a restart, and completes when a member appears.
    func waitingForAMember() throws {
        let token = try anna[0].object(Token.self, ["group", "invite", group]).token
        for node in devices { node.stop() }
        dee = try people[3].started("dee-laptop")
        let joined = try dee[0].object(Joined.self, ["group", "join", token, "--name", "Dee", "--wait", "0.2"])
        #expect(joined.state == "pending")
        try dee[0].kill()
        try dee[0].start()
        #expect(try dee[0].objects(Group.self, ["group", "list"]).map(\.state) == ["pending"])
        for node in devices { try node.start() }
        try people[3].wait("dee is in") {
            try dee[0].objects(Group.self, ["group", "list"]).first.map { $0.state == "joined" && $0.members == 4 }
                ?? false
        }
    }

    /// A member that left has its own results as a file, and no board.
    func leaving() throws {
        try dee[0].run(["score", "post", group, "--game", "Wordle", "--score", "1"])
        try people[3].wait("the others have dee's result") {
            try anna[0].run(["score", "list", group, "--all", "--from", "20250601"]).contains("Dee")
        }
        try dee[0].run(["group", "leave", group, "--yes"])
        #expect(try dee[0].objects(Group.self, ["group", "list"]).isEmpty)
        #expect(try dee[0].attempt(["leaderboard", group]).status == .exited(5))
        #expect(try dee[0].run(["score", "list", group]).contains("Wordle"))
        dee[0].stop()
        try anna[0].run(["group", "remove", group, "Dee", "--yes"])
    }

    /// The removed member no longer shows, wins or posts; what it posted is kept.
    func removing() throws {
        try anna[0].run(["group", "remove", group, "p3", "--yes"])
        try people[2].wait("cleo's device is told") {
            try cleo[0].objects(Group.self, ["group", "list"]).map(\.state) == ["removed"]
        }
        let result = try cleo[0].attempt(["score", "post", group, "--game", "Wordle", "--score", "1"])
        #expect(result.status == .exited(4))
        // Its copy stays readable, and its own results can be taken along.
        try verdicts(on: cleo[0], every: 50, without: "p3")
        #expect(try cleo[0].run(["score", "list", group, "--json"]).split(separator: "\n").count == own("p3").count)
        try agree([anna[0], anna[1], ben[0], ben[1]])
        try verdicts(on: ben[0], every: 5, without: "p3")
        let kept = try ben[0].run(["score", "list", group, "--all", "--json"]).split(separator: "\n")
        #expect(kept.count { $0.contains(#""name":"p3""#) } == own("p3").count)
        #expect(try ben[0].run(["leaderboard", group]).contains("without 2 people"))
    }

    /// The group is deleted for all; the copies still say who won.
    func theEnd() throws {
        try anna[0].run(["group", "delete", group, "--yes"])
        for node in [anna[1], ben[0], ben[1]] {
            try people[0].wait("\(node.name) sees the end") {
                try node.objects(Group.self, ["group", "list"]).map(\.state) == ["deleted"]
            }
        }
        let result = try ben[0].attempt(["score", "post", group, "--game", "Wordle", "--score", "1"])
        #expect(result.status == .exited(4))
        try verdicts(on: ben[1], every: 50, without: "p3")
        try ben[0].run(["group", "leave", group, "--yes"])
        #expect(try ben[1].objects(Group.self, ["group", "list"]).map(\.state) == ["deleted"])
        try ben[1].run(["group", "leave", group, "--yes"])
        #expect(try ben[1].objects(Group.self, ["group", "list"]).isEmpty)
        #expect(try ben[1].run(["score", "list", group]).split(separator: "\n").count == own("p2").count)
    }

    // MARK: Parts

    private func own(_ player: String) -> [FamilyLine] { lines.filter { $0.player == player } }

    private func days(of players: [String]) -> [Int] {
        Set(lines.filter { players.contains($0.player) }.map(\.dateInt)).sorted()
    }

    private func post(_ player: String, on node: DrivenNode, _ person: Fixture) throws {
        let path = try person.file("\(player).jsonl", own(player).map(\.text))
        let counts = try node.object(Counts.self, ["score", "import", path, "--group", group])
        #expect(counts.added == own(player).count && counts.refused == 0)
    }

    /// Waits until all devices show the same, and all of it.
    private func agree(_ nodes: [DrivenNode]? = nil) throws {
        let nodes = nodes ?? devices
        try people[0].wait("\(nodes.count) devices show the same board") {
            let shown = try nodes.map { try $0.object(History.self, ["leaderboard", "history", group]) }
            guard let first = shown.first, first.members.count >= 2, !first.weeks.isEmpty else { return false }
            let played = try nodes.map { node in
                try node.object(Board.self, ["leaderboard", group, "--from", "20000101", "--to", "20250531"]).days
            }
            return shown.allSatisfy { $0 == first } && Set(played).count == 1
        }
    }

    struct Board: Decodable {
        struct Row: Decodable { var played: Int }
        var rows: [Row]
        var days: Int { rows.reduce(0) { $0 + $1.played } }
    }

    /// Checks that each day's winners are those of the data. A removed member is neither among them nor listed.
    private func verdicts(on node: DrivenNode, every step: Int, without removed: String? = nil) throws {
        let all = days(of: ["p1", "p2", "p3"])
        for day in stride(from: 0, to: all.count, by: step).map({ all[$0] }) {
            let shown = try node.object(Day.self, ["leaderboard", "day", group, "\(day)", "--game", "Wordle"])
            let results = lines.filter { $0.dateInt == day && $0.player != removed }
            #expect(Set(shown.results.map(\.name)) == Set(results.map(\.player)), "\(day)")
            let winners = Set(shown.winners.map(\.name))
            // The data does not say who is best now if only the removed member was.
            if lines.contains(where: { $0.dateInt == day && $0.player == removed && $0.wonAlone }) { continue }
            #expect(winners == Set(results.filter(\.won).map(\.player)), "\(day) on \(node.name)")
            for line in results where line.wonAlone { #expect(winners == [line.player], "\(day)") }
            let isShared = results.count { $0.won } > 1
            #expect((winners.count > 1) == isShared, "\(day)")
        }
    }
}
