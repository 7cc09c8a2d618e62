package import Chat
import Glibc
package import LeaderboardShare
package import NodeCore
package import SyncState

/// A group that an account of this node is in, or of which it keeps a copy: its zone, and the database beneath it.
package final class NodeGroup: NodeZone {
    package let zone: GroupZone
    package let database: Database
    package let path: String
    package unowned let owner: NodeAccount
    package var fault: NodeError?
    package let startFault: NodeError?
    package var tidyAt: MonotonicTime?
    /// Which members are known to have what was posted here.
    package private(set) var holders: GroupHolders
    /// What was held when the account's change feed was told of the group last; nil while that is not known.
    var toldDigest: ZoneDigest?
    /// How many rollbacks the account's store had had by then.
    var toldAfter: UInt64 = 0
    /// What the account's devices say together of the membership.
    package private(set) var membership: GroupMembership

    package var replicated: any ReplicatedZone { zone }
    package var hasUnflushed: Bool { zone.hasUnwritten }
    /// The account is in the group, as far as its devices know.
    package var isIn: Bool { membership.state == .joined }
    /// Who was removed meets nobody: what is here is a copy. The others of a deleted group are still to hear of its
    /// end, also those who were away for long; and of a member's leaving.
    package var isServed: Bool { isIn || membership.state == .deleted || isDeparting }
    /// The user left, and nobody else knows yet.
    var isDeparting: Bool { membership.state.isGone }
    package var name: String { "group \(title)" }

    /// As the group has it; until its records are here, as the membership has it.
    package var title: String { zone.state.title?.title ?? membership.title }

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
        zone.worker = HelperThread.shared
        zone.accountEnd = membership.state.end
        zone.accountPause = owner.zone.pause
        // As for the account's own store: a group's members fill a bound of the group's.
        try? database.setMost(bytes: owner.settings.storageQuota)
    }

    /// Opens the group's store, or makes it, in a home whose lock is held.
    convenience init(
        _ membership: GroupMembership, of account: NodeAccount, in place: GroupPlace
    ) throws(NodeError) {
        let seed = account.zone.keys.memberSeed(membership)
        let path = place.path(of: membership.group, seed)
        do {
            let database = try Database(path: path)
            let zone = try GroupZone.open(
                membership.group, roots: membership.roots, database: database,
                memberSeed: seed, deviceSecret: place.deviceSecret, random: SystemRandom())
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

    /// A device is level: what was posted here is there.
    package func note(level lane: LaneID) {
        if holders.note(level: lane, zone) { holders.store(in: zone) }
    }

    /// What this device alone knows, and the others have to hear before the store goes: that the member left, or that
    /// the owner deleted the group.
    var hasToTell: Bool {
        let state = zone.state
        let hasEnded = zone.access == .left || state.isClosed && state.owner == zone.member
        guard hasEnded, !zone.isKnownToHaveLeft, state.members.keys.contains(where: { $0 != zone.member }) else {
            return false
        }
        let head = zone.store.own.head
        return head > 0 && holders.members(holding: zone.lane, seq: head).isEmpty
    }

    /// Takes over what is said of the membership now.
    package func update(_ membership: GroupMembership) {
        self.membership = membership
        zone.accountEnd = membership.state.end
        // What cannot be kept now is told again at the next start.
        try? zone.take(roots: membership.roots)
    }

    /// The members that the account was in the group before it was removed, the latest first.
    var formerMembers: [MemberID] {
        membership.former.map { MemberID(Ed25519.KeyPair(seed: owner.zone.keys.memberSeed($0)).publicKey) }
    }

    /// Who this account is and was in the group: the present member first.
    package var ownMembers: [GroupMember] {
        let all = zone.memberList(withRemoved: true)
        return ([zone.member] + formerMembers).compactMap { id in all.first { $0.id == id } }
    }

    /// The membership's state as the group's own records say it: told to the account's other devices by who sees it.
    var seenState: GroupMembership.State {
        if zone.state.isClosed { return .deleted }
        return zone.isOver ? .removed : .joined
    }

    /// Takes the store away for ever.
    package func delete() {
        for suffix in ["", "-wal", "-shm", GuardFile.suffix] { unlink(path + suffix) }
    }
}

/// Where groups lie, and as whom they are opened.
struct GroupPlace {
    package let home: HomeFolder
    package let deviceSecret: Secret
    package let clock: any Clock

    /// Of the store of a group, of the member with that seed.
    package func path(of group: ZoneID, _ memberSeed: Secret) -> String {
        home.databasePath(of: Self.handle(group, memberSeed))
    }

    /// Of the store of a group, as a membership has it.
    package func path(of membership: GroupMembership, _ keys: AccountKeys) -> String {
        path(of: membership.group, keys.memberSeed(membership))
    }

    /// What a node calls the zone of a membership's member.
    package static func handle(_ membership: GroupMembership, _ keys: AccountKeys) -> PlaceID {
        handle(membership.group, keys.memberSeed(membership))
    }

    /// What a node calls the zone of the member with that seed.
    package static func handle(_ group: ZoneID, _ memberSeed: Secret) -> PlaceID {
        GroupZone.handle(group: group, member: MemberID(Ed25519.KeyPair(seed: memberSeed).publicKey))
    }
}

extension GroupMembership.State {
    /// Why nothing is written in the group any more; nil while the account is in.
    package var end: GroupError? {
        switch self {
        case .joined: nil
        case .removed: .expelled
        case .left: .departed
        case .deleted, .dropped: .closed
        }
    }
}

extension GroupMembership {
    /// The memberships under keys that the group removed, the latest first; bounded by `Limits.leftKeys`.
    package var former: [GroupMembership] {
        (0..<removals).suffix(Limits.leftKeys).reversed().map { removals in
            GroupMembership(
                group: group, context: context, removals: removals, state: .removed, joinedAt: joinedAt, title: title,
                roots: roots)
        }
    }
}
