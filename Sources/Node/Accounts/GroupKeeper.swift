import Chat
import Gossip
package import LeaderboardShare
package import NodeCore
import SyncState

/// The groups of a node's accounts. The memberships that an account's devices record decide which stores are open and
/// served. It also keeps the groups that accounts want to join.
package final class GroupKeeper {
    private unowned let node: LocalNode

    init(_ node: LocalNode) { self.node = node }

    private var place: GroupPlace {
        GroupPlace(home: node.home, deviceSecret: node.identity.deviceSecret, clock: node.clock)
    }

    /// Opens, closes and serves groups according to the memberships, and updates the memberships from the groups. True
    /// if the next turn should see a change.
    @discardableResult
    func follow() -> Bool {
        var hasNews = false
        for account in node.accounts where account.fault == nil {
            for membership in account.zone.groups.takeChanged() {
                follow(membership, of: account)
                hasNews = true
            }
            if followJoins(account) { hasNews = true }
            for group in account.groups {
                group.zone.accountPause = account.zone.pause
                if tell(group) { hasNews = true }
                if group.noteChanges() { hasNews = true }
            }
        }
        return hasNews
    }

    /// Retries groups whose stores could not be opened.
    func reopen() {
        for account in node.accounts where account.fault == nil {
            for group in account.unopenedGroups { follow(group.membership, of: account) }
        }
    }

    private func follow(_ membership: GroupMembership, of account: NodeAccount) {
        account.unopenedGroups.removeAll { $0.membership.group == membership.group }
        let handle = GroupPlace.handle(membership, account.zone.keys)
        if let group = (account.groups + account.departing).first(where: { $0.placeID == handle }) {
            let (wasServed, isDeparting) = (group.isServed, account.departing.contains { $0 === group })
            group.update(membership)
            switch (isDeparting, group.isDeparting) {
            case (true, true): return
            case (false, true): return depart(group)
            case (true, false):
                // Another device rejoined with the same key before the others heard of the leaving.
                account.departing.removeAll { $0 === group }
                add(group)
            case (false, false): break
            }
            if wasServed != group.isServed { setServed(group) }
            return
        }
        retireFormer(membership, of: account)
        if membership.state.isGone {
            let path = place.path(of: membership, account.zone.keys)
            let isKnown = account.departing.contains { $0.zone.zone == membership.group }
            // The group was left on another device, or here and the node stopped before the others knew.
            guard !isKnown, Files.exists(path) else { return }
        }
        do {
            let group = try NodeGroup(membership, of: account, in: place)
            if group.isDeparting { depart(group) } else { add(group) }
        } catch {
            setAside(membership, of: account, error)
        }
    }

    private func setAside(_ membership: GroupMembership, of account: NodeAccount, _ error: NodeError) {
        node.errors.note(error.code.rawValue, at: node.clock.wall())
        account.unopenedGroups.append(UnopenedGroup(membership: membership, error: error))
    }

    /// Removes this device's copies under keys that the group removed, since the account rejoined with the next key,
    /// here or on another device. The results in them stay as lines. An unreadable copy stays in place, is retried at
    /// the next start, and does not block joining.
    private func retireFormer(_ membership: GroupMembership, of account: NodeAccount) {
        for former in membership.former {
            let handle = GroupPlace.handle(former, account.zone.keys)
            do {
                if let open = account.groups.first(where: { $0.placeID == handle }) {
                    try retire(open)
                } else if !account.departing.contains(where: { $0.placeID == handle }),
                    Files.exists(place.path(of: former, account.zone.keys))
                {
                    // The node stopped between the account's commit and this step.
                    try retire(try NodeGroup(former, of: account, in: place))
                }
            } catch {
                node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
            }
        }
        // Under a later key, after a rollback: its store waits until the account names it again.
        for other in account.groups where other.zone.zone == membership.group { withdraw(other) }
    }

    /// Removes a group's copy from this device; the member's own results stay as lines.
    func retire(_ group: NodeGroup) throws {
        withdraw(group)
        try LeftScores(home: node.home, handle: group.placeID).write(group)
        group.delete()
    }

    private func withdraw(_ group: NodeGroup) {
        group.owner.groups.removeAll { $0 === group }
        node.server?.leave(group, now: node.clock.now())
    }

    private func setServed(_ group: NodeGroup) {
        guard let server = node.server else { return }
        if group.isServed {
            server.serve(group, now: node.clock.now())
        } else {
            server.leave(group, now: node.clock.now())
        }
    }

    package func add(_ group: NodeGroup) {
        group.owner.groups.append(group)
        group.owner.groups.sort { $0.placeID < $1.placeID }
        if group.isServed, node.server?.served(group) == nil { setServed(group) }
    }

    /// Saves the member's own scores as lines in a file, and removes everything else of the group: at once, or when
    /// somebody else knows what only this device can report.
    private func depart(_ group: NodeGroup) {
        let account = group.owner
        account.groups.removeAll { $0 === group }
        do {
            try LeftScores(home: node.home, handle: group.placeID).write(group)
        } catch {
            // The group's file stays in place, and this is retried at the next start.
            node.errors.note("left-scores", at: node.clock.wall())
            node.server?.leave(group, now: node.clock.now())
            return
        }
        guard group.hasToTell else { return close(group) }
        account.departing.append(group)
        if node.server?.served(group) == nil { setServed(group) }
    }

    /// Removes groups once others know that they ended.
    func endDepartures(_ account: NodeAccount) {
        for group in account.departing where group.fault == nil && !group.hasToTell {
            account.departing.removeAll { $0 === group }
            close(group)
        }
    }

    /// Closes a group together with its account.
    package func close(_ group: NodeGroup) {
        node.server?.leave(group, now: node.clock.now())
        group.delete()
    }

    /// Updates the membership from the group's records: that it ended, or has newer keys.
    private func tell(_ group: NodeGroup) -> Bool {
        guard group.isIn, group.fault == nil else { return false }
        if let isNamed = try? group.zone.takeWantedName(wall: node.clock.wall()), isNamed { return true }
        // Keep the roots of the account's other devices: they may have started epochs unknown here.
        let roots = group.membership.roots(joined: group.zone.membershipRoots)
        let state = group.seenState
        guard state != .joined || roots != nil else { return false }
        var membership = group.membership
        membership.state = state
        membership.title = group.title
        if let roots { membership.roots = roots }
        do {
            try group.owner.zone.groups.put(membership)
        } catch {
            // A failing store reports itself, and this is retried with the next turn that changes anything.
            return false
        }
        return true
    }

    // MARK: Commands

    /// Creates a group. Its store is durable before the account records the membership.
    package func found(title: String, description: String, account: NodeAccount) throws -> NodeGroup {
        try checkRoom()
        var random = SystemRandom()
        let context: Bytes32 = random.identifier()
        let wall = node.clock.wall()
        let seed = account.zone.keys.memberSeed(context: context, removals: 0)
        let place = place
        let zone = try GroupZone.found(
            title: title, description: description, database: { try Database(path: place.path(of: $0, seed)) },
            memberSeed: seed, deviceSecret: node.identity.deviceSecret, random: random, wall: wall)
        let path = place.path(of: zone.zone, seed)
        let guardFile = GuardFile(databasePath: path)
        try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
        try zone.commit()
        let membership = GroupMembership(
            group: zone.zone, context: context, state: .joined, joinedAt: wall, title: title,
            roots: zone.membershipRoots)
        let group = NodeGroup(
            zone: zone, database: zone.store.database, path: path, membership: membership, owner: account)
        try account.zone.groups.put(membership)
        add(group)
        return group
    }

    private func checkRoom() throws(NodeError) {
        let count = node.accounts.reduce(0) { $0 + $1.groups.count + $1.departing.count + $1.unopenedGroups.count }
        guard count < Limits.groups else {
            throw NodeError(.failed, "a node takes part in at most \(Limits.groups) groups: leave one first")
        }
    }

    /// Leaves the group: tells the members and then, once that is durable, the account's devices. This one's copy is
    /// removed; the others keep theirs until the group is left there too.
    package func leave(_ group: NodeGroup) throws {
        var membership = group.membership
        if group.isIn, group.zone.access == .member || group.zone.access == .suspended { try group.zone.leave() }
        try group.noteLeft(true)
        try group.commit()
        // Perhaps another device left it.
        guard !membership.state.isGone else { return depart(group) }
        membership.state = group.seenState == .deleted || membership.state.isDeleted ? .dropped : .left
        membership.title = group.title
        try group.owner.zone.groups.put(membership)
    }

    /// The account's group with that id, beginning of an id, or title.
    package func group(named name: String, of account: NodeAccount) throws(NodeError) -> NodeGroup {
        let wanted = name.lowercased()
        var found = account.groups.filter { $0.zone.zone.hex == wanted }
        if found.isEmpty { found = account.groups.filter { $0.title.lowercased() == wanted } }
        if found.isEmpty, wanted.utf8.count >= 4 {
            found = account.groups.filter { $0.zone.zone.hex.hasPrefix(wanted) }
        }
        // Groups that work come first; a broken one must not hide them.
        if found.isEmpty, let unopened = account.unopenedGroups.first(where: { $0.isMeant(by: wanted) }) {
            throw unopened.error
        }
        guard let group = found.first else {
            throw NodeError(.notFound, "there is no group `\(name)`\(advice: "; see `kachat-node group list`")")
        }
        guard found.count == 1 else {
            let ids = found.map { $0.zone.zone.shortHex }.joined(separator: ", ")
            throw NodeError(.usage, "`\(name)` matches several groups: give the beginning of an id: \(ids)")
        }
        if let fault = group.fault { throw fault }
        return group
    }

    // MARK: Joining

    /// Loads the joins that an account stored before the node started.
    func loadJoins(_ account: NodeAccount) {
        let kept = (try? account.zone.groups.pendingJoins()) ?? []
        account.joins = kept.compactMap { NodeJoin(stored: $0.content, account: account) }
    }

    /// Starts joining a token's group; a restart continues it.
    ///
    /// - Throws: `NodeError` or `TokenError` if joining is pointless; then nothing is written.
    package func join(_ token: GroupToken, name: String?, account: NodeAccount) throws -> NodeJoin {
        try token.checkUsable(now: node.clock.wall())
        let known = account.zone.groups.membership(of: token.group)
        switch known?.state {
        case .joined where !hasLapsed(token.group, account):
            throw NodeError(.failed, "you are already in this group: \(known?.title ?? token.title)")
        case .deleted, .dropped: throw NodeError(.failed, "this group was deleted by its owner")
        case .joined, .removed, .left, nil: break
        }
        if let name { guard GroupTitle.isAcceptable(title: name) else { throw ScoreError.badName } }
        try checkRoom()
        let removals = known.map { $0.removals + ($0.state == .removed ? 1 : 0) } ?? 0
        let pending = PendingJoin(token: token, removals: removals, since: node.clock.wall())
        let join = NodeJoin(pending, name: name, account: account)
        try forgetJoin(of: token.group, account)
        try account.zone.groups.keep(pending: join.encoded, for: token.group)
        account.joins.append(join)
        followJoins(account)
        return join
    }

    /// True if the account counts itself a member, but the members disagree.
    private func hasLapsed(_ group: ZoneID, _ account: NodeAccount) -> Bool {
        let access = account.groups.first { $0.zone.zone == group }?.zone.access
        return access == .lapsed || access == .left
    }

    /// Seeks members for an account's joins, unless it is paused, and handles the outcomes. True if a join is over.
    @discardableResult
    func followJoins(_ account: NodeAccount) -> Bool {
        guard let server = node.server, account.fault == nil else { return false }
        var hasNews = false
        for join in account.joins {
            if case .waiting = join.attempt.state {
                let mustSeek = account.zone.pause == nil
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
        case .refused(.removedKey) where join.takeNextKey(account):
            try account.zone.groups.keep(pending: join.encoded, for: join.group)
        case .refused(let reason):
            account.joins.removeAll { $0 === join }
            account.refusedJoins[join.group] = reason
            try account.zone.groups.forgetPending(join.group)
        }
    }

    /// Makes the group's store durable before the account records the membership.
    private func open(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws {
        // Another device has rejoined with a later key: the owner removed this one.
        if let known = account.zone.groups.membership(of: join.group), known.removals > join.pending.removals { return }
        let seed = join.seed(account)
        let group = try reopened(welcome, join, account) ?? opened(welcome, join, account)
        if let name = join.name { try group.zone.want(name: name) }
        try group.zone.commit()
        let membership = GroupMembership(
            group: join.group, context: join.context(account), removals: join.pending.removals, state: .joined,
            joinedAt: node.clock.wall(), title: join.pending.token.title, roots: group.zone.membershipRoots)
        try account.zone.groups.put(membership)
        group.update(membership)
        add(group)
        let handle = GroupPlace.handle(join.group, seed)
        if let address = welcome.address { node.server?.machine.meet(zone: handle, at: address, now: node.clock.now()) }
    }

    /// The existing copy, if this member's key is back: what it wrote in between is kept.
    private func reopened(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws -> NodeGroup? {
        let handle = GroupPlace.handle(join.group, join.seed(account))
        guard let group = (account.groups + account.departing).first(where: { $0.placeID == handle }) else {
            return nil
        }
        try group.zone.take(welcome)
        account.groups.removeAll { $0 === group }
        account.departing.removeAll { $0 === group }
        return group
    }

    private func opened(_ welcome: GroupWelcome, _ join: NodeJoin, _ account: NodeAccount) throws -> NodeGroup {
        let seed = join.seed(account)
        let path = place.path(of: join.group, seed)
        // A copy from before this member rejoined with another key.
        for old in account.groups where old.zone.zone == join.group { try retire(old) }
        let database = try Database(path: path)
        let zone = try GroupZone.join(
            welcome, database: database, memberSeed: seed, deviceSecret: node.identity.deviceSecret,
            random: SystemRandom())
        zone.store.setTime(now: node.clock.now(), wall: node.clock.wall())
        let guardFile = GuardFile(databasePath: path)
        try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
        let membership = GroupMembership(
            group: join.group, context: join.context(account), removals: join.pending.removals, state: .joined,
            joinedAt: node.clock.wall(), title: join.pending.token.title, roots: zone.membershipRoots)
        return NodeGroup(zone: zone, database: database, path: path, membership: membership, owner: account)
    }

    /// Cancels a join. False if there was none.
    @discardableResult
    package func forgetJoin(of group: ZoneID, _ account: NodeAccount) throws -> Bool {
        account.refusedJoins[group] = nil
        guard let join = account.joins.first(where: { $0.group == group }) else { return false }
        if join.isSeeking { node.server?.machine.remove(rendezvous: join.attempt.handle, now: node.clock.now()) }
        account.joins.removeAll { $0 === join }
        try account.zone.groups.forgetPending(group)
        return true
    }
}
