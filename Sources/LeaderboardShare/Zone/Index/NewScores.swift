import NodeCore
import SyncState

/// A member's result of a day and game where there was none before.
package struct PostedScore: Hashable, Comparable, Sendable {
    package let member: MemberID
    package let game: GameID
    package let day: Day

    package init(member: MemberID, game: GameID, day: Day) {
        self.member = member
        self.game = game
        self.day = day
    }

    package static func < (one: PostedScore, other: PostedScore) -> Bool {
        (one.day, one.member, one.game) < (other.day, other.member, other.game)
    }
}

/// Scores of these days that came in, until it is known of each what it is: a result where there was none, or a
/// correction. One that does not count waits for the control records or the game by which it will.
///
/// In memory only: nobody is told tomorrow of what was posted today.
struct NewScores {
    private var waiting: [PostedScore: Set<RecordHash>] = [:]
    private var count = 0
    /// Something came in by which more may count.
    private(set) var isDue = false

    /// - Parameter today: yesterday and tomorrow count as these days too, since it is another day elsewhere; what is
    ///   older is history that comes late.
    mutating func add(_ score: DailyScore, _ hash: RecordHash, today: Day) {
        guard abs(score.day.number - today.number) <= 1 else { return }
        // Whoever fills the place with results that never count keeps nobody's next one from being told.
        if count >= Limits.newScores { self = NewScores() }
        let cell = PostedScore(member: score.member, game: score.game, day: score.day)
        if waiting[cell, default: []].insert(hash).inserted { count += 1 }
        isDue = true
    }

    /// Control records or games came in.
    mutating func lookAgain() { isDue = !waiting.isEmpty }

    /// What became known as posted. What still does not count goes on waiting.
    mutating func takePosted(from index: ScoreIndex, by judge: any ScoreJudge, today: Day) throws -> [PostedScore] {
        guard isDue else { return [] }
        isDue = false
        let catalogue = judge.catalogue
        var posted: [PostedScore] = []
        for (cell, came) in waiting.sorted(by: { $0.key < $1.key }) {
            let isOver = cell.day.number < today.number - 1
            if !isOver {
                guard catalogue[cell.game] != nil, let latest = try index.best(of: cell, by: judge) else { continue }
                let before = try index.best(of: cell, without: came, by: judge)
                if !latest.isRemoved, before?.isRemoved ?? true { posted.append(cell) }
            }
            waiting[cell] = nil
            count -= came.count
        }
        return posted
    }
}

extension ScoreIndex {
    /// The value that counts for a member's result of a day and game, which may be that it was taken back.
    ///
    /// - Parameter absent: records that are passed over.
    func best(
        of cell: PostedScore, without absent: Set<RecordHash> = [], by judge: any ScoreJudge
    ) throws -> DailyScore? {
        guard let member = known(cell.member), let game = known(cell.game) else { return nil }
        let places = try tables.places(member: member, game: game, day: cell.day)
        return try best(of: places, without: absent, member: member, judge)?.score
    }
}
