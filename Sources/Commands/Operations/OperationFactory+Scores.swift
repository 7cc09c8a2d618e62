import Chat
package import JSONLines
import LeaderboardShare
import Node
import NodeCore
import SyncState

/// `game …`, `score …` and `leaderboard …`
extension OperationFactory {
    func scoreOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        let arguments = ScoreRequest(request: request, wall: node.clock.wall())
        switch request.command {
        case "game add": return try addGame(arguments)
        case "game list":
            let group = try theGroup(request)
            return ImmediateOperation { reply, _ in for game in group.zone.catalogue.games { reply.data(game.json) } }
        case "score post": return try PostOperation(groups: postGroups(request), arguments: arguments)
        case "score list": return try listScores(arguments)
        case "score import": return ScoreImportOperation(group: try theGroup(request), clock: node.clock)
        case "score remove": return try removeScore(arguments)
        case "leaderboard", "leaderboard history", "leaderboard day":
            let report = BoardReport(group: try theGroup(request), arguments: arguments)
            return ImmediateOperation { reply, _ in reply.data(try report.answer(request.command)) }
        default: return nil
        }
    }

    /// The group that is named; where none is, the only one.
    private func theGroup(_ request: ControlRequest) throws(NodeError) -> NodeGroup {
        if request.has("GROUP") || request.has("--group") { return try group(request) }
        let groups = try account(request).groups
        guard let only = groups.first else {
            throw NodeError(.notFound, "the account is in no group: `kachat-node group create` or `group join`")
        }
        guard groups.count == 1 else {
            throw NodeError(
                .usage, "which group? " + groups.map { Terminal.harmless($0.title) }.joined(separator: ", "))
        }
        return only
    }

    private func postGroups(_ request: ControlRequest) throws(NodeError) -> [NodeGroup] {
        guard request.has("--all-groups") else { return [try theGroup(request)] }
        guard !request.has("GROUP") else { throw NodeError(.usage, "name a group, or --all-groups, not both") }
        let groups = try account(request).groups.filter(\.isIn)
        guard !groups.isEmpty else { throw NodeError(.notFound, "the account is in no group") }
        return groups
    }

    private func addGame(_ arguments: ScoreRequest) throws(NodeError) -> any ControlOperation {
        let request = arguments.request
        let group = try theGroup(request)
        guard let model = ScoringModel(name: request.text("--model") ?? "") else {
            let names = ScoringModel.allCases.map(\.name).joined(separator: ", ")
            throw NodeError(.usage, "--model must be one of \(names)")
        }
        let name = request.text("NAME") ?? ""
        let id = request.text("--id").map { GameID(uuid: $0) } ?? GameID(name: name)
        guard let id else {
            throw NodeError(.usage, "--id must be a UUID such as 5d0c8a52-8a4f-4f0e-9d52-000000000001")
        }
        let maximum = try arguments.number("--max-attempts") ?? 0
        return ImmediateOperation(changesData: true) { reply, _ in
            reply.data(try group.zone.enter(id, name: name, model: model, maxAttempts: maximum).json)
        }
    }

    private func removeScore(_ arguments: ScoreRequest) throws(NodeError) -> any ControlOperation {
        let group = try theGroup(arguments.request)
        guard let game = try arguments.game(in: group) else { throw NodeError(.usage, "score remove needs --game") }
        let day = try arguments.day("--date", or: Day(arguments.wall)) ?? Day(arguments.wall)
        return ImmediateOperation(changesData: true) { reply, _ in
            let zone = group.zone
            guard let held = try zone.score(of: zone.member, day: day, game: game.id) else {
                throw NodeError(.notFound, "you have no result of \(game.name) on \(day.dateInt)")
            }
            let removed = try zone.post(
                game: game.id, day: day, score: held.score, maxAttempts: held.maxAttempts, streak: held.currentStreak,
                isRemoved: true, wall: arguments.wall)
            var fields = ScoreLine(removed).fields
            fields["removed"] = .bool(true)
            reply.data(.object(fields))
        }
    }

    private func listScores(_ arguments: ScoreRequest) throws(NodeError) -> any ControlOperation {
        let request = arguments.request
        let period = try arguments.period(usual: .all).days(today: Day(arguments.wall))
        if let left = try leftScores(request) {
            return ImmediateOperation { reply, _ in for line in left { reply.data(line) } }
        }
        let group = try theGroup(request)
        let game = try arguments.game(in: group)
        let isUnsent = request.has("--unsent")
        let members: [GroupMember]
        if request.has("--all") {
            members = group.zone.memberList(withRemoved: true)
        } else if let name = request.text("--member") {
            members = [try GroupReport.member(named: name, in: group)]
        } else {
            // What the account posted under earlier keys is with the others, where it still counts.
            members = group.ownMembers.filter { $0.isMe || !isUnsent }
        }
        let isOwn = !request.has("--all") && !request.has("--member")
        return ImmediateOperation { reply, _ in
            let all = group.zone.memberList(withRemoved: true)
            var listed: Set<String> = []
            for member in members {
                for stored in try group.zone.results(of: member.id) where !stored.score.isRemoved {
                    let score = stored.score
                    guard game.map({ $0.id == score.game }) ?? true, period?.contains(score.day) ?? true else {
                        continue
                    }
                    // Posted once more after the return: that one counts.
                    let isNews = listed.insert("\(score.day.dateInt) \(score.game.uuid)").inserted
                    guard isNews || !isOwn else { continue }
                    var fields = ScoreLine(score).fields
                    fields["name"] = .string(member.name)
                    fields["late"] = .bool(stored.isLate)
                    if isUnsent {
                        let holders = group.holders.members(holding: stored.lane, seq: stored.seq)
                        let others = all.filter { !$0.isMe && $0.state != .removed }
                        let lacking = others.filter { !holders.contains($0.id) }
                        // Where there is nobody else, nobody has it.
                        guard !lacking.isEmpty || others.isEmpty else { continue }
                        fields["heldBy"] = .array(
                            others.filter { holders.contains($0.id) }.map { .string($0.name) })
                        fields["missing"] = .array(lacking.map { .string($0.name) })
                    }
                    reply.data(.object(fields))
                }
            }
        }
    }

    /// What stayed of a group that was left; nil where the group is another one.
    private func leftScores(_ request: ControlRequest) throws(NodeError) -> [JSONValue]? {
        guard let name = request.text("GROUP")?.lowercased() else { return nil }
        let account = try account(request)
        let left = account.zone.groups.all.first { membership in
            membership.state.isGone
                && (membership.title.lowercased() == name
                    || name.utf8.count >= 4 && membership.group.hex.hasPrefix(name))
        }
        guard let left, (try? group(request)) == nil else { return nil }
        return LeftScores.all(of: left, account, in: node.home).flatMap { $0.lines() ?? [] }
    }
}

extension Game {
    package var json: JSONValue {
        .object([
            "gameId": .string(id.uuid), "name": .string(name), "model": .string(model.name),
            "maxAttempts": .number(maxAttempts), "revision": .number(revision),
        ])
    }
}
