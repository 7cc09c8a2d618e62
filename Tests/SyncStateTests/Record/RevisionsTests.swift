import NodeCore
import Testing

@testable import SyncState

@Suite struct RevisionsTests {
    private static let (gap, limit) = (Limits.revisionGap, Limits.revision)

    @Test func fromTheFirstGapOnNoneCounts() {
        #expect(Revisions.highestCounting([]) == nil)
        #expect(Revisions.highestCounting([Self.limit]) == Self.limit)
        #expect(Revisions.highestCounting([7, 3, 5]) == 7)
        #expect(Revisions.highestCounting([5, 5 + Self.gap]) == 5 + Self.gap)
        #expect(Revisions.highestCounting([5, 6 + Self.gap]) == 5)
        #expect(Revisions.highestCounting([5, Self.limit, 5 + Self.gap, 5 + 2 * Self.gap]) == 5 + 2 * Self.gap)
    }

    @Test func theNextOneComesLast() {
        #expect(Revisions.next(above: [], own: nil) == 1)
        #expect(Revisions.next(above: [], own: nil, step: 0) == 1)
        #expect(Revisions.next(above: [3, 5], own: 9) == 10)
        #expect(Revisions.next(above: [3, 5], own: 9, step: 0) == 9)
        // A value beyond the gap is skipped; if it is alone at the end, the next is below it.
        #expect(Revisions.next(above: [3, Self.limit], own: nil) == 4)
        #expect(Revisions.next(above: [Self.limit], own: nil) == 1)
        #expect(Revisions.next(above: [Self.limit], own: Self.limit) == 1)
        // The replaced value was the step to the others, which are beyond the gap without it.
        let far = 2 + 2 * Self.gap
        #expect(Revisions.next(above: [1, far], own: 1 + Self.gap) == 2)
    }

    /// Whatever others wrote, the value counts, and unless a value stands just beyond the gap it comes last.
    @Test(arguments: 0..<200) func whoeverKnowsAllIsHeard(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let others = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            Bool.random(using: &random)
                ? UInt64.random(in: 1...50, using: &random) : UInt64.random(in: 1...Self.limit, using: &random)
        }
        let own = Bool.random(using: &random) ? UInt64.random(in: 1...50, using: &random) : nil
        let revision = Revisions.next(above: others, own: own)
        #expect((1...Self.limit).contains(revision))
        #expect(Revisions.highestCounting(others + [revision]) == revision)
        #expect(others.filter { $0 == revision }.isEmpty)
    }
}
