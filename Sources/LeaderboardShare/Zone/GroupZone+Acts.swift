package import NodeCore
package import SyncState

/// Writing to the group. The zone chooses the giving to cite and the records to name, so that an honest device gets
/// them right.
extension GroupZone {
    /// Creates a group: its genesis, this device's certificate, and its title.
    ///
    /// - Parameter database: opens the store for the group with that id, which follows from its first record.
    package static func found(
        title: String, description: String = "", database: (ZoneID) throws -> Database, memberSeed: Secret,
        deviceSecret: Secret, random: any RandomSource, wall: WallTime, memberLimit: UInt32 = 500
    ) throws -> GroupZone {
        let name = GroupTitle(number: 1, title: title, description: description)
        guard name.isAcceptable else { throw GroupError.badTitle }
        var random = random
        let key = Ed25519.KeyPair(seed: memberSeed)
        let owner = MemberID(key.publicKey)
        let root = Secret(random: &random, count: 32)
        let genesis = Genesis(
            random: random.identifier(), createdAt: wall, memberLimit: memberLimit,
            rootCommitment: Genesis.commitment(to: root))
        let record = ControlRecord(
            group: genesis.groupID(owner: owner), by: owner, under: .zero, claimedAt: wall, nonce: 0,
            act: .genesis(genesis), sign: key.sign)
        let zone = try GroupZone(
            database: try database(record.group), group: record.group,
            first: GroupEpoch(record: record.hash, root: root),
            memberSeed: memberSeed, deviceSecret: deviceSecret, random: random.split())
        zone.store.setTime(now: .zero, wall: wall)
        try zone.put(record)
        try zone.write(.title(name), under: record.hash)
        try zone.settle()
        return zone
    }

    /// Opens the zone of a member that knows these roots, with whatever its store has of the group.
    package static func open(
        _ group: ZoneID, roots: [EpochRoot], database: Database, memberSeed: Secret,
        deviceSecret: Secret, random: any RandomSource
    ) throws -> GroupZone {
        let epochs = roots.map { GroupEpoch(record: $0.record, root: $0.root) }
        guard let first = epochs.first else { throw GroupError.rootMissing }
        let zone = try GroupZone(
            database: database, group: group, first: first, memberSeed: memberSeed, deviceSecret: deviceSecret,
            random: random)
        for epoch in epochs.dropFirst() where try zone.hold(epoch) { zone.ring.use(epoch) }
        return zone
    }

    /// The roots that another device of the account needs to take part: the first one, and the newest ones held.
    package var membershipRoots: [EpochRoot] {
        let epochs = welcome.epochs
        let kept = epochs.prefix(1) + epochs.dropFirst().suffix(SyncState.Limits.membershipRoots - 1)
        return kept.map { EpochRoot(record: $0.record, root: $0.root) }
    }

    /// Creates the zone of a newly admitted member: it knows the roots, and learns everything else from the other
    /// members.
    package static func join(
        _ welcome: GroupWelcome, database: Database, memberSeed: Secret, deviceSecret: Secret,
        random: any RandomSource
    ) throws -> GroupZone {
        let zone = try GroupZone(
            database: database, group: welcome.group, first: welcome.epochs[0], memberSeed: memberSeed,
            deviceSecret: deviceSecret, random: random)
        for epoch in welcome.epochs.dropFirst() { _ = try zone.hold(epoch) }
        zone.ring.use(welcome.epochs[welcome.epochs.count - 1])
        try zone.keep(vouchers: welcome.vouchers)
        return zone
    }

    /// Adds roots known to another device of the account; a root that does not match its record is dropped later.
    package func take(roots: [EpochRoot]) throws {
        for root in roots { _ = try hold(GroupEpoch(record: root.record, root: root.root)) }
    }

    // MARK: Acts

    /// Signs and writes a control record.
    @discardableResult
    func write(_ act: ControlAct, under: RecordHash) throws -> ControlRecord {
        var nonce: UInt64 = 0
        withUnsafeMutableBytes(of: &nonce) { random.fill($0) }
        let record = ControlRecord(
            group: zone, by: member, under: under, claimedAt: store.wall, nonce: nonce, act: act,
            sign: memberKey.sign)
        try put(record)
        return record
    }

    func put(_ record: ControlRecord) throws {
        try put(.control(record), names: record.externalNames)
    }

    /// Writes a record to this device's lane.
    func put(_ content: GroupRecord, names: [UInt8]? = nil) throws {
        guard let meta = content.meta, let slot = content.slotName else {
            preconditionFailure("invariant: what is written can be read")
        }
        guard let read = try? GroupRecord(meta, hasBlob: names != nil) else { throw RecordRejection.malformedFields }
        guard let names else {
            try store.write(meta, of: read, slotName: Array(slot.utf8), kind: .immutable)
            return
        }
        try store.write(meta, of: read, slotName: Array(slot.utf8), kind: .immutable) { header in
            self.ring.sealNames(names, header: header, random: &self.random)
        }
    }

    /// The giving under which this member acts as an admin or, with `isOwners`, as the owner.
    private func authority(isOwners: Bool = false) throws -> RecordHash {
        try checkMember()
        guard let authority = state.authority(of: member), !isOwners || state.owner == member else {
            throw GroupError.notAllowed
        }
        return authority
    }

    /// Throws if the others would not accept records of this member.
    func checkMember(_ need: Role = .viewer) throws {
        switch access {
        case .closed: throw GroupError.closed
        case .removed: throw GroupError.expelled
        case .lapsed: throw GroupError.lapsed
        case .left: throw GroupError.departed
        case .joining: throw GroupError.joining
        case .member, .suspended: break
        }
        if let accountEnd { throw accountEnd }
        guard let role = state.members[member] else { throw GroupError.notMember }
        guard role >= need else { throw GroupError.notAllowed }
    }

