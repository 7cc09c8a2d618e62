package import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// The groups of the accounts. The memberships recorded by an account's devices determine which stores are open and for
/// which groups sessions are opened.
extension LocalNode {
    var groupPlace: GroupPlace {
        GroupPlace(home: home, deviceSecret: identity.deviceSecret, clock: clock)
    }

    /// Opens, closes and serves groups according to the memberships, and copies news from the groups into the accounts.
    /// True if anything changed that the next turn should process.
    @discardableResult
    func followGroups() -> Bool {
        var hasNews = false
        for account in accounts where account.fault == nil {
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
    func reopenGroups() {
        for account in accounts {
            for group in account.unopenedGroups { follow(group.membership, of: account) }
        }
    }

    private func follow(_ membership: GroupMembership, of account: NodeAccount) {
        account.unopenedGroups.removeAll { $0.membership.group == membership.group }
        let handle = GroupPlace.handle(membership, account.zone.keys)
        if let group = (account.groups + account.departing).first(where: { $0.placeID == handle }) {
            let (wasServed, isDeparting) = (group.isServed, account.departing.contains { $0 === group })
            group.update(membership)
            switch (isDeparting, membership.state.isGone) {
            case (true, true): return
            case (false, true): return depart(group)
            case (true, false):
                // Another device came back with the same key before the others heard of the leaving.
                account.departing.removeAll { $0 === group }
                add(group)
            case (false, false): break
            }
            if wasServed != group.isServed { setServed(group) }
            return
        }
        retireFormer(membership, of: account)
        if membership.state.isGone {
            let path = groupPlace.path(of: membership, account.zone.keys)
            let isKnown = account.departing.contains { $0.zone.zone == membership.group }
            // The account left the group, and the node stopped before the others knew.
            guard !isKnown, Files.exists(path) else { return }
        }
        do {
            let group = try NodeGroup(membership, of: account, in: groupPlace)
            if membership.state.isGone { depart(group) } else { add(group) }
        } catch {
            setAside(membership, of: account, error)
        }
    }

    private func setAside(_ membership: GroupMembership, of account: NodeAccount, _ error: NodeError) {
        errors.note(error.code.rawValue, at: clock.wall())
        account.unopenedGroups.append(UnopenedGroup(membership: membership, error: error))
    }

    /// Removes copies that the account had under keys which the group removed, after it returned with a new key, here
    /// or on another device. Its own results stay as lines. A copy that cannot be read stays where it is and is retried
    /// at the next start; it does not block the group.
    private func retireFormer(_ membership: GroupMembership, of account: NodeAccount) {
        for former in membership.former {
            let handle = GroupPlace.handle(former, account.zone.keys)
            do {
                if let open = account.groups.first(where: { $0.placeID == handle }) {
                    try retire(open)
                } else if !account.departing.contains(where: { $0.placeID == handle }),
                    Files.exists(groupPlace.path(of: former, account.zone.keys))
                {
                    // The node stopped between the account's commit and this.
                    try retire(try NodeGroup(former, of: account, in: groupPlace))
                }
            } catch {
                errors.note(NodeError(cause: error).code.rawValue, at: clock.wall())
            }
        }
        // It belongs to a later key, after a rollback: its store waits until the account knows that key again.
        for other in account.groups where other.zone.zone == membership.group {
            account.groups.removeAll { $0 === other }
            server?.leave(other, now: clock.now())
        }
    }

    /// Deletes a group's copy from this device; the member's own results stay as lines.
    func retire(_ group: NodeGroup) throws {
        group.owner.groups.removeAll { $0 === group }
        server?.leave(group, now: clock.now())
        try LeftScores(home: home, handle: group.placeID).write(group)
        group.delete()
    }

    private func setServed(_ group: NodeGroup) {
        guard let server else { return }
        if group.isServed {
            server.serve(group, now: clock.now())
        } else {
            server.leave(group, now: clock.now())
        }
    }

    package func add(_ group: NodeGroup) {
        group.owner.groups.append(group)
        group.owner.groups.sort { $0.placeID < $1.placeID }
        if group.isServed, server?.served(group) == nil { setServed(group) }
    }

    /// Saves the member's own scores as lines in a file, and deletes the rest of the group from this device: at once,
    /// or when somebody else knows what only this device can tell.
    private func depart(_ group: NodeGroup) {
        let account = group.owner
        account.groups.removeAll { $0 === group }
        do {
            try LeftScores(home: home, handle: group.placeID).write(group)
        } catch {
            // The group's file then stays where it is, and this is retried at the next start.
            errors.note("left-scores", at: clock.wall())
            server?.leave(group, now: clock.now())
            return
        }
        guard group.hasToTell else {
            server?.leave(group, now: clock.now())
            group.delete()
            return
        }
        account.departing.append(group)
        if server?.served(group) == nil { setServed(group) }
    }

    /// Deletes the groups whose end the other members know by now.
    func endDepartures(_ account: NodeAccount) {
        for group in account.departing where group.fault == nil && !group.hasToTell {
            account.departing.removeAll { $0 === group }
            server?.leave(group, now: clock.now())
            group.delete()
        }
    }

    /// Closes a group together with its account.
    package func close(_ group: NodeGroup) {
        server?.leave(group, now: clock.now())
        group.delete()
    }

    /// Copies changes of the membership from the group to the account's devices: that it ended, or has newer keys.
    private func tell(_ group: NodeGroup) -> Bool {
        guard group.isIn, group.fault == nil else { return false }
        if let isNamed = try? group.zone.takeWantedName(wall: clock.wall()), isNamed { return true }
        // Roots from the account's other devices stay: they may have begun epochs that are unknown here.
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
            // A failing store reports itself, and this is repeated with the next turn that changes anything.
            return false
        }
        return true
    }

    // MARK: Commands

    /// Creates a group. Its store is durable before the account refers to it.
    package func found(title: String, description: String, account: NodeAccount) throws -> NodeGroup {
        guard groupCount < Limits.groups else {
            throw NodeError(.failed, "a node takes part in at most \(Limits.groups) groups: leave one first")
        }
        var random = SystemRandom()
        let context: Bytes32 = random.identifier()
        let wall = clock.wall()
        let seed = account.zone.keys.memberSeed(context: context, removals: 0)
        let place = groupPlace
        let zone = try GroupZone.found(
            title: title, description: description, database: { try Database(path: place.path(of: $0, seed)) },
            memberSeed: seed, deviceSecret: identity.deviceSecret, random: random, wall: wall)
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

    var groupCount: Int {
        accounts.reduce(0) { $0 + $1.groups.count + $1.departing.count + $1.unopenedGroups.count }
    }

    /// Ends the membership on all devices of the account: tells the members, and once that is durable, the account's
    /// devices. The copy of a deleted group is removed.
    package func leave(_ group: NodeGroup) throws {
        var membership = group.membership
        membership.state = group.seenState == .deleted || membership.state == .deleted ? .dropped : .left
        membership.title = group.title
        if group.isIn, group.zone.access == .member || group.zone.access == .suspended { try group.zone.leave() }
        try group.commit()
        try group.owner.zone.groups.put(membership)
    }

    /// The results kept from a group that was left, for each key that the account had there, latest first.
    package func leftScores(of membership: GroupMembership, _ account: NodeAccount) -> [LeftScores] {
        (0...membership.removals).reversed().prefix(Limits.leftKeys).map { removals in
            let seed = account.zone.keys.memberSeed(context: membership.context, removals: removals)
            return LeftScores(home: home, handle: GroupPlace.handle(membership.group, seed))
        }.filter { Files.exists($0.path) }
    }

    /// Finds a group of the account by its id, a prefix of it, or its title.
    package func group(named name: String, of account: NodeAccount) throws(NodeError) -> NodeGroup {
        let wanted = name.lowercased()
        var found = account.groups.filter { $0.zone.zone.hex == wanted }
        if found.isEmpty { found = account.groups.filter { $0.title.lowercased() == wanted } }
        if found.isEmpty, wanted.utf8.count >= 4 {
            found = account.groups.filter { $0.zone.zone.hex.hasPrefix(wanted) }
        }
        // Working groups take precedence, so that a broken one cannot block them.
        if found.isEmpty, let unopened = account.unopenedGroups.first(where: { $0.isMeant(by: wanted) }) {
            throw unopened.error
        }
        guard let group = found.first else {
            throw NodeError(.notFound, "there is no group `\(name)`; see `kachat-node group list`")
        }
        guard found.count == 1 else {
            let ids = found.map { $0.zone.zone.shortHex }.joined(separator: ", ")
            throw NodeError(.usage, "several groups are meant by `\(name)`: give the beginning of an id: \(ids)")
        }
        if let fault = group.fault { throw fault }
        return group
    }
}
