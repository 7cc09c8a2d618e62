import Testing

@testable import LeaderboardShare

@Suite("Scoring models") struct ScoringModelTests {
    @Test(
        "Points",
        arguments: [
            (ScoringModel.lowerAttempts, 1, 6, 6), (.lowerAttempts, 6, 6, 1), (.lowerAttempts, 7, 6, 0),
            (.lowerGuesses, 3, 8, 6), (.lowerHints, 0, 3, 4), (.lowerAttempts, 0, 6, 0),
            (.lowerGuesses, 0, 8, 0), (.higher, 5, 0, 5), (.higher, 900, 0, 7),
            (.lowerSeconds, 0, 0, 0), (.lowerSeconds, 1, 0, 7), (.lowerSeconds, 29, 0, 7), (.lowerSeconds, 30, 0, 6),
            (.lowerSeconds, 179, 0, 2),
            (.lowerSeconds, 180, 0, 1), (.lowerSeconds, 86_400, 0, 1),
        ] as [(ScoringModel, UInt32, UInt32, UInt32)])
    func points(model: ScoringModel, score: UInt32, maximum: UInt32, points: UInt32) {
        #expect(model.points(score: score, maxAttempts: maximum) == points)
        #expect(model.points(score: nil, maxAttempts: maximum) == 0)
        #expect(ScoringModel(name: model.name) == model)
    }

    @Test("Nothing traps, and a better result never has fewer points", arguments: ScoringModel.allCases)
    func monotonic(model: ScoringModel) {
        for maximum in [0, 6, 100] as [UInt32] {
            let possible = model.possible(maxAttempts: maximum)
            let values = [0, 1, 2, 29, 30, 31, 100, 101, 1_000_000, .max].filter { possible.contains($0) }
            for one in values {
                for other in values where model.isBetter(one, than: other) {
                    let (first, second) = (
                        model.points(score: one, maxAttempts: maximum), model.points(score: other, maxAttempts: maximum)
                    )
                    #expect(first >= second)
                }
            }
        }
    }
}
