import Chat
import Gossip
package import LeaderboardShare
import Ledger
package import NodeCore
import SyncState

/// Joining a group by an invitation: a join waits, over restarts, until a member lets the account in.
extension GroupKeeper {
    /// Loads the joins that an account stored before the node started.
    func loadJoins(_ account: NodeAccount) {
        let kept = (try? account.zone.groups.pendingJoins()) ?? []
        account.joins = kept.compactMap {
            NodeJoin(stored: $0.content, deviceSecret: node.identity.deviceSecret)
        }
    }

    /// Starts joining a token's group; a restart continues it. A repeated call, such as after a crash, continues as the
    /// same person and lane: the members may have let that one in already.
    ///
    /// - Throws: `NodeError` or `TokenError` if joining is pointless; then nothing is written.
    package func join(_ token: GroupToken, name: String?, account: NodeAccount) throws -> NodeJoin {
        let known = account.zone.groups.membership(of: token.group)
        let lapsed = account.groups.first { $0.zone.zone == token.group && $0.zone.access == .lapsed }
        switch known?.state {
        case .joined where !hasEnded(token.group, account):
            throw NodeError(.failed, "you are already in this group: \(known?.title ?? token.title)")
        case .deleted, .dropped:
            throw NodeError(closed: account.groups.first { $0.zone.zone == token.group }, of: node)
        case .joined, .removed, .left, nil: break
        }
        if let name { guard GroupTitle.isWritable(title: name) else { throw ScoreError.badName } }
        try checkRoom(for: account)
        let before = account.joins.first { $0.group == token.group }?.pending
        try forgetJoin(of: token.group, account)
        var random = SystemRandom()
        // A member whose invitation was withdrawn stays the same one, if its first lane is here.
        let isFirst = lapsed.map { $0.zone.lane == $0.zone.keys.firstLane } ?? false
        let person = before?.person ?? (isFirst ? lapsed?.zone.keys.person : nil)
        let tag = before?.tag ?? (isFirst ? lapsed?.zone.store.device.tag : nil)
        let pending = PendingJoin(
            token: token, person: try person ?? self.person(of: account), tag: tag ?? random.identifier(),
            since: node.clock.wall())
        let join = NodeJoin(pending, name: name, deviceSecret: node.identity.deviceSecret)
        try account.zone.groups.keep(pending: join.encoded, for: token.group)
        account.joins.append(join)
        account.zone.changes.note(.group, group: join.group)
        followJoins(account)
        return join
    }

    /// True if the account counts itself a member, but the members disagree.
    private func hasEnded(_ group: ZoneID, _ account: NodeAccount) -> Bool {
        let access = account.groups.first { $0.zone.zone == group }?.zone.access
        return access == .lapsed || access == .left
    }

    /// Seeks members for an account's joins, unless it is paused, and handles the outcomes. True if a join is over.
    @discardableResult
    func followJoins(_ account: NodeAccount) -> Bool {
        guard account.fault == nil else { return false }
        var hasNews = false
        for join in account.joins {
            // Another device of the account came in: by this join the account would be another member.
            guard account.zone.groups.membership(of: join.group)?.state == .joined, !hasEnded(join.group, account),
                (try? forgetJoin(of: join.group, account)) == true
            else { continue }
            hasNews = true
        }
        guard let server = node.server else { return hasNews }
        for join in account.joins where !join.isOver {
            if case .waiting = join.attempt.state {
                if join.isOfFormerRun {
                    let state = server.machine.state(of: account.placeID, now: node.clock.now())
                    join.isOfFormerRun = state == .idle || state == .syncing
                }
                let mustSeek = account.zone.pause == nil && !join.isOfFormerRun
                if mustSeek, !join.isSeeking {
                    server.machine.add(join.attempt, hints: join.pending.token.hints, now: node.clock.now())
                } else if !mustSeek, join.isSeeking {
                    server.machine.remove(rendezvous: join.attempt.handle, now: node.clock.now())
                }
                join.isSeeking = mustSeek
            } else {
                if join.isSeeking { server.machine.remove(rendezvous: join.attempt.handle, now: node.clock.now()) }
                join.isSeeking = false
                do {
                    try end(join, of: account)
                } catch {
                    // The join stays stored and is repeated after the next start: being admitted twice is harmless.
                    node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
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
        case .refused:
            // It stays until the user has seen why, and asks again after a start.
            join.isOver = true
            account.zone.changes.note(.group, group: join.group)
        }
    }

    /// Makes the group's store durable before the account records the membership.
    private func open(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws {
        let known = account.zone.groups.membership(of: join.group)
        let group = try reopened(welcome, account) ?? opened(welcome, join, after: known, account)
        if let name = join.name { try group.zone.roster.want(name: name) }
        try group.commit()
        let membership = GroupMembership(
            group.zone, after: known, joinedAt: node.clock.wall(), title: join.pending.token.title)
        try account.zone.groups.put(membership)
        group.update(membership)
        add(group)
        node.server?.machine.meet(zone: group.placeID, at: welcome.address, now: node.clock.now())
    }

    /// The existing copy, if the same member is back: what it wrote in between is kept.
    private func reopened(_ welcome: GroupWelcome, _ account: NodeAccount) throws -> NodeGroup? {
        let handle = GroupZone.handle(group: welcome.group, member: welcome.keys.member)
        guard let group = (account.groups + account.departing).first(where: { $0.placeID == handle }) else {
            return nil
        }
        try group.zone.take(welcome)
        account.groups.removeAll { $0 === group }
        account.departing.removeAll { $0 === group }
        return group
    }

    private func opened(
        _ welcome: GroupWelcome, _ join: NodeJoin, after known: GroupMembership?, _ account: NodeAccount
    ) throws -> NodeGroup {
        let path = place.path(of: welcome.group, welcome.keys.member)
        // The account's former members in the group.
        for old in account.groups where old.zone.zone == join.group { try retire(old) }
        let database = try Database(path: path)
        let zone = try GroupZone.join(
            welcome, database: database, deviceSecret: node.identity.deviceSecret, random: SystemRandom())
        zone.store.setTime(now: node.clock.now(), wall: node.clock.wall())
        let guardFile = GuardFile(databasePath: path)
        try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
        let membership = GroupMembership(
            zone, after: known, joinedAt: node.clock.wall(), title: join.pending.token.title)
        return NodeGroup(zone: zone, database: database, path: path, membership: membership, owner: account)
    }

    /// Cancels a join. False if there was none.
    @discardableResult
    package func forgetJoin(of group: ZoneID, _ account: NodeAccount) throws -> Bool {
        guard let join = account.joins.first(where: { $0.group == group }) else { return false }
        if join.isSeeking { node.server?.machine.remove(rendezvous: join.attempt.handle, now: node.clock.now()) }
        account.joins.removeAll { $0 === join }
        try account.zone.groups.forgetPending(group)
        account.zone.changes.note(.group, group: group)
        return true
    }
}

extension NodeError {
    /// - Parameter group: nil if no copy of it is here.
    fileprivate init(closed group: NodeGroup?, of node: LocalNode) {
        guard let group, let next = group.zone.successor.chosen else {
            self.init(.failed, "this group was closed by its owner: nobody can join it any more")
            return
        }
        let follow = node.command("group follow \(Program.quoted(group.title))", for: group.owner)
        self.init(
            .failed,
            "this group was closed and replaced by the group \(next.group.shortHex)\(advice: ": follow by \(follow)")")
    }
}
