import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// Actions of honest members.
extension GroupNode {
    func carryOut(_ deed: GroupDeed, _ turn: Turn) throws -> WorkloadResult {
        do {
            try adopt(turn)
            zone?.store.setTime(now: turn.now, wall: turn.wall)
            if isHonest { return try act(deed, turn) }
            // The finder of a stolen device does nothing else.
            let isUsual = !isStolen && (deed == .post || deed == .join || deed == .joinCounted)
            if isUsual { return try act(deed, turn) }
            guard let zone else { return .unchanged }
            let attack = isStolen ? GroupDeed.attacks[draw(GroupDeed.attacks.count)] : deed
            return try GroupLiar(node: self, zone: zone).attack(attack)
        } catch let error as DatabaseError where error.isDiskFull {
            acknowledge = nil
            try zone?.rollback()
            return .failed
        } catch let error as DatabaseError where !disk.isDead && disk.excuse(for: error) == .passing {
            acknowledge = nil
            if let zone { machine.onStoreFailed(error, zone: zone.handle) }
            return .failed
        } catch is GroupError {
            // Not allowed, or not now. What was begun must not become durable.
            acknowledge = nil
            if let zone, zone.store.hasUncommitted { try zone.rollback() }
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
        case .invite, .inviteOne: try invite(zone, people: deed == .invite ? 2 + draw(7) : 1, turn)
        case .revoke:
            guard draw(4) == 0, let open = zone.invitations.open.randomElement(using: &random) else {
                return .unchanged
            }
            try zone.invitations.revoke(open.record)
        case .rename: try zone.roster.rename("Friends \(draw(1_000))")
        case .remove:
            guard draw(3) == 0, let other = other(zone) else { return .unchanged }
            let seen = try board.posts(of: other, seenBy: zone)
            try zone.roster.remove(other)
            acknowledge = { [board, lane = zone.lane] in
                board.removed[other] = GroupBoard.Dismissal(by: lane)
                for post in seen { board.posts[post].keptBy.insert(lane) }
            }
        case .setRole: return try setRole(zone)
        case .suspend:
            guard let other = other(zone) else { return .unchanged }
            board.suspended.insert(other)
            try zone.roster.suspend(other)
        case .unsuspend:
            guard let other = zone.state.suspended.sorted().first else { return .unchanged }
            try zone.roster.unsuspend(other)
        case .rotate:
            guard zone.state.owner == zone.member, try zone.membership.makeRoot() else { return .unchanged }
        case .leave:
            guard draw(3) == 0 else { return .unchanged }
            try zone.roster.leave()
            acknowledge = { [board, own = zone.membership.own] in board.left[own.member] = .init(lane: own.lane) }
        case .removeDevice: return try removeDevice(zone)
        case .close:
            guard zone.state.owner == zone.member else { return .unchanged }
            // Before it is durable: it may be carried out anyway.
            board.closing.insert(zone.lane)
            try zone.roster.close()
            let gone = Array(zone.state.left)
            acknowledge = { [board, lane = zone.lane] in board.closedBy[lane] = gone }
        case .meetLiar: return try meetLiar(zone)
        default: return .unchanged
        }
        return .acknowledged
    }

    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func other(_ zone: GroupZone) -> MemberID? {
        let others = zone.state.members.keys.filter { $0 != zone.member && $0 != zone.state.owner }.sorted()
        return others.randomElement(using: &random)
    }

    private func invite(_ zone: GroupZone, people: Int, _ turn: Turn) throws {
        let expires = draw(4) == 0 ? turn.wall + .seconds(draw(900)) : .never
        let token = try zone.invitations.invite(
            role: draw(5) == 0 ? .viewer : .member, people: people, expires: expires)
        acknowledge = { [board] in board.tokens.append(token) }
    }

    private func setRole(_ zone: GroupZone) throws -> WorkloadResult {
        guard draw(2) == 0, zone.state.owner == zone.member, let other = other(zone) else { return .unchanged }
        let role: Role = [.viewer, .member, .admin][draw(3)]
        guard role != zone.state.role(of: other) else { return .unchanged }
        // Before it is durable: another device may carry it out anyway.
        if role == .admin { board.raised.insert(other) }
        if role > .viewer { board.lowered[other] = nil }
        let seen = try board.posts(of: other, seenBy: zone)
        try zone.roster.set(role, of: other)
        acknowledge = { [board, lane = zone.lane] in
            if role == .viewer { board.lowered[other] = lane }
            for post in seen { board.posts[post].keptBy.insert(lane) }
        }
        return .acknowledged
    }

