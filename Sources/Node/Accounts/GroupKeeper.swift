import Chat
import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// The groups of a node's accounts. The memberships that an account's devices record decide which stores are open and
/// served. It also keeps the groups that accounts want to join.
package final class GroupKeeper {
    unowned let node: LocalNode

    init(_ node: LocalNode) { self.node = node }

    var place: GroupPlace {
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
                group.zone.accountEnd = group.end
                group.zone.accountPause = account.zone.pause
                if tell(group) { hasNews = true }
                if letIn(group) { hasNews = true }
                if followSuccessor(of: group) { hasNews = true }
                if offerToMissed(in: group) { hasNews = true }
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
        let handle = membership.place
        if let group = (account.groups + account.departing).first(where: { $0.placeID == handle }) {
            let (wasServed, isDeparting) = (group.isServed, account.departing.contains { $0 === group })
            group.update(membership)
            switch (isDeparting, group.isDeparting) {
            case (true, true): return
            case (false, true): return depart(group)
            case (true, false):
                // Another device let the same member in again before the others heard of the leaving.
                account.departing.removeAll { $0 === group }
                add(group)
            case (false, false): break
            }
            if wasServed != group.isServed { setServed(group) }
            return
        }
        retireFormer(membership, of: account)
        if membership.state.isGone {
            let path = place.path(of: membership.group, membership.member.id)
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

    /// Removes this device's copies of what the account was in the group before, since it came again as another member,
    /// here or on another device. The results in them stay as lines. An unreadable copy stays in place, is retried at
    /// the next start, and does not block joining.
    private func retireFormer(_ membership: GroupMembership, of account: NodeAccount) {
        for former in membership.former {
            let handle = GroupZone.handle(group: membership.group, member: former.id)
            do {
                if let open = account.groups.first(where: { $0.placeID == handle }) {
                    try retire(open)
                } else if !account.departing.contains(where: { $0.placeID == handle }),
                    Files.exists(place.path(of: membership.group, former.id))
                {
                    // The node stopped between the account's commit and this step.
                    let before = GroupMembership(
                        genesis: membership.genesis, root: membership.root, member: former, state: .removed,
                        joinedAt: membership.joinedAt, title: membership.title)
                    try retire(try NodeGroup(before, of: account, in: place))
                }
            } catch {
                node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
            }
        }
        // After a rollback the account may be another member: the store waits until the account names it again.
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
        for group in account.departing where group.fault == nil {
            // A store that fails reports that itself, and this is tried again.
            try? group.payLeave()
            guard !group.hasToTell else { continue }
            account.departing.removeAll { $0 === group }
            close(group)
        }
    }

    /// Closes a group together with its account.
    package func close(_ group: NodeGroup) {
        node.server?.leave(group, now: node.clock.now())
        group.delete()
    }

    /// Updates the membership from the group's records, when it ended or was taken up again.
    private func tell(_ group: NodeGroup) -> Bool {
        guard group.fault == nil else { return false }
        if group.isIn, let isNamed = try? group.zone.roster.takeWantedName(wall: node.clock.wall()), isNamed {
            return true
        }
        guard let state = group.newState else { return false }
        var membership = group.membership
        membership.state = state
        membership.title = group.title
        do {
            try group.owner.zone.groups.put(membership)
            if state == .joined {
                try group.zone.membership.noteReturn()
                try group.zone.roster.noteOpening()
            }
        } catch {
            // A failing store reports itself, and this is retried with the next turn that changes anything.
            return false
        }
        return true
    }

    // MARK: Commands

    /// Creates a group. Its store is durable before the account records the membership.
    package func found(title: String, description: String, account: NodeAccount) throws -> NodeGroup {
        try checkRoom(for: account)
        let wall = node.clock.wall()
        var path = ""
        let place = place
        let zone = try GroupZone.found(
            title: title, description: description, person: try person(of: account),
            database: { keys in
                path = place.path(of: keys.zone, keys.member)
                return try Database(path: path)
            }, deviceSecret: node.identity.deviceSecret, random: SystemRandom(), wall: wall)
        let guardFile = GuardFile(databasePath: path)
        try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
        try zone.commit()
        let membership = GroupMembership(zone, after: nil, joinedAt: wall, title: title)
        let group = NodeGroup(
            zone: zone, database: zone.store.database, path: path, membership: membership, owner: account)
        try account.zone.groups.put(membership)
        add(group)
        return group
    }

    /// The person with which the account joins another group.
    func person(of account: NodeAccount) throws -> PersonID {
        let pending = Set(account.joins.map(\.pending.person))
        guard let person = try account.zone.inGroups.persons.unused(besides: pending) else { throw GroupError.noPerson }
        return person
    }

    /// Throws if the account cannot be in one more group on this device.
    func checkRoom(for account: NodeAccount) throws {
        guard !account.zone.membership.isOver else { throw GroupError.deviceRemoved }
        let count = node.accounts.reduce(0) { $0 + $1.groups.count + $1.departing.count + $1.unopenedGroups.count }
        guard count < Limits.groups else {
            throw NodeError(.failed, "a node takes part in at most \(Limits.groups) groups: leave one first")
        }
    }

    /// Leaves the group: tells the members and then, once that is durable, the account's devices. This one's copy is
    /// removed; the others keep theirs until the group is left there too.
    package func leave(_ group: NodeGroup) throws {
        var membership = group.membership
        if group.isIn, group.zone.access == .member || group.zone.access == .suspended {
            try group.zone.roster.leave()
        }
        // The member that let this one in may have told the others.
        let isOnItsWay = group.isIn && group.zone.access == .joining && group.zone.lacking == nil
        try group.note(isOnItsWay ? .owed : .left)
        try group.commit()
        // Perhaps another device left it.
        guard !membership.state.isGone else { return depart(group) }
        membership.state = group.seenState == .deleted || membership.state.isDeleted ? .dropped : .left
        membership.title = group.title
        try group.owner.zone.groups.put(membership)
    }
}
