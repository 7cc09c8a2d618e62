package import Ledger
package import NodeCore
import SyncState

/// The members of the group, their names and roles, and the changes that this member may make.
package final class GroupRoster {
    private let context: GroupContext
    private let contents: () -> GroupContents
    /// The display name may still have to be posted. Cleared after a check, once this node knows that it is a member.
    var hasWantedName = true

    init(_ context: GroupContext, contents: @escaping () -> GroupContents) {
        (self.context, self.contents) = (context, contents)
    }

    private var state: LedgerState { context.state }
    private var member: MemberID { context.member }

    // MARK: Acts

    /// Throws unless this member is the owner, or at least an admin.
    private func check(_ need: Role) throws {
        try context.checkMember()
        guard state.role(of: member) >= need else { throw GroupError.notAllowed }
    }

    private func check(other: MemberID) throws {
        guard state.members[other] != nil else { throw GroupError.noSuchMember }
        guard other != state.owner else { throw GroupError.ofOwner }
        guard other != member else { throw GroupError.oneself }
    }

    package func rename(_ title: String, description: String = "") throws {
        let name = GroupTitle(title: title, description: description)
        guard name.isWritable else { throw GroupError.badTitle }
        try check(.owner)
        let revision = (state.title?.revision ?? 0) + 1
        guard revision <= Ledger.Limits.revision else { throw GroupError.exhausted }
        try context.write(.title(Title(revision: revision, sealed: name.sealed(context.keys, random: &context.random))))
    }

    /// Raises or lowers a member to a role.
    package func set(_ role: Role, of other: MemberID) throws {
        try check(.owner)
        try check(other: other)
        guard role != .owner, role != .none else { throw GroupError.notAllowed }
        guard role != state.role(of: other) else { return }
        try confirmAll()
        try say(role, of: other)
    }

    /// The records that a removal ended in addition to the membership.
    package struct Removal {
        /// Members that came by the removed one's invitations, or by theirs, and went with it.
        package var others: [MemberID] = []
        /// Invitations that were open.
        package var invitations = 0
    }

    /// Removes a member for good. Open invitations end, since it may know their tokens, and the others get a new root.
    ///
    /// - Parameters:
    ///   - withInvited: also removes the members who used its invitations, and theirs.
    ///   - keepsRows: whether what they wrote stays, as far as it is here; otherwise everybody drops it.
    @discardableResult
    package func remove(_ other: MemberID, withInvited: Bool = false, keepsRows: Bool = true) throws -> Removal {
        try check(.owner)
        guard !state.isDismissed(other) else { throw keepsRows ? GroupError.alreadyRemoved : .resultsStay }
        // A member who left still has the keys until the next root.
        if !state.hasLeft(other) { try check(other: other) }
        try confirmAll()
        let open = state.invitations
        for invitation in open { try context.write(.revoke(Revoke(invite: invitation.record, stays: []))) }
        let others = withInvited ? invited(by: other) : []
        for each in [other] + others { try say(.none, of: each, keepsRows: keepsRows) }
        guard try context.membership.makeRoot() else { throw GroupError.notAllowed }
        return Removal(others: others, invitations: open.count)
    }

    /// The members invited by a member, directly or through others, even if those others have gone.
    private func invited(by other: MemberID) -> [MemberID] {
        let state = state
        let all = state.members.keys.sorted() + state.dismissed + state.left
        let issuers = all.map { (member: $0, issuer: state.ticket(of: $0)?.issuer) }
        var line = [other]
        var next = 0
        while next < line.count {
            line += issuers.filter { $0.issuer == line[next] && !line.contains($0.member) }.map(\.member)
            next += 1
        }
        return line.dropFirst().filter { state.members[$0] != nil }
    }

    /// Writes the owner's word on a member: its role from now on, and whether what it wrote up to now stays.
    private func say(_ role: Role, of other: MemberID, keepsRows: Bool = true) throws {
        // The first revision is what a device writes by itself, and falls with the invitation.
        let revision = max(2, state.wordRevision(of: other) + 1)
        guard revision <= Ledger.Limits.revision else { throw GroupError.exhausted }
        let (now, lanes) = (state.role(of: other), state.lanes(of: other))
        let ends = try keepsRows ? context.rows.ends(of: lanes) : context.rows.endsWithoutRows(of: lanes)
        for start in stride(from: 0, to: max(1, ends.count), by: Ledger.Limits.wordHeads) {
            let heads = Array(ends.dropFirst(start).prefix(Ledger.Limits.wordHeads))
            try context.write(
                .word(
                    Word(
                        member: other, role: role, revision: revision, ticket: state.ticket(of: other), keep: now,
                        heads: heads)))
        }
        guard state.role(of: other) == role else { throw GroupError.notAllowed }
    }

    /// As the owner: confirms all members that stand on tickets, so that only the owner's word matters to them.
    func confirmAll() throws {
        guard context.owns, context.membership.ownStanding == .active, !state.isClosed else { return }
        var count = state.members.count { state.isConfirmed($0.key) }
        for other in state.unconfirmed where count < context.keys.memberLimit {
            let word = Word(
                member: other, role: state.role(of: other), revision: 1, ticket: state.ticket(of: other), keep: .none)
            _ = try context.membership.write(.word(word))
            count += 1
        }
    }

    package func suspend(_ other: MemberID) throws {
        try check(.admin)
        try check(other: other)
        try context.write(.suspend(other))
    }

    /// Lifts another member's suspension; does nothing if there is none.
    package func unsuspend(_ other: MemberID) throws {
        try check(.admin)
        guard state.isSuspended(other) else { return try check(other: other) }
        for suspension in state.suspensions(of: other) { try context.write(.unsuspend(suspension)) }
        guard !state.isSuspended(other) else { throw GroupError.notAllowed }
    }

    /// Writes that this member leaves: it disappears from all lists, and the others stop talking to it. Its results
    /// stay; its invitations end first. The owner cannot leave, since nobody else could lead the group.
    package func leave() throws {
        try context.checkMember()
        guard !context.owns else { throw GroupError.notAllowed }
        try endInvitations()
        try context.write(.leave)
    }

    /// Ends this member's open invitations; members who used them stay.
    private func endInvitations() throws {
        for invitation in state.invitations where invitation.issuer == member {
            let stays = context.owns ? [] : invitation.used
            try context.write(.revoke(Revoke(invite: invitation.record, stays: stays)))
        }
    }

    /// Closes the group for everyone, for good. All members' records that are here stay.
    ///
    /// - Parameter successor: the group in which it continues.
    package func close(with successor: Close.Successor? = nil) throws {
        try check(.owner)
        try confirmAll()
        let everybody = state.enteredLanes.map(\.member)
        let ends = try context.rows.ends(of: Set(everybody).sorted().flatMap(state.lanes))
        for start in stride(from: 0, to: max(1, ends.count), by: Ledger.Limits.wordHeads) {
            let heads = Array(ends.dropFirst(start).prefix(Ledger.Limits.wordHeads))
            try context.write(.close(Close(heads: heads, successor: successor)))
        }
    }

    private static let closedKey = "closed"

    /// Remembers that the group was closed.
    func noteClose() throws {
        guard state.isClosed, try context.store.setting(Self.closedKey)?.isEmpty ?? true else { return }
        try context.store.put(setting: Self.closedKey, [1])
    }

    /// Whether the group is open although this device had heard that it was closed: the device that closed it was shut
    /// out.
    package var isOpenAgain: Bool {
        get throws { try !state.isClosed && context.store.setting(Self.closedKey)?.isEmpty == false }
    }

    /// Notes that the group is open again.
    package func noteOpening() throws {
        guard try isOpenAgain else { return }
        try context.store.put(setting: Self.closedKey, [])
    }

    /// Shuts out a device of this member, by the person's signature; its records that are here stay. Open invitations
    /// of this member end, since anyone who has the device knows their tokens.
    ///
    /// - Parameter since: when the device was last in its owner's hands, by this device's clock: what came here later
    ///   does not stay. Nil for now.
    /// - Returns: false if all stays because this device came here later itself, and cannot tell.
    @discardableResult
    package func remove(device lane: LaneID, since: WallTime? = nil, by person: Ed25519.KeyPair) throws -> Bool {
        let line = state.line(of: context.membership.key(of: lane))
        // A copy of this device continues from the same lane: naming it would shut out both.
        guard !line.contains(context.membership.own) else { throw GroupError.notAllowed }
        let tookPart = takesPart
        if tookPart { try endKnownInvitations() }
        let arrived = context.membership.records.arrived
        let here = try state.entrance(of: context.membership.own).flatMap(arrived)
        let early = since.flatMap { since in
            isLetInHere(line) ? since : here.flatMap { $0 < since ? since : nil }
        }
        let children = try state.children(of: line).filter { child in
            guard let early, let at = try arrived(child) else { return true }
            return at < early
        }
        let names =
            try context.rows.ends(of: line, before: early).map(Remove.Name.head) + children.map(Remove.Name.child)
        try context.store.begin()
        for remove in Remove.several(firstLane: context.keys.firstLane, of: line, naming: names) {
            try context.membership.records.take(
                own: LedgerRecord(
                    zone: context.keys.zone, signer: context.keys.person.storage, prev: .zero, act: .remove(remove),
                    sign: person.sign))
        }
        if takesPart {
            // What that device had ended goes on.
            if !tookPart { try endKnownInvitations() }
            if context.owns { _ = try context.membership.makeRoot() }
        }
        return since == nil || early != nil
    }

    private func endKnownInvitations() throws {
        try confirmAll()
        try endInvitations()
    }

    private var takesPart: Bool { context.membership.ownStanding == .active && !state.isClosed }

    /// Whether this device let in the lanes of a line: then it was here before all that they wrote.
    private func isLetInHere(_ line: [LaneKey]) -> Bool {
        let known = [context.membership.own.lane] + line.map(\.lane)
        return line.allSatisfy { lane in state.endorser(of: lane)?.lane.map(known.contains) ?? false }
    }

    // MARK: Members

    /// The group's name, as its owner last set it; nil before its records are here.
    package var title: GroupTitle? {
        state.title.flatMap { GroupTitle(sealed: $0.sealed, context.keys) }
    }

    /// All members, in order of their ids, with `withRemoved` also former ones.
    package func members(withRemoved: Bool = false) -> [GroupMember] {
        let (state, given) = (state, givenNames)
        let roles = state.members
        let ids = Set(roles.keys).union(state.dismissed).union(state.left)
            .filter { withRemoved || roles[$0] != nil && !context.isDismissed($0) }.sorted()
        let names = Self.shownNames(ids, given)
        let suspended = state.suspended
        return ids.map { id in
            GroupMember(
                id: id, name: names[id] ?? Self.nameless, role: roles[id] ?? formerRole(id),
                state: context.isDismissed(id)
                    ? .removed : state.hasLeft(id) ? .left : suspended.contains(id) ? .suspended : .active,
                isConfirmed: id == state.owner || state.isConfirmed(id), invitedBy: state.ticket(of: id)?.issuer,
                devices: state.lanes(of: id).count { state.standing(of: $0) == .active }, isMe: id == member)
        }
    }

    /// The role of somebody who is no member any more; the lowest if the ledger does not know it.
    private func formerRole(_ id: MemberID) -> Role { max(.viewer, state.role(of: id, orBefore: true)) }

    // MARK: Names

    /// The names that members chose.
    private var givenNames: [MemberID: String] {
        var best: [MemberID: MemberName] = [:]
        for held in contents().names {
            let name = held.content
            let key = LaneKey(held.lane, of: name.member)
            guard (try? context.rows.counts(held.name, of: key, needing: .viewer)) == true else { continue }
            if let known = best[name.member], !name.supersedes(known) { continue }
            best[name.member] = name
        }
        return best.mapValues(\.name)
    }

    /// Members without a name, or with one that looks like another's, are distinguished by their id: by more and more
    /// of it, until no two look alike.
    private static func shownNames(_ ids: [MemberID], _ given: [MemberID: String]) -> [MemberID: String] {
        var shown: [MemberID: String] = [:]
        var digits: [MemberID: Int] = [:]
        for id in ids { digits[id] = given[id] == nil ? GroupMember.shownDigits : 0 }
        // Each round lengthens at least one; ids differ, so this terminates.
        for _ in 0...(MemberID.byteCount / 2) {
            var looks: [String: [MemberID]] = [:]
            for id in ids {
                let suffix = digits[id].map { $0 == 0 ? "" : " \(id.hex.prefix($0))" } ?? ""
                let name = (given[id] ?? nameless) + suffix
                shown[id] = name
                looks[appearance(of: name), default: []].append(id)
            }
            let alike = looks.values.filter { $0.count > 1 }.flatMap(\.self)
            if alike.isEmpty { break }
            for id in alike { digits[id, default: 0] += GroupMember.shownDigits }
        }
        return shown
    }

    /// The visually distinct part of a name: without case, blanks, and invisible characters.
    private static func appearance(of name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.lowercased().unicodeScalars.filter {
                    !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace
                }))
    }

    private static let nameless = "Member"

    private static let wantedNameKey = "wanted name"

    /// Remembers this member's name until the group's records show that it is a member.
    package func want(name: String) throws {
        guard GroupTitle.isWritable(title: name) else { throw ScoreError.badName }
        try context.store.put(setting: Self.wantedNameKey, Array(name.utf8))
        hasWantedName = true
    }

    /// Sets the remembered name as soon as that is possible. True if it did.
    package func takeWantedName(wall: WallTime) throws -> Bool {
        guard hasWantedName, context.membership.ownStanding == .active else { return false }
        hasWantedName = false
        guard let stored = try context.store.setting(Self.wantedNameKey), !stored.isEmpty else { return false }
        try setName(String(decoding: stored, as: UTF8.self), wall: wall)
        try context.store.put(setting: Self.wantedNameKey, [])
        return true
    }

    /// Changes this member's name in the group.
    package func setName(_ name: String, wall: WallTime) throws {
        try context.checkMember()
        guard GroupTitle.isWritable(title: name) else { throw ScoreError.badName }
        // Look only at names that count: others may write anything into their own lanes.
        let known = try contents().names.filter { held in
            let key = LaneKey(held.lane, of: member)
            return try held.content.member == member && context.rows.counts(held.name, of: key, needing: .viewer)
        }
        let revision = (known.map(\.content.revision).max() ?? 0) + 1
        try context.put(.name(MemberName(member: member, name: name, revision: revision, updatedAt: wall)))
    }
}
