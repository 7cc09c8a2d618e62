package import Ledger
package import NodeCore
import SyncState

/// A member's first result for a day and game.
package struct PostedScore: Hashable, Comparable, Sendable {
    package let member: MemberID
    package let game: GameID
    package let day: Day

    package init(member: MemberID, game: GameID, day: Day) {
        (self.member, self.game, self.day) = (member, game, day)
    }

    package static func < (one: PostedScore, other: PostedScore) -> Bool {
        (one.day, one.member, one.game) < (other.day, other.member, other.game)
    }
}

/// Recent scores that arrived, until it is known whether each is a new result or a correction. A score that does not
/// count yet waits for the control records or the game that make it count.
///
/// In memory only: today's posts are no news tomorrow.
struct NewScores {
    /// Each with the lane in which it stands.
    private var waiting: [PostedScore: [RecordHash: LaneID]] = [:]
    private var counts: [LaneID: Int] = [:]
    /// Whether something arrived that may make more of them count.
    private(set) var isDue = false

    /// - Parameters:
    ///   - name: `Record.name`
    ///   - today: yesterday and tomorrow are recent too, since it is another day elsewhere; older scores are
    ///   history that arrives late.
    mutating func add(_ score: DailyScore, _ name: RecordHash, in lane: LaneID, today: Day) {
        guard abs(score.day.number - today.number) <= 1 else { return }
        let cell = PostedScore(member: score.member, game: score.game, day: score.day)
        if waiting[cell, default: [:]].updateValue(lane, forKey: name) == nil { counts[lane, default: 0] += 1 }
        isDue = true
        // Results that never count must not use up the space for others: those of the lane that has most go.
        guard counts.values.reduce(0, +) > Limits.newScores,
            let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key
        else { return }
        counts[most] = nil
        waiting = waiting.mapValues { $0.filter { $0.value != most } }.filter { !$0.value.isEmpty }
    }

    /// Control records or rows have arrived.
    mutating func lookAgain() { isDue = !waiting.isEmpty }

    /// The scores now known to be new results. Scores that do not count yet keep waiting.
    mutating func takePosted(from index: ScoreIndex, by judge: any ScoreJudge, today: Day) throws -> [PostedScore] {
        guard isDue else { return [] }
        isDue = false
        let catalogue = judge.catalogue
        var posted: [PostedScore] = []
        for (cell, came) in waiting.sorted(by: { $0.key < $1.key }) {
            let isOver = cell.day.number < today.number - 1
            if !isOver {
                guard catalogue[cell.game] != nil, let latest = try index.best(of: cell, by: judge) else { continue }
                let before = try index.best(of: cell, without: Set(came.keys), by: judge)
                if !latest.isRemoved, before?.isRemoved ?? true { posted.append(cell) }
            }
            waiting[cell] = nil
            for lane in came.values { counts[lane] = counts[lane].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
        return posted
    }
}

extension ScoreIndex {
    /// The effective value of a member's result for a day and game, which may be a withdrawal.
    ///
    /// - Parameter absent: records to ignore.
    func best(
        of cell: PostedScore, without absent: Set<RecordHash> = [], by judge: any ScoreJudge
    ) throws -> DailyScore? {
        guard let member = known(cell.member), let game = known(cell.game) else { return nil }
        let own = lanes(of: member, judge)
        let places = try tables.places(member: member, game: game, day: cell.day, in: own)
        return try best(of: places, without: absent, member: member, judge)?.score
    }
}
