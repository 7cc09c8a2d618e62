import Ledger
import NodeCore
import Testing

@testable import LeaderboardShare

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// Two years of real results, if they are there: one JSON object a line, with the verdict of who won each day.
///
/// KACHAT_SCORES names the file; otherwise it is looked for in a `data` folder of a folder beside the package.
@Suite("Standings of a real family") struct StandingsHistoryTests {
    struct Line: Decodable {
        let player: String
        let dateInt: Int
        let gameId: String
        let gameName: String
        let score: UInt32?
        let maxAttempts: UInt32
        let completed: Bool
        let won: Bool
        let wonAlone: Bool
    }

    static let path: String? = {
        if let named = getenv("KACHAT_SCORES") { return String(cString: named) }
        let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        var found = glob_t()
        defer { globfree(&found) }
        let pattern = package.dropLast().joined(separator: "/") + "/*/data/scores-*.jsonl"
        guard glob(pattern, 0, nil, &found) == 0, let first = found.gl_pathv[0] else { return nil }
        return String(cString: first)
    }()

    @Test(
        "The winners of each day are the file's own",
        .enabled(if: path != nil, "no real results: set KACHAT_SCORES=FILE.jsonl"))
    func winners() throws {
        let path = try #require(Self.path)
        let data = try #require(FileManager.default.contents(atPath: path))
        let lines = try data.split(separator: 10).map { try JSONDecoder().decode(Line.self, from: Data($0)) }
        let game = try #require(lines.first.flatMap { GameID(uuid: $0.gameId) })
        let players = Set(lines.map(\.player)).sorted()
        let members = Dictionary(
            uniqueKeysWithValues: players.enumerated().map { ($1, MemberID(Bytes32(0, 0, 0, UInt64($0)))) })
        var standings = Standings(
            catalogue: GameCatalogue([
                try Game(id: game, name: "Wordle", model: .lowerAttempts, maxAttempts: 6, number: 1)
            ]))
        for line in lines {
            let day = try #require(Day(dateInt: line.dateInt))
            standings.put(
                try DailyScore(
                    member: #require(members[line.player]), day: day, game: game, gameName: line.gameName,
                    score: line.completed ? line.score : nil, maxAttempts: line.maxAttempts, updatedAt: day.start))
        }
        let asked = players.compactMap { members[$0] }
        for (dateInt, results) in Dictionary(grouping: lines, by: \.dateInt) {
            let day = try #require(Day(dateInt: dateInt))
            let won = results.filter(\.won).compactMap { members[$0.player] }.sorted()
            #expect(standings.winners(on: day, asked).sorted() == won, "\(dateInt)")
            #expect(standings.winners(on: day, asked, game: game).sorted() == won, "\(dateInt)")
            #expect(results.contains(where: \.wonAlone) == (won.count == 1), "\(dateInt)")
        }
        let last = try #require(lines.map(\.dateInt).max().flatMap { Day(dateInt: $0) })
        for row in standings.rows(asked, period: .all, today: last) {
            let mine = lines.filter { members[$0.player] == row.member }
            #expect(row.wins == mine.count { $0.won } && row.played == mine.count)
        }
    }
}
