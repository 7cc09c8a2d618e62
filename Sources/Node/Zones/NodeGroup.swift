package import Chat
import Glibc
import Gossip
package import LeaderboardShare
import Ledger
package import NodeCore
package import SyncState

/// A group of an account of this node, as a member or as a kept copy: its zone and its database.
package final class NodeGroup: NodeZone {
    package let zone: GroupZone
    package let database: Database
    package let path: String
    package unowned let owner: NodeAccount
    package var fault: NodeError?
    package let startFault: NodeError?
    package var tidyAt: MonotonicTime?
    /// The members known to have the results posted here.
    package private(set) var holders: GroupHolders
    /// Scores posted since the start, for followers of the account's change feed.
    package internal(set) var posted = RecentList<PostedScore>(limit: Limits.postedScores)
    /// The content that the account's change feed last heard of; nil if unknown.
    var told: ToldGroup?
    /// The revision of the ledger when this device last tried to follow to the group in which this one continues.
    var followTried: UInt64?
    /// The revision of the ledger at which all members had been offered the group that this one's member offers.
    var offersJudged: UInt64?
    /// When this device first knew of members without an offer.
    var missedSince: WallTime?
    /// Whether this member's results of open days are in that group.
    var hasPostedAgain = false
    /// This member's standing as last logged.
    var toldAccess: GroupAccess?
    /// Whether a peer was there since the group was closed.
    private var isEndSeen = false
    private var hasShownEnd = false
    /// The revisions under which this device last looked after the account's lanes in the group.
    var seenLanes: [UInt64] = []
    /// The rollback count of the account's store when the change feed heard of it.
    var toldAfter: UInt64 = 0
    /// The membership: the join of the account's devices.
    package private(set) var membership: GroupMembership
    /// Whether the user left it on this device. If another device said so, the copy stays.
    private var leaving: Leaving

    enum Leaving {
        case none
        case left
        /// The group's records were not here yet: this device writes that the member left once they are.
        case owed
    }

    package var replicated: any ReplicatedZone { zone }
    package var hasUnflushed: Bool { zone.hasUnwritten }
    /// The account is a member, as far as its devices know, and this device is one of them.
    package var isIn: Bool { end == nil }
    /// The reason that nothing is written to the group from here any more; nil while `isIn`.
    package var end: GroupError? {
        let end = membership.state.end
        // A removed device takes its own removal for that of the member.
        return owner.zone.membership.isOver && (end == nil || end == .expelled) ? .deviceRemoved : end
    }
    /// A member that left on another device opens no sessions: it has a copy. But a deleted group is served, so that
    /// others learn of its end, including those that were away for long; so is one whose members have not learnt yet
    /// that this one left; and one from which it was removed, so that it can ask again.
    package var isServed: Bool {
        [.joined, .removed].contains(membership.state) || membership.state.isDeleted || isDeparting
    }
    /// The user left here, and nobody else may know yet.
    var isDeparting: Bool { membership.state.isGone && leaving != .none }
    package var name: String { "group \(title)" }

    /// The group's title; until its records are here, that of the membership.
    package var title: String { zone.roster.title?.title ?? membership.title }

    init(
        zone: GroupZone, database: Database, path: String, membership: GroupMembership, owner: NodeAccount,
        startFault: NodeError? = nil
    ) {
        self.startFault = startFault
        self.zone = zone
        self.database = database
        self.path = path
        self.membership = membership
        self.owner = owner
        holders = GroupHolders(zone)
        let left = try? zone.store.setting(Self.leftHere)
        leaving = left == Self.owed ? .owed : left?.isEmpty == false ? .left : .none
        zone.store.signatures.worker = HelperThread.shared
        zone.accountEnd = end
        zone.accountPause = owner.zone.pause
        // A group's members can only fill the group's quota.
        try? database.setMost(bytes: owner.settings.groupQuota?.bytes)
    }

    /// Opens or creates the group's store, in a home whose lock is held.
    convenience init(
        _ membership: GroupMembership, of account: NodeAccount, in place: GroupPlace
    ) throws(NodeError) {
        let path = place.path(of: membership.group, membership.member.id)
        do {
            let database = try Database(path: path)
            guard let keys = GroupKeys(membership) else { throw StoreError.damaged("the membership of a group") }
            let zone = try GroupZone(
                database: database, keys: keys, deviceSecret: place.deviceSecret, random: SystemRandom())
            zone.store.setTime(now: place.clock.now(), wall: place.clock.wall())
            let start = StoreStart(zone: zone, guardFile: GuardFile(databasePath: path), home: place.home)
            let fault = try start.run { [unowned zone, guardFile = start.guardFile] in
                try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
            }
            self.init(
                zone: zone, database: database, path: path, membership: membership, owner: account, startFault: fault)
        } catch {
            throw NodeError(cause: error)
        }
    }

    /// Describes an error of the group's store for the user.
    package func fault(_ error: any Error) -> NodeError {
        fault(error, "group", owner.settings.groupQuota?.key ?? .groupQuota)
    }

    /// Does a change after which the store has more room, also at the quota.
    package func makingRoom<T>(_ change: () throws -> T) throws -> T {
        try database.exceedMost()
        do {
            let result = try change()
            // A zone without room takes no part in the turn's commit.
            if fault != nil { try commit() }
            return result
        } catch {
            // Otherwise the next batch from peers could use it.
            database.returnToMost()
            throw error
        }
    }

    /// Remembers which members have what was posted here: those of devices that are level.
    func noteHolds(_ served: ServedZone?) {
        guard fault == nil else { return }
        if zone.state.isClosed, let peers = served?.sync.peers, !peers.isEmpty {
            // A peer that was here before knows it now; one that came since has compared ledgers.
            hasShownEnd = isEndSeen
            isEndSeen = true
        }
        for peer in served?.sync.peers ?? [] where peer.isEqual && holders.note(level: peer.lane, zone) {
            holders.store(in: zone)
        }
    }

    /// True if only this device knows something that others must learn before the store is deleted: that the member
    /// left, or that the owner closed the group. A member that hears of the leaving dismisses this device.
    var hasToTell: Bool {
        if leaving == .owed { return true }
        let state = zone.state
        let hasEnded = zone.access == .left || state.isClosed && state.owner == zone.member
        return hasEnded && !zone.hasTold && !hasShownEnd && state.members.keys.contains { $0 != zone.member }
    }

    private static let leftHere = "left here"
    private static let owed: [UInt8] = [2]

    /// Remembers that the user left here, or is in again.
    func note(_ leaving: Leaving) throws {
        let stored: [UInt8] =
            switch leaving {
            case .none: []
            case .left: [1]
            case .owed: Self.owed
            }
        try zone.store.put(setting: Self.leftHere, stored)
        self.leaving = leaving
    }

    /// Writes the Leave that is owed, once the group's records are here.
    func payLeave() throws {
        guard leaving == .owed, isDeparting, zone.access != .joining else { return }
        zone.accountEnd = nil
        defer { zone.accountEnd = end }
        do {
            if zone.access == .member || zone.access == .suspended { try zone.roster.leave() }
            try note(.left)
            try zone.commit()
        } catch {
            // Nothing of it was stored: it is still owed.
            rollback()
            leaving = .owed
            throw error
        }
    }

    /// Applies a changed membership.
    package func update(_ membership: GroupMembership) {
        self.membership = membership
        if leaving != .none, !membership.state.isGone { try? note(.none) }
    }

    /// This account's present and former members in the group, the present one first.
    package var ownMembers: [GroupMember] {
        let all = zone.roster.members(withRemoved: true)
        return ([zone.member] + membership.former.map(\.id)).compactMap { id in all.first { $0.id == id } }
    }

    /// The membership's state according to the group's own records; the first device to see it tells the account's
    /// others.
    var seenState: GroupMembership.State {
        if zone.state.isClosed { return .deleted }
        return zone.access == .removed ? .removed : .joined
    }

    /// The state that this device must tell the account's others; nil for none. Only a device that had seen the end
    /// tells that it is undone: others may not have heard of it yet.
    var newState: GroupMembership.State? {
        if membership.state == .joined { return seenState == .joined ? nil : seenState }
        guard seenState == .joined else { return nil }
        let isUndone: Bool
        switch membership.state {
        case .removed: isUndone = zone.membership.hasReturned
        case .deleted: isUndone = (try? zone.roster.isOpenAgain) ?? false
        case .joined, .left, .dropped: isUndone = false
        }
        return isUndone ? .joined : nil
    }

    /// Deletes the store permanently.
    package func delete() {
        for suffix in ["", "-wal", "-shm", GuardFile.suffix] { unlink(path + suffix) }
    }
}

