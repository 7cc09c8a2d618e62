import Chat
import LeaderboardShare
import Node
import NodeCore
import NodeModel

/// `score list`: the user's own results, another member's, or everybody's.
struct ScoreListing {
    static let member = Parameter.text("--member", .text("MEMBER"), "results of this member (default: your own)")
    static let all = Parameter.flag("--all", "results of all members")
    static let unsent = Parameter.flag(
        "--unsent", "your own results that some members may not have yet, with those who have them")

    private let days: ClosedRange<Day>?
    /// The results kept of a group that was left; nil for a present group.
    private var left: [Score]?
    private var group: NodeGroup?
    private var game: LeaderboardShare.Game?
    private var members: [GroupMember] = []
    private let isUnsent: Bool
    private let isOwn: Bool

    init(_ call: Call) throws(NodeError) {
        days = try call.days()
        isUnsent = call.has(Self.unsent)
        isOwn = !call.has(Self.all) && !call.has(Self.member)
        if isUnsent, !isOwn {
            throw NodeError(
                .usage,
                """
                \(parameter: Self.unsent.spec.name) is about your own results: leave out \
                \(parameter: Self.all.spec.name) and \(parameter: Self.member.spec.name)
                """)
        }
        if call.has(Self.all), call.has(Self.member) {
            throw NodeError.wrong(Self.all, "and \(parameter: Self.member.spec.name) exclude each other")
        }
        left = try Self.leftScores(call, days)
        guard left == nil else { return }
        let group = try call.onlyGroup()
        self.group = group
        game = try call.game(in: group)
        if call.has(Self.all) {
            members = group.zone.roster.members(withRemoved: true)
        } else if call.has(Self.member) {
            members = [try group.member(named: Self.member, in: call, withFormer: true)]
        } else {
            // Includes results posted under the account's earlier keys, as far as they still count.
            members = group.ownMembers.filter { $0.isMe || !isUnsent }
        }
    }

    func list() throws -> [Score] {
        if let left { return left }
        guard let group else { return [] }
        let all = group.zone.roster.members(withRemoved: true)
        let catalogue = group.zone.catalogue
        var listed: Set<String> = []
        var scores: [Score] = []
        for member in members {
            let results = try member.isMe && isOwn ? OwnResults(of: group.zone).all : group.zone.results(of: member.id)
            for stored in results where !stored.score.isRemoved {
                let score = stored.score
                guard game.map({ $0.id == score.game }) ?? true, days?.contains(score.day) ?? true else { continue }
                // A result posted again after rejoining replaces the earlier one.
                let isNews = listed.insert("\(score.day.dateInt) \(score.game.uuid)").inserted
                guard isNews || !isOwn else { continue }
                var line = Score(score)
                line.name = member.name
                line.isLate = stored.arrival == .late
                line.isImported = stored.arrival == .imported ? true : nil
                if let game = catalogue[score.game] {
                    line.maxAttempts = Int(game.maximum(score.maxAttempts))
                    if score.isCompleted, game.counted(score) == nil { line.isImpossible = true }
                }
                if isUnsent {
                    let holders = group.holders.members(holding: stored.lane, seq: stored.seq)
                    let others = all.filter { !$0.isMe && $0.state != .removed && $0.state != .left }
                    let lacking = others.filter { !holders.contains($0.id) }
                    // A group without other members: nobody has it.
                    guard !lacking.isEmpty || others.isEmpty else { continue }
                    line.heldBy = others.filter { holders.contains($0.id) }.map(\.name)
                    line.missing = lacking.map(\.name)
                }
                scores.append(line)
            }
        }
        return scores
    }

    private static func leftScores(_ call: Call, _ days: ClosedRange<Day>?) throws(NodeError) -> [Score]? {
        guard let name = call[GroupNaming.optionalGroup],
            case .left(let left)? = try? call.node.groups.named(name, of: call.account, left: true)
        else { return nil }
        for parameter in [all, unsent] as [any AnyParameter] + [member] where call.has(parameter) {
            throw NodeError.wrong(parameter, "asks for more than is kept of a group that you left: your own results")
        }
        let kept = LeftScores.all(of: left, in: call.node.home).flatMap { $0.lines() ?? [] }.filter { score in
            days.map { days in Day(dateInt: score.dateInt).map(days.contains) ?? false } ?? true
        }
        guard let game = call[ScoreParameters.game] else { return kept }
        let wanted = game.lowercased()
        return kept.filter { $0.gameName?.lowercased() == wanted || $0.gameId.lowercased() == wanted }
    }
}
