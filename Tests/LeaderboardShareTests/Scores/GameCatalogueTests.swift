import Ledger
import NodeCore
import Testing

@testable import LeaderboardShare

@Suite("Game catalogue") struct GameCatalogueTests {
    @Test("A function of the set: any order gives the same fifty games", arguments: 0..<10 as Range<UInt64>)
    func order(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var entries: [Game] = []
        for _ in 0..<150 {
            entries.append(
                try Game(
                    id: GameID(Bytes16(0, UInt64.random(in: 0..<70, using: &random))),
                    name: "G\(Int.random(in: 0..<5, using: &random))", model: .higher,
                    revision: UInt32.random(in: 1...3, using: &random),
                    number: UInt32.random(in: 1...60, using: &random)))
        }
        let first = GameCatalogue(entries)
        #expect(first.games.count == Limits.games && first.isFull(forOwner: false) && !first.isFull(forOwner: true))
        for _ in 0..<10 { #expect(GameCatalogue(entries.shuffled(using: &random)).games == first.games) }
        for game in first.games {
            #expect(first[game.id] == game)
            #expect(try Game(encoded: game.encoded) == game)
        }
    }

    @Test("A result's own maximum counts only in a game that has none")
    func maxima() throws {
        func result(_ score: UInt32) throws -> DailyScore {
            try DailyScore(
                member: MemberID(Bytes32(0, 0, 0, 1)), day: Day(number: 20_000), game: .zero, gameName: "A",
                score: score,
                maxAttempts: 100, updatedAt: WallTime(milliseconds: 0))
        }
        let six = try Game(id: .zero, name: "A", model: .lowerAttempts, maxAttempts: 6, number: 1)
        #expect(try six.points(result(1)) == 6 && six.points(result(50)) == 0 && six.counted(result(50)) == nil)
        #expect(throws: ScoreError.self) { try six.check(score: 50, maxAttempts: 100) }
        let open = try Game(id: .zero, name: "A", model: .lowerAttempts, number: 1)
        #expect(try open.points(result(1)) == 100 && open.points(result(50)) == 51)
        #expect(throws: ScoreError.self) { try open.check(score: 7, maxAttempts: 6) }
    }

    @Test("Names and limits")
    func limits() throws {
        #expect(throws: ScoreError.badName) { try Game(id: .zero, name: "\u{7}", model: .higher, number: 1) }
        #expect(throws: ScoreError.outOfRange) {
            try Game(id: .zero, name: "A", model: .higher, maxAttempts: 101, number: 1)
        }
        let catalogue = GameCatalogue([try Game(id: .zero, name: "Wordle", model: .lowerAttempts, number: 4)])
        #expect(catalogue.game(named: "wordle")?.id == .zero && catalogue.nextNumber == 5)
        #expect(throws: ScoreError.malformed) { try Game(encoded: [0x80]) }
    }
}