/// A group whose store cannot be opened: the others work without it.
package struct UnopenedGroup {
    package let membership: GroupMembership
    package let error: NodeError
}

/// The place of group stores, and the keys to open them.
struct GroupPlace {
    package let home: HomeFolder
    package let deviceSecret: Secret
    package let clock: any Clock

    /// The store of a group, for one of its members.
    package func path(of group: ZoneID, _ member: MemberID) -> String {
        home.databasePath(of: GroupZone.handle(group: group, member: member))
    }
}

extension GroupMembership.State {
    /// The reason that nothing is written to the group any more; nil while the account is a member.
    package var end: GroupError? {
        switch self {
        case .joined: nil
        case .removed: .expelled
        case .left: .departed
        case .deleted, .dropped: .closed
        }
    }
}

extension GroupKeys {
    /// Nil for a membership whose root is not that of its group.
    init?(_ membership: GroupMembership) {
        self.init(
            genesis: membership.genesis, root: membership.root, person: membership.member.person,
            firstLane: membership.member.firstLane)
    }
}

extension GroupMembership {
    /// A new membership of a group, as its zone has it.
    init(
        _ zone: GroupZone, after earlier: GroupMembership?, joinedAt: WallTime, title: String
    ) {
        self.init(
            genesis: zone.keys.genesis, root: zone.keys.firstRoot.secret,
            member: Member(person: zone.keys.person, firstLane: zone.keys.firstLane), after: earlier, state: .joined,
            joinedAt: joinedAt, title: title)
    }

