import LeaderboardShare
import Ledger
import NodeCore
import NodeModel
import Testing

@testable import Commands
@testable import Node

@Suite struct GroupBoardTests {
    private static let me = MemberID(bytes: [UInt8](repeating: 1, count: 32))
    private static let ben = MemberID(bytes: [UInt8](repeating: 2, count: 32))
    private let monday = Day(dateInt: 2026_11_16)

    /// A board with my and Ben's ranks and points, and today's results.
    private func board(
        mine: (rank: Int, points: UInt64), bens: (rank: Int, points: UInt64), posted: [(MemberID?, UInt32?)] = [],
        week: Day? = nil
    ) throws -> GroupBoard {
        let game = GameID(name: "Wordle")
        let today = try #require(monday) + 2
        return GroupBoard(
            groupID: "00", title: "Family", week: try #require(week ?? monday),
            players: [
                .init(member: try #require(Self.me), name: "Anna", isMe: true, rank: mine.rank, points: mine.points),
                .init(member: try #require(Self.ben), name: "Ben", isMe: false, rank: bens.rank, points: bens.points),
            ],
            results: try posted.map { .init(member: try #require($0.0), game: game, day: today, score: $0.1) },
            gameNames: [game: "Wordle"])
    }

    @Test func aResultOfAnotherIsToldAndOnesOwnNever() throws {
        let before = try board(mine: (1, 0), bens: (1, 0))
        let after = try board(mine: (1, 4), bens: (1, 4), posted: [(Self.me, 3), (Self.ben, 3)])
        let notices = after.notices(since: before, posted: after.results.map(\.cell))
        #expect(notices.map(\.text) == ["Ben played Wordle in Family"])
        #expect(notices.first?.score == 3)
        #expect(after.notices(since: before, posted: []).isEmpty)
        // A score that is no longer on the board causes no notice.
        #expect(before.notices(since: before, posted: after.results.map(\.cell)).isEmpty)
    }

    @Test func whoPassesFromBehindOrBesideOvertakes() throws {
        let beside = try board(mine: (1, 4), bens: (1, 4))
        let passed = try board(mine: (2, 4), bens: (1, 7))
        let notices = passed.notices(since: beside, posted: [])
        #expect(notices.map(\.kind) == [.overtaken])
        #expect(notices.first?.text == "Ben overtook you in Family: you are number 2 this week")
        #expect(passed.notices(since: passed, posted: []).isEmpty, "he was before already")
        #expect(beside.notices(since: passed, posted: []).isEmpty, "a tie is no overtaking")
        // Nobody overtakes a member without results, and at the start of a week nobody is ahead.
        #expect(passed.notices(since: try board(mine: (1, 0), bens: (1, 0)), posted: []).isEmpty)
        let lastWeek = try board(mine: (1, 9), bens: (2, 3), week: try #require(monday) - 7)
        #expect(passed.notices(since: lastWeek, posted: []).isEmpty)
    }

    @Test func streaksAreLookedAtOnceADayInItsLastHours() throws {
        var watch = StreakWatch()
        let midnight = Int64(try #require(monday).number) * 86_400_000
        func left(hour: Int64) -> Int? { watch.secondsLeft(WallTime(milliseconds: midnight + hour * 3_600_000)) }
        #expect(left(hour: 19) == nil)
        #expect(left(hour: 20) == 4 * 3600)
        #expect(left(hour: 22) == nil)
        #expect(left(hour: 24) == nil)
        #expect(left(hour: 47) == 3600)
    }
}
