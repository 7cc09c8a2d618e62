import Chat
import Gossip
package import LeaderboardShare
package import NodeCore
import SyncState

/// Groups that accounts want to join.
extension LocalNode {
    /// Restores an account's pending joins after a start.
    func loadJoins(_ account: NodeAccount) {
        let kept = (try? account.zone.groups.pendingJoins()) ?? []
        account.joins = kept.compactMap { NodeJoin(stored: $0.content, account: account) }
    }

    /// Starts joining the group of a token; this survives restarts.
    ///
    /// - Throws: `NodeError` or `TokenError` if that is pointless; nothing is written then.
    package func join(_ token: GroupToken, name: String?, account: NodeAccount) throws -> NodeJoin {
        try token.checkUsable(now: clock.wall())
        let known = account.zone.groups.membership(of: token.group)
        switch known?.state {
        case .joined where !hasLapsed(token.group, account):
            throw NodeError(.failed, "you are in this group already: \(known?.title ?? token.title)")
        case .deleted, .dropped: throw NodeError(.failed, "this group was deleted by its owner")
        case .joined, .removed, .left, nil: break
        }
        if let name { guard GroupTitle.isAcceptable(title: name) else { throw ScoreError.badName } }
        guard groupCount < Limits.groups else {
            throw NodeError(.failed, "a node takes part in at most \(Limits.groups) groups: leave one first")
        }
        let removals = known.map { $0.removals + ($0.state == .removed ? 1 : 0) } ?? 0
        let pending = PendingJoin(token: token, removals: removals, since: clock.wall())
        let join = NodeJoin(pending, name: name, account: account)
        try forgetJoin(of: token.group, account)
        try account.zone.groups.keep(pending: join.encoded, for: token.group)
        account.joins.append(join)
        followJoins(account)
        return join
    }

    /// Whether the account believes that it is a member, and the members say otherwise.
    private func hasLapsed(_ group: ZoneID, _ account: NodeAccount) -> Bool {
        let access = account.groups.first { $0.zone.zone == group }?.zone.access
        return access == .lapsed || access == .left
    }

    /// Seeks members for the pending joins of an account, unless it is paused, and processes the results. True if one
    /// has ended.
    @discardableResult
    func followJoins(_ account: NodeAccount) -> Bool {
        guard let server, account.fault == nil else { return false }
        var hasNews = false
        for join in account.joins {
            if case .waiting = join.attempt.state {
                let mustSeek = account.zone.pause == nil
                if mustSeek, !join.isSeeking {
                    server.machine.add(join.attempt, hints: join.pending.token.hints, now: clock.now())
                } else if !mustSeek, join.isSeeking {
                    server.machine.remove(rendezvous: join.attempt.handle, now: clock.now())
                }
                join.isSeeking = mustSeek
            } else {
                if join.isSeeking { server.machine.remove(rendezvous: join.attempt.handle, now: clock.now()) }
                join.isSeeking = false
                do {
                    try end(join, of: account)
                } catch {
                    // It stays pending, and knocks again after the next start: being admitted twice does no harm.
                    errors.note(NodeError(cause: error).code.rawValue, at: clock.wall())
                    account.joins.removeAll { $0 === join }
                }
                hasNews = true
            }
        }
        return hasNews
    }

    private func end(_ join: NodeJoin, of account: NodeAccount) throws {
        switch join.attempt.state {
        case .waiting: return
        case .welcomed(let welcome):
            try open(welcome, join, account)
            account.joins.removeAll { $0 === join }
            try account.zone.groups.forgetPending(join.group)
        case .refused(.removedKey) where join.takeNextKey(account):
            try account.zone.groups.keep(pending: join.encoded, for: join.group)
        case .refused(let reason):
            account.joins.removeAll { $0 === join }
            account.refusedJoins[join.group] = reason
            try account.zone.groups.forgetPending(join.group)
        }
    }

    /// Makes the group's store durable before the account refers to it.
    private func open(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws {
        // Another device has meanwhile returned with a later key: the owner removed this one.
        if let known = account.zone.groups.membership(of: join.group), known.removals > join.pending.removals { return }
        let seed = join.seed(account)
        let group = try reopened(welcome, join, account) ?? opened(welcome, join, account)
        if let name = join.name { try group.zone.want(name: name) }
        try group.zone.commit()
        let membership = GroupMembership(
            group: join.group, context: join.context(account), removals: join.pending.removals, state: .joined,
            joinedAt: clock.wall(), title: join.pending.token.title, roots: group.zone.membershipRoots)
        try account.zone.groups.put(membership)
        group.update(membership)
        add(group)
        let handle = GroupPlace.handle(join.group, seed)
        if let address = welcome.address { server?.machine.meet(zone: handle, at: address, now: clock.now()) }
    }

    /// The existing copy of the group, if this member's key returns: anything it wrote meanwhile is kept.
    private func reopened(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws -> NodeGroup? {
        let handle = GroupPlace.handle(join.group, join.seed(account))
        let groups = account.groups + account.departing
        guard let group = groups.first(where: { $0.placeID == handle }) else { return nil }
        try group.zone.take(welcome)
        account.groups.removeAll { $0 === group }
        account.departing.removeAll { $0 === group }
        return group
    }

    private func opened(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws -> NodeGroup {
        let seed = join.seed(account)
        let path = groupPlace.path(of: join.group, seed)
        // A copy from before this member returned with another key.
        for old in account.groups where old.zone.zone == join.group { try retire(old) }
        let database = try Database(path: path)
        let zone = try GroupZone.join(
            welcome, database: database, memberSeed: seed, deviceSecret: identity.deviceSecret,
            random: SystemRandom())
        zone.store.setTime(now: clock.now(), wall: clock.wall())
        let guardFile = GuardFile(databasePath: path)
        try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
        let membership = GroupMembership(
            group: join.group, context: join.context(account), removals: join.pending.removals, state: .joined,
            joinedAt: clock.wall(), title: join.pending.token.title, roots: zone.membershipRoots)
        return NodeGroup(zone: zone, database: database, path: path, membership: membership, owner: account)
    }

    /// Cancels a pending join. False if there was none.
    @discardableResult
    package func forgetJoin(of group: ZoneID, _ account: NodeAccount) throws -> Bool {
        account.refusedJoins[group] = nil
        guard let join = account.joins.first(where: { $0.group == group }) else { return false }
        if join.isSeeking { server?.machine.remove(rendezvous: join.attempt.handle, now: clock.now()) }
        account.joins.removeAll { $0 === join }
        try account.zone.groups.forgetPending(group)
        return true
    }
}
