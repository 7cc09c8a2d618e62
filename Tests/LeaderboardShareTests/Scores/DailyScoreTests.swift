import Ledger
import NodeCore
import Testing

@testable import LeaderboardShare

@Suite("Scores") struct DailyScoreTests {
    private func score(
        _ value: UInt32?, revision: UInt32 = 1, updatedAt: Int64 = 1_735_700_000_000, removed: Bool = false
    ) throws -> DailyScore {
        try DailyScore(
            member: MemberID(Bytes32(1, 2, 3, 4)), day: #require(Day(dateInt: 2025_01_01)), game: GameID(Bytes16(5, 6)),
            gameName: "Wordle", score: value, maxAttempts: 6, currentStreak: 3,
            updatedAt: WallTime(milliseconds: updatedAt), revision: revision, isRemoved: removed)
    }

    @Test("A score comes back as it was written, and its id has three parts")
    func roundTrip() throws {
        for value in try [score(3), score(nil), score(1_000_000, revision: 1_000, updatedAt: .min, removed: true)] {
            #expect(try DailyScore(encoded: value.encoded) == value)
        }
        let parts = try score(1).id.split(separator: "|")
        #expect(parts.count == 3 && parts[1] == "20250101" && parts[2] == "00000000-0000-0005-0000-000000000006")
        #expect(GameID(uuid: String(parts[2])) == GameID(Bytes16(5, 6)))
        #expect(GameID(uuid: "0000000000000005-0000-0000-000000000006") == nil)
    }

    @Test("No byte can be cut or added, and nothing traps")
    func hostile() throws {
        let bytes = try score(3).encoded
        for count in 0..<bytes.count {
            #expect(throws: ScoreError.self) { try DailyScore(encoded: Array(bytes[..<count])) }
        }
        #expect(throws: ScoreError.self) { try DailyScore(encoded: bytes + [0]) }
        var random = SeededRandom(seed: 3)
        for _ in 0..<5_000 {
            var changed = bytes
            for _ in 0..<2 {
                changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let read = try? DailyScore(encoded: changed) { #expect(read.encoded == changed) }
        }
    }

    @Test("Limits")
    func limits() throws {
        #expect(throws: ScoreError.outOfRange) { try score(1_000_001) }
        #expect(throws: ScoreError.tooManyRevisions) { try score(1, revision: 1_001) }
        #expect(throws: ScoreError.tooManyRevisions) { try score(1, revision: 0) }
        #expect(throws: ScoreError.tooManyRevisions) { try score(1, revision: 1_000).nextRevision() }
        let day = Day(number: 20_000)
        try DailyScore.check(day: day + 1, now: day.start)
        #expect(throws: ScoreError.future) { try DailyScore.check(day: day + 2, now: day.end - .milliseconds(1)) }
        #expect(throws: ScoreError.early) { try DailyScore.check(day: Day(number: -1), now: day.end) }
        #expect(!DailyScore.isLate(day: day, arrivedAt: day.end + .seconds(48 * 3_600)))
        #expect(DailyScore.isLate(day: day, arrivedAt: day.end + .seconds(48 * 3_600) + .milliseconds(1)))
    }

    @Test("A correction by who saw the value before wins, whatever the clocks say")
    func corrections() throws {
        let (past, future): (Int64, Int64) = (0, 4_102_444_800_000)
        for clocks in [(past, future), (future, past), (past, past), (.min, .max), (.max, .min)] {
            let first = try score(5, updatedAt: clocks.0)
            let second = try score(4, revision: first.nextRevision(), updatedAt: clocks.1)
            #expect(second.supersedes(first) && !first.supersedes(second))
        }
        // Of concurrent ones, a wild clock beats an honest one by at most the range, and equal ones go by hash.
        let wild = try score(1, updatedAt: .max)
        let other = try score(2, updatedAt: future)
        #expect(wild.clampedTime == other.clampedTime)
        #expect(wild.supersedes(other) != other.supersedes(wild))
    }

    @Test("Of any set of values one wins, in every order", arguments: 0..<50 as Range<UInt64>)
    func winner(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var values: [DailyScore] = []
        for _ in 0..<20 {
            values.append(
                try score(
                    UInt32.random(in: 1...3, using: &random), revision: UInt32.random(in: 1...2, using: &random),
                    updatedAt: [0, .max, 1_735_700_000_000][Int.random(in: 0..<3, using: &random)]))
        }
        func winner() -> DailyScore { values.dropFirst().reduce(values[0]) { $1.supersedes($0) ? $1 : $0 } }
        let first = winner()
        for _ in 0..<10 {
            values.shuffle(using: &random)
            #expect(winner().encoded == first.encoded)
        }
    }
}
