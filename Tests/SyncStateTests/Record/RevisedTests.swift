import NodeCore
import Testing

@testable import SyncState

@Suite struct RevisedTests {
    private static func random(_ random: inout SeededRandom) -> Revised<Bool> {
        Revised(
            Bool.random(using: &random), revision: UInt64.random(in: 1...3, using: &random),
            at: WallTime(milliseconds: 1_700_000_000_000 + Int64.random(in: 0...2, using: &random)))
    }

    @Test func itIsAJoin() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            let (a, b, c) = (Self.random(&random), Self.random(&random), Self.random(&random))
            let joined = Revised.joined([a, b, c])
            #expect([a, b, c].contains { $0 == joined })
            #expect(Revised.joined([c, b, a]) == joined && Revised.joined([b, a, c, a]) == joined)
            #expect([a, b, c].allSatisfy { $0 == joined || joined?.supersedes($0) == true })
            #expect(a == b || a.supersedes(b) != b.supersedes(a))
        }
        #expect(Revised<Bool>.joined([]) == nil)
    }

    @Test func aCorrectionOfWhatWasSeenWinsWhateverTheClocksSay() {
        let first = Revised(true, revision: 1, at: WallTime(milliseconds: 4_000_000_000_000))
        let correction = Revised.correcting(first, to: false, at: WallTime(milliseconds: 0))
        #expect(correction.revision == 2 && correction.supersedes(first))
        // A clock far out of range counts as one at its end.
        #expect(correction.at == SyncState.Limits.revisionTimes.lowerBound)
        #expect(Revised.correcting(correction, to: false, at: WallTime(milliseconds: 5)) == correction)
    }

    @Test func theHighestRevisionIsCorrectedByTheFirst() {
        let last = Revised(true, revision: SyncState.Limits.revision, at: WallTime(milliseconds: 0))
        let correction = Revised.correcting(last, to: false, at: WallTime(milliseconds: 1), besides: [last])
        #expect(correction.revision == 1)
        #expect(Revised.joined([last, correction]) == correction)
    }
}
