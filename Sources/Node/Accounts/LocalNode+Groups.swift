package import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// The groups of the accounts: what the accounts' devices say of their memberships decides which stores are open and
/// for which peers are met.
extension LocalNode {
    var groupPlace: GroupPlace {
        GroupPlace(home: home, deviceSecret: identity.deviceSecret, clock: clock)
    }

    /// Opens, closes and serves groups as the memberships say, and tells the accounts what the groups say themselves.
    /// True if anything changed that the next turn should see.
    @discardableResult
    func followGroups() -> Bool {
        var hasNews = false
        for account in accounts where account.fault == nil {
            if account.followedMemberships != account.zone.groups.revision {
                account.followedMemberships = account.zone.groups.revision
                for membership in account.zone.groups.all { follow(membership, of: account) }
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

    /// Tries the groups again whose stores could not be opened.
    func reopenGroups() {
        for account in accounts where !account.unopenedGroups.isEmpty { account.followedMemberships = nil }
        followGroups()
    }

    private func follow(_ membership: GroupMembership, of account: NodeAccount) {
        account.unopenedGroups.removeAll { $0.membership.group == membership.group }
        let handle = GroupPlace.handle(membership, account.zone.keys)
        if let group = account.groups.first(where: { $0.placeID == handle }) {
            let wasServed = group.isServed
            group.update(membership)
            if membership.state.isGone { return depart(group) }
            if wasServed != group.isServed { setServed(group) }
            return
        }
        retireFormer(membership, of: account)
        if membership.state.isGone {
            let path = groupPlace.path(of: membership, account.zone.keys)
            let isKnown = account.departing.contains { $0.zone.zone == membership.group }
            // It was left, and the node stopped before the others knew.
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

    /// Takes the copies off this device that the account had under keys which the group removed: it came back with
    /// the next one, here or on another device. The results in them stay as lines. A copy that cannot be read stays
    /// where it is, is tried again at the next start, and keeps nobody out of the group.
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
        // Of a later key, after a roll-back: its store waits until the account speaks of it again.
        for other in account.groups where other.zone.zone == membership.group {
            account.groups.removeAll { $0 === other }
            network?.leave(other, now: clock.now())
        }
    }

    /// Takes a group's copy off this device; the member's own results stay as lines.
    func retire(_ group: NodeGroup) throws {
        group.owner.groups.removeAll { $0 === group }
        network?.leave(group, now: clock.now())
        try LeftScores(home: home, handle: group.placeID).write(group)
        group.delete()
    }

    private func setServed(_ group: NodeGroup) {
        guard let network else { return }
        if group.isServed {
            network.serve(group, now: clock.now())
        } else {
            network.leave(group, now: clock.now())
        }
    }

    package func add(_ group: NodeGroup) {
        group.owner.groups.append(group)
        group.owner.groups.sort { $0.placeID < $1.placeID }
        if group.isServed, network?.served(group) == nil { setServed(group) }
    }

    /// Keeps the member's own scores as lines in a file, and takes all else of the group off this device: at once, or
    /// when somebody else knows what only this device can tell.
    private func depart(_ group: NodeGroup) {
        let account = group.owner
        account.groups.removeAll { $0 === group }
        do {
            try LeftScores(home: home, handle: group.placeID).write(group)
        } catch {
            // The group's file then stays where it is, and this is tried again at the next start.
            errors.note("left-scores", at: clock.wall())
            network?.leave(group, now: clock.now())
            return
        }
        guard group.hasToTell else {
            network?.leave(group, now: clock.now())
            group.delete()
            return
        }
        account.departing.append(group)
        if network?.served(group) == nil { setServed(group) }
    }

    /// Takes the groups off this device of whose end the others know by now.
    func endDepartures(_ account: NodeAccount) {
        for group in account.departing where group.fault == nil && !group.hasToTell {
            account.departing.removeAll { $0 === group }
            network?.leave(group, now: clock.now())
            group.delete()
        }
    }

    /// Takes a group off this node together with its account.
    package func close(_ group: NodeGroup) {
        network?.leave(group, now: clock.now())
        group.delete()
    }

    /// Tells the account's devices what the group says of the membership: that it ended, or has newer keys.
    private func tell(_ group: NodeGroup) -> Bool {
        guard group.isIn, group.fault == nil else { return false }
        if let isNamed = try? group.zone.takeWantedName(wall: clock.wall()), isNamed { return true }
        // Those of the account's other devices stay: they may have begun epochs that are not known here.
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
            // A store that fails says so by itself, and this is told again with the next turn that changes anything.
            return false
        }
        return true
    }

    // MARK: Commands

    /// Founds a group. Its store is durable before the account speaks of it.
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
        account.followedMemberships = account.zone.groups.revision
        add(group)
        return group
    }

    var groupCount: Int {
        accounts.reduce(0) { $0 + $1.groups.count + $1.departing.count + $1.unopenedGroups.count }
    }

    /// Says that the account is no longer in the group, on none of its devices: to the members, and then, once that is
    /// durable, to the account's devices. Of a deleted group the copy goes.
    package func leave(_ group: NodeGroup) throws {
        var membership = group.membership
        membership.state = group.seenState == .deleted || membership.state == .deleted ? .dropped : .left
        membership.title = group.title
        if group.isIn, group.zone.access == .member || group.zone.access == .suspended { try group.zone.leave() }
        try group.commit()
        try group.owner.zone.groups.put(membership)
    }

    /// What stays of a group that was left, by each key that the account had there, the latest first.
    package func leftScores(of membership: GroupMembership, _ account: NodeAccount) -> [LeftScores] {
        (0...membership.removals).reversed().prefix(Limits.leftKeys).map { removals in
            let seed = account.zone.keys.memberSeed(context: membership.context, removals: removals)
            return LeftScores(home: home, handle: GroupPlace.handle(membership.group, seed))
        }.filter { Files.exists($0.path) }
    }

    /// The group of the account that is meant: by its id, the beginning of it, or its title.
    package func group(named name: String, of account: NodeAccount) throws(NodeError) -> NodeGroup {
        let wanted = name.lowercased()
        var found = account.groups.filter { $0.zone.zone.hex == wanted }
        if found.isEmpty { found = account.groups.filter { $0.title.lowercased() == wanted } }
        if found.isEmpty, wanted.utf8.count >= 4 {
            found = account.groups.filter { $0.zone.zone.hex.hasPrefix(wanted) }
        }
        // Those that work are meant first: one that does not must not bar them.
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

/// A group whose store cannot be opened: the others work without it.
package struct UnopenedGroup {
    package let membership: GroupMembership
    package let error: NodeError

    /// - Parameter wanted: an id, the beginning of one, or a title; in lower case.
    package func isMeant(by wanted: String) -> Bool {
        membership.title.lowercased() == wanted || wanted.utf8.count >= 4 && membership.group.hex.hasPrefix(wanted)
    }
}
