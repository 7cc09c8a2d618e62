import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel

/// A group's standings at one moment, for notices. Comparing two of them shows who overtook whom; the group itself
/// reports posts.
struct GroupBoard: Equatable {
    struct Player: Equatable {
        package let member: MemberID
        package let name: String
        let isMe: Bool
        /// From 1, in the current week over all games.
        let rank: Int
        package let points: UInt64
    }

    package struct Result: Hashable {
        package let member: MemberID
        package let game: GameID
        package let day: Day
        package let score: UInt32?

        var cell: PostedScore { PostedScore(member: member, game: game, day: day) }
    }

    let groupID: String
    package let title: String
    /// The Monday of the ranks' week.
    package let week: Day
    let players: [Player]
    /// Results of yesterday, today and tomorrow, which has begun in some time zones. Older ones are late history.
    package let results: [Result]
    let gameNames: [GameID: String]

    /// The others' changes since the earlier board.
    func notices(since before: GroupBoard, posted: some Sequence<PostedScore>) -> [Notice] {
        let posted = Set(posted)
        return results.filter { posted.contains($0.cell) }.compactMap(scoreNotice) + overtaking(before)
    }

    private func scoreNotice(_ result: Result) -> Notice? {
        guard let player = players.first(where: { $0.member == result.member }), !player.isMe else { return nil }
        let game = gameNames[result.game] ?? ""
        // The text leaves out the result: a person who has not played yet may not want to read it.
        var notice = Notice(.score, "\(player.name) played \(game) in \(title)")
        (notice.groupId, notice.group) = (groupID, title)
        (notice.memberId, notice.name) = (result.member.hex, player.name)
        (notice.gameId, notice.gameName) = (result.game.uuid, game)
        notice.dateInt = Int(result.day.dateInt)
        notice.score = result.score.map { Int($0) }
        notice.completed = result.score != nil
        return notice
    }

    private func overtaking(_ before: GroupBoard) -> [Notice] {
        // All ranks are equal at the start of a week.
        guard week == before.week, let me = players.first(where: \.isMe),
            let formerMe = before.players.first(where: \.isMe), formerMe.points > 0
        else { return [] }
        return players.compactMap { player in
            guard !player.isMe, player.rank < me.rank,
                let former = before.players.first(where: { $0.member == player.member }), former.rank >= formerMe.rank
            else { return nil }
            var notice = Notice(
                .overtaken, "\(player.name) overtook you in \(title): you are number \(me.rank) this week")
            (notice.groupId, notice.group) = (groupID, title)
            (notice.memberId, notice.name) = (player.member.hex, player.name)
            (notice.rank, notice.points) = (Int(me.rank), Int(clamping: me.points))
            return notice
        }
    }
}

extension GroupBoard {
    /// The group's board now.
    init(_ group: NodeGroup, today: Day) throws {
        let members = group.zone.roster.members().filter { $0.state == .active }
        let standings = try group.zone.standings
        let rows = standings.rows(members.map(\.id), period: .week, today: today)
        groupID = group.zone.zone.hex
        title = group.title
        week = today.weekStart
        players = rows.compactMap { row in
            members.first { $0.id == row.member }.map { member in
                Player(member: member.id, name: member.name, isMe: member.isMe, rank: row.rank, points: row.points)
            }
        }
        results = [today - 1, today, today + 1].flatMap { day in
            standings.results(on: day, members.map(\.id)).map {
                Result(member: $0.member, game: $0.game, day: day, score: $0.score)
            }
        }
        gameNames = Dictionary(
            standings.catalogue.games.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
