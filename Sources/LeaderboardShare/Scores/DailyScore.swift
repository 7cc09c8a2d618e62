package import Ledger
package import NodeCore

/// One member's result of one game on one day, as written by a device of that member.
///
/// Each is immutable; of those with the same `id` written by the member's devices, the highest revision wins.
package struct DailyScore: Hashable, Sendable {
    /// The member: the same on all devices of a person, and different in each group.
    package let member: MemberID
    package let day: Day
    package let game: GameID
    package let gameName: String
    /// Attempts, guesses, hints, points or seconds; nil exactly if it was not completed.
    package let score: UInt32?
    /// The maximum that the game allows; 0 if it defines none.
    package let maxAttempts: UInt32
    /// In days, as shown by the game itself.
    package let currentStreak: UInt32?
    /// By the writing device's clock.
    package let updatedAt: WallTime
    /// One above the highest that the writer had seen for this id; from 1.
    package let revision: UInt32
    /// The member withdrew its result. The other fields stay as they were.
    package let isRemoved: Bool

    package static let formatVersion: UInt64 = 1

    package init(
        member: MemberID, day: Day, game: GameID, gameName: String, score: UInt32?, maxAttempts: UInt32 = 0,
        currentStreak: UInt32? = nil, updatedAt: WallTime, revision: UInt32 = 1, isRemoved: Bool = false
    ) throws(ScoreError) {
        guard GroupTitle.isAcceptable(title: gameName) else { throw .badName }
        guard score ?? 0 <= Limits.scoreValue, maxAttempts <= Limits.maxAttempts else { throw .outOfRange }
        guard currentStreak ?? 0 <= Limits.streakDays else { throw .streakTooLong }
        guard (1...Limits.scoreRevision).contains(revision) else { throw .tooManyRevisions }
        self.member = member
        self.day = day
        self.game = game
        self.gameName = gameName
        self.score = score
        self.maxAttempts = maxAttempts
        self.currentStreak = currentStreak
        self.updatedAt = updatedAt
        self.revision = revision
        self.isRemoved = isRemoved
    }

    package var isCompleted: Bool { score != nil }

    /// `{userId}|{yyyyMMdd}|{gameId}`, the member in hexadecimal, the game as a UUID.
    package var id: String { Self.id(member: member, day: day, game: game) }

    package static func id(member: MemberID, day: Day, game: GameID) -> String {
        let digits = String(day.dateInt)
        let date = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        return "\(member.hex)|\(date)|\(game.uuid)"
    }

    /// Accepts results of tomorrow, for people in the east who play at midnight, and none beyond.
    package static func check(day: Day, now: WallTime) throws(ScoreError) {
        guard day <= Day(now) + 1 else { throw .future }
        guard day.number >= Limits.shownDays.lowerBound else { throw .early }
    }

    /// True if this is so long after the day that a result is no longer in time.
    package static func isLate(day: Day, arrivedAt: WallTime) -> Bool {
        arrivedAt > day.end + .milliseconds(Limits.lateMilliseconds)
    }

    /// The revision of a value that replaces this one.
    package func nextRevision() throws(ScoreError) -> UInt32 {
        guard revision < Limits.scoreRevision else { throw .tooManyRevisions }
        return revision + 1
    }

    /// True if this value replaces the other: the higher revision wins, then the later clamped time, then the higher
    /// hash. So a correction made with knowledge of the previous value wins, whatever the clocks say, and concurrent
    /// ones end up equal everywhere.
    package func supersedes(_ other: DailyScore) -> Bool {
        if revision != other.revision { return revision > other.revision }
        if clampedTime != other.clampedTime { return clampedTime > other.clampedTime }
        return valueHash > other.valueHash
    }

    /// Clamped between one day before the day starts and thirty after its end: a clock of 1970 or 2100 must not win
    /// over others.
    package var clampedTime: WallTime {
        min(max(updatedAt, day.start - .seconds(86_400)), day.end + .seconds(30 * 86_400))
    }

    package var valueHash: Bytes32 { Blake2b.hash32(encoded, domain: "kachat score") }
}

/// How a result came to this node.
package enum ScoreArrival: Int, Sendable {
    case inTime = 0
    /// Long after its day.
    case late = 1
    /// Written long after its day, which was before this node knew the group, or the member.
    case imported = 2
}