    private func removeDevice(_ zone: GroupZone) throws -> WorkloadResult {
        let others = account.claims.filter { other, claim in
            // Nobody shuts out the owner's first device, whose copies could.
            other != index && other != 0 && claim.member == zone.member && claim.lane != zone.lane
                && zone.state.standing(of: zone.membership.key(of: claim.lane)) == .active
        }
        guard zone.member == account.keys?.member, let (other, claim) = others.min(by: { $0.key < $1.key }) else {
            return .unchanged
        }
        let seen = try board.posts(of: zone.member, seenBy: zone).filter { board.posts[$0].lane == claim.lane }
        try zone.roster.remove(device: claim.lane, by: personKey)
        acknowledge = { [board, lane = zone.lane] in
            board.stolen[other] = .init(lane: zone.membership.key(of: claim.lane), by: lane)
            for post in seen { board.posts[post].outlivesDevice = true }
        }
        return .acknowledged
    }

    private func post(_ zone: GroupZone, _ turn: Turn) throws -> WorkloadResult {
        // Long ago, so that no wrong clock takes it for the future; one for each post of each device.
        posted += 1
        let day = Day(number: 8_000 + index * 3_000 + posted % 3_000)
        guard try zone.score(of: zone.member, day: day, game: GroupBoard.game) == nil else { return .unchanged }
        let score = UInt32(draw(7) + 1)
        try zone.post(game: GroupBoard.game, day: day, score: score, wall: World.epoch)
        let post = GroupBoard.Post(
            member: zone.member, lane: zone.lane, seq: zone.store.lane(zone.lane)?.highest ?? 0, day: day,
            score: score, way: GroupBoard.way(of: zone))
        let isHonest = isHonest
        acknowledge = { [board] in if isHonest { board.posts.append(post) } }
        return .acknowledged
    }

    // MARK: Joining

    private func join(_ turn: Turn, isCounted: Bool) throws -> WorkloadResult {
        guard attempt == nil, account.seeker == nil else { return .unchanged }
        // Older ones are mostly used up or revoked.
        let tokens = board.tokens.suffix(isCounted ? 1 : 4)
        guard let token = tokens.randomElement(using: &random), let pending = try pending(token, turn) else {
            return .unchanged
        }
        seek(pending, turn)
        return .acknowledged
    }

    /// Nil for a person who is in the group, or may be.
    private func pending(_ token: GroupToken, _ turn: Turn) throws -> PendingJoin? {
        if let zone {
            switch zone.access {
            case .lapsed where zone.lane == zone.keys.firstLane:
                return PendingJoin(
                    token: token, person: zone.keys.person, tag: zone.store.device.tag, since: turn.wall)
            case .left where zone.hasTold, .removed where zone.state.isDismissed(zone.member),
                // The group's file is gone, and no other device lets this one in.
                .joining where zone.lacking != nil && !board.hasOther(index):
                board.giveUp(zone.member)
                account.beginAnew()
                try drop(turn)
            default: return nil
            }
        }
        guard account.keys == nil else { return nil }
        // Each membership has a store of its own: what one of before has left is not this one's.
        eraseStore()
        return PendingJoin(
            token: token, person: PersonID(personKey.publicKey), tag: random.identifier(), since: turn.wall)
    }

    // MARK: Liars

    /// As in a session with a dishonest node: takes some of what that has.
    private func meetLiar(_ zone: GroupZone) throws -> WorkloadResult {
        try zone.store.begin()
        for record in board.dropped.records.shuffled(using: &random).prefix(20) {
            _ = try zone.membership.records.take([record])
        }
        for row in board.dropped.rows.shuffled(using: &random).prefix(20) { try offer(row, to: zone) }
        return .acknowledged
    }

    func offer(_ row: Record, to zone: GroupZone) throws {
        do {
            _ = try zone.store.put(row)
        } catch is RecordRejection {
            // As a session does: it is not taken.
        }
    }
}