    private func check(other: MemberID) throws {
        guard state.members[other] != nil else { throw GroupError.noSuchMember }
        guard other != state.owner, other != member else { throw GroupError.notAllowed }
    }

    package func rename(_ title: String, description: String = "") throws {
        let known = state.title?.number ?? 0
        guard known < Limits.ownersNumber else { throw GroupError.exhausted }
        let next = GroupTitle(number: known + 1, title: title, description: description)
        guard next.isAcceptable else { throw GroupError.badTitle }
        try write(.title(next), under: try authority(isOwners: true))
    }

    package func grant(_ other: MemberID, _ role: Role) throws {
        let authority = try authority(isOwners: true)
        try check(other: other)
        guard role < .owner else { throw GroupError.notAllowed }
        try write(.grant(to: other, role: role, follows: state.demotions(of: other)), under: authority)
    }

    /// Raises or lowers a member to a role.
    package func set(_ role: Role, of other: MemberID) throws {
        guard let now = state.members[other] else { throw GroupError.noSuchMember }
        if role > now { return try grant(other, role) }
        if role < now { return try demote(other, to: role) }
        _ = try authority(isOwners: true)
    }

    package func demote(_ other: MemberID, to role: Role) throws {
        let authority = try authority(isOwners: true)
        try check(other: other)
        try write(.demote(other, to: role, staying: try seen(by: other)), under: authority)
    }

    package func suspend(_ other: MemberID) throws {
        let authority = try authority()
        try check(other: other)
        try write(.suspend(other), under: authority)
    }

    package func unsuspend(_ other: MemberID) throws {
        let authority = try authority()
        let names = state.validRecords(.suspend).filter { $0.act.subject == other }.map(\.hash)
        guard !names.isEmpty else { throw GroupError.noSuchMember }
        try write(.unsuspend(NameSet(names)), under: authority)
    }

    /// Writes that this member leaves: it disappears from all lists, and the others stop talking to it. That takes no
    /// right and invalidates nothing; another admission brings it back. The owner cannot leave, since nobody else could
    /// lead the group.
    package func leave() throws {
        try checkMember()
        guard state.owner != member else { throw GroupError.notAllowed }
        try write(.leave(state.admissions(of: member)), under: .zero)
    }

    /// Deletes the group for everyone, for good.
    package func close() throws {
        try write(.close, under: try authority(isOwners: true))
    }

    /// Removes a member for good. Its earlier records stay; its open invitations end, since it may know their tokens;
    /// and a new epoch starts whose key it does not get.
    package func remove(_ other: MemberID) throws {
        let authority = try authority(isOwners: true)
        // A member who left still has the keys until the next epoch.
        if !state.left.contains(other) { try check(other: other) }
        guard ring.current.record == state.rootRecord?.hash else { throw GroupError.rootMissing }
        try write(.remove(other, staying: try seen(by: other)), under: authority)
        for invitation in state.openInvitations { try revoke(invitation.hash, under: authority) }
        try rotate()
    }

    package func revoke(_ invitation: RecordHash) throws {
        let authority = try authority(isOwners: true)
        guard state.openInvitations.contains(where: { $0.hash == invitation }) else {
            throw GroupError.noSuchInvitation
        }
        try revoke(invitation, under: authority)
    }

    private func revoke(_ invitation: RecordHash, under authority: RecordHash) throws {
        let names = state.validRecords(under: invitation)
        try write(.revoke(invitation: invitation, staying: names), under: authority)
    }

    /// Starts a new epoch, and seals its root to all members. These records are written under the old epoch's keys, so
    /// that devices with only those find the new one.
    package func rotate() throws {
        guard !state.isClosed, state.owner == member, let authority = state.authority(of: member) else {
            throw GroupError.notAllowed
        }
        guard let last = state.rootRecord, ring.current.record == last.hash else { throw GroupError.rootMissing }
        guard state.rootNumber(last.hash) < Limits.ownersNumber else { throw GroupError.exhausted }
        let bases = basesOfRotation
        let root = Secret(random: &random, count: 32)
        let rotation = Rotation(
            number: state.rootNumber(last.hash) + 1, commitment: Genesis.commitment(to: root), previous: last.hash,
            sealedPrevious: RootSeal.seal(previous: bases[0], under: root, random: &random), follows: state.removals)
        let receivers = state.sealRecipients.filter { $0 != member }
        let detours = detours(beside: bases, to: receivers)
        let record = try write(.rotate(rotation), under: authority, in: bases + distinct(detours))
        let epoch = GroupEpoch(record: record.hash, root: root)
        _ = try hold(epoch)
        for receiver in receivers {
            try seal(epoch, to: receiver, in: bases + detours[receiver, default: []])
        }
        // Other devices of this member get it the same way.
        try seal(epoch, to: member, in: bases)
        useNewestRoot()
        // Write it again under its own root: a device with only that root finds the previous one in it, and so all of
        // them.
        try put(record)
    }

    /// All records of a member that this device considers valid: those that stay when one of the member's rights is
    /// taken.
    func seen(by other: MemberID, in given: GroupState? = nil) throws -> NameSet {
        let state = given ?? state
        let scores = try acceptedScores(of: other, state)
        let games = acceptedGames(of: other, state)
        // Include its names, under which its results are shown.
        let names = contents.names.filter { $0.name.member == other && isAccepted($0, state) }.map(\.hash)
        // If there are more than a list holds, control records come first, since scores depend on them.
        let controls = state.validRecords(by: other).sorted
        return NameSet((controls + names + games + scores).prefix(Limits.names))
    }
}
