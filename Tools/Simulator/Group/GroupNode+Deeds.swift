import LeaderboardShare
import NodeCore
import SyncState

/// Actions of honest members.
extension GroupNode {
    func carryOut(_ deed: GroupDeed, _ turn: Turn) throws -> WorkloadResult {
        do {
            zone?.store.setTime(now: turn.now, wall: turn.wall)
            let isUsual = deed == .post || deed == .join || deed == .joinCounted
            return try isHonest || isUsual ? act(deed, turn) : attack(deed, turn)
        } catch let error as DatabaseError where error.isDiskFull {
            acknowledge = nil
            try zone?.rollback()
            return .failed
        } catch is GroupError {
            // Not allowed, or not now.
            acknowledge = nil
            return .unchanged
        } catch is ScoreError {
            acknowledge = nil
            return .unchanged
        }
    }

    private func act(_ deed: GroupDeed, _ turn: Turn) throws -> WorkloadResult {
        if deed == .join || deed == .joinCounted { return try join(turn, isCounted: deed == .joinCounted) }
        guard let zone, zone.access == .member else { return .unchanged }
        switch deed {
        case .post: return try post(zone, turn)
        case .invite, .inviteOne:
            let uses = deed == .invite ? Delegation.unlimited : 1
            let token = try zone.invite(role: draw(5) == 0 ? .viewer : .member, uses: uses)
            guard let invitation = zone.state.invitation(of: token.chain[0], by: token.issuer)?.hash else {
                return .unchanged
            }
            let issued = GroupBoard.Issued(token: token, invitation: invitation, uses: uses, isHonest: true)
            acknowledge = { [board] in board.tokens.append(issued) }
        case .rename: try zone.rename("Friends \(draw(1_000))")
        case .remove:
            // Rarely, and dishonest members before all others.
            guard draw(3) == 0, let other = other(zone) else { return .unchanged }
            try zone.remove(other)
            acknowledge = { [board] in board.removed.insert(other) }
        case .demote:
            guard draw(3) == 0, let other = other(zone) else { return .unchanged }
            try zone.demote(other, to: .viewer)
        case .suspend:
            guard let other = other(zone) else { return .unchanged }
            try zone.suspend(other)
        case .unsuspend:
            guard let other = zone.state.suspended.sorted().first else { return .unchanged }
            try zone.unsuspend(other)
        case .rotate: try zone.rotate()
        case .offer:
            guard draw(2) == 0, zone.offeredTo.isEmpty, let other = other(zone), board.honest.contains(other) else {
                return .unchanged
            }
            try zone.offerOwnership(to: other)
        case .accept:
            // Before it is durable: another device may carry it out anyway.
            board.accepted.insert(zone.member)
            try zone.acceptOwnership()
        case .leave:
            guard draw(3) == 0 else { return .unchanged }
            try zone.leave()
            acknowledge = { [board, member] in board.left.insert(member) }
        case .close:
            guard zone.state.owner == zone.member else { return .unchanged }
            board.isClosing = true
            try zone.close()
            acknowledge = { [board] in board.isClosed = true }
        default: return .unchanged
        }
        return .acknowledged
    }

    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func other(_ zone: GroupZone) -> MemberID? {
        let others = zone.state.members.keys.filter { $0 != zone.member && $0 != zone.state.owner }.sorted()
        return others.randomElement(using: &random)
    }

    private func post(_ zone: GroupZone, _ turn: Turn) throws -> WorkloadResult {
        // Long ago, so that no wrong clock takes it for the future; one for each post of each device.
        posted += 1
        let day = Day(number: 8_000 + index * 3_000 + posted % 3_000)
        guard try zone.score(of: zone.member, day: day, game: GroupBoard.game) == nil else { return .unchanged }
        let score = UInt32(draw(7) + 1)
        try zone.post(game: GroupBoard.game, day: day, score: score, wall: World.epoch)
        let post = GroupBoard.Post(member: zone.member, day: day, score: score)
        let isHonest = isHonest
        acknowledge = { [board] in if isHonest { board.posts.append(post) } }
        return .acknowledged
    }

    /// It is in no group, or its members say that it is not.
    private var isOutside: Bool {
        guard let zone else { return true }
        return zone.access == .lapsed || zone.access == .left
    }

    private func join(_ turn: Turn, isCounted: Bool) throws -> WorkloadResult {
        guard attempt == nil, isOutside else { return .unchanged }
        try adopt(turn)
        let tokens = isCounted ? board.tokens.suffix(1) : board.tokens[...]
        guard isOutside, let issued = tokens.randomElement(using: &random) else { return .unchanged }
        board.left.remove(member)
        seek(PendingJoin(token: issued.token, since: turn.wall), turn)
        return .acknowledged
    }
}