    var place: PlaceID { GroupZone.handle(group: group, member: member.id) }
}

/// The content of a group at one moment: its rows, the control records of its members, roles and invitations, and
/// whether it is paused. Cheap to compare in each turn.
struct ToldGroup: Equatable {
    let rows: ZoneDigest
    /// The ledger's revision, which counts from the start of the node.
    let ledger: UInt64
    let isPaused: Bool
}

/// Reporting changes of a group to the account's change feed.
extension NodeGroup {
    private var toldSetting: String { "told " + placeID.hex }

    /// Notes that the group has changed since the last report, also before this start: the remembered state becomes
    /// durable together with the note.
    ///
    /// - Returns: true if there is something to commit.
    func noteChanges() -> Bool {
        guard fault == nil, owner.fault == nil, !membership.state.isGone else { return false }
        // Collect scores before the feed announces the group's change.
        for score in zone.takePosted() { posted.append(score) }
        let now = ToldGroup(
            rows: zone.store.digest, ledger: zone.membership.records.revision, isPaused: zone.pause != nil)
        let store = owner.zone.store
        // A report in a turn that was rolled back does not count.
        guard told != now || toldAfter != owner.database.rollbackCount else { return false }
        do {
            let held = Array(
                "\(now.rows.hex) \(zone.membership.records.digest.hex)\(now.isPaused ? " paused" : "")".utf8)
            let known = try store.setting(toldSetting)
            told = now
            toldAfter = owner.database.rollbackCount
            guard known != held else { return false }
            try store.put(setting: toldSetting, held)
        } catch {
            // A failing store reports itself on its next use, and this is repeated then.
            told = nil
            return false
        }
        owner.zone.changes.note(.group, group: zone.zone)
        return true
    }
}
