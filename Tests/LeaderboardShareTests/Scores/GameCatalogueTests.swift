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
        #expect(first.games.count == Limits.games && first.isFull)
        for _ in 0..<10 { #expect(GameCatalogue(entries.shuffled(using: &random)).games == first.games) }
        for game in first.games {
            #expect(first[game.id] == game)
            #expect(try Game(encoded: game.encoded) == game)
        }
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
