package import NodeCore
import SyncState

/// The members' display names.
extension GroupZone {
    func isAccepted(_ name: GroupContents.HeldName, _ state: GroupState) -> Bool {
        state.accepted(
            name.hash, by: name.name.member, device: name.lane, need: .viewer)
    }

    /// The names that members chose.
    package var givenNames: [MemberID: String] {
        let state = state
        var best: [MemberID: MemberName] = [:]
        for held in contents.names where isAccepted(held, state) {
            if let known = best[held.name.member], !held.name.supersedes(known) { continue }
            best[held.name.member] = held.name
        }
        return best.mapValues(\.name)
    }

    /// All members, in order of their ids, with `withRemoved` also former ones.
    package func memberList(withRemoved: Bool = false) -> [GroupMember] {
        let state = state
        let given = givenNames
        let former = withRemoved ? Array(state.removed) + Array(state.left) : []
        let ids = (Array(state.members.keys) + former).sorted()
        let devices = state.deviceCounts
        let names = Self.shownNames(ids, given)
        return ids.map { id in
            GroupMember(
                id: id, name: names[id] ?? Self.nameless, role: state.members[id] ?? .viewer,
                state: Self.memberState(of: id, state),
                devices: devices[id] ?? 0, isMe: id == member)
        }
    }

    /// Members without a name, or with one that looks like another's, are distinguished by their id: by more and more
    /// of it, until no two look alike.
    private static func shownNames(_ ids: [MemberID], _ given: [MemberID: String]) -> [MemberID: String] {
        var shown: [MemberID: String] = [:]
        var digits: [MemberID: Int] = [:]
        for id in ids { digits[id] = given[id] == nil ? 4 : 0 }
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
            for id in alike { digits[id, default: 0] += 4 }
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

    private static func memberState(of id: MemberID, _ state: GroupState) -> GroupMember.State {
        if state.removed.contains(id) { return .removed }
        if state.left.contains(id) { return .left }
        return state.suspended.contains(id) ? .suspended : .active
    }

    private static let nameless = "Member"

    private static let wantedNameKey = "wanted name"

    /// Remembers this member's name until the group's records show that it is a member.
    package func want(name: String) throws {
        guard GroupTitle.isAcceptable(title: name) else { throw ScoreError.badName }
        try store.put(setting: Self.wantedNameKey, Array(name.utf8))
        hasWantedName = true
    }

    /// Sets the remembered name as soon as that is possible. True if it did.
    package func takeWantedName(wall: WallTime) throws -> Bool {
        guard hasWantedName, state.members[member] != nil else { return false }
        hasWantedName = false
        guard let stored = try store.setting(Self.wantedNameKey), !stored.isEmpty else { return false }
        try setName(String(decoding: stored, as: UTF8.self), wall: wall)
        try store.put(setting: Self.wantedNameKey, [])
        return true
    }

    /// Changes this member's name in the group.
    package func setName(_ name: String, wall: WallTime) throws {
        try checkMember(.viewer)
        let state = state
        // Look only at names that count: others may write anything into their own lanes.
        let known =
            contents.names.filter { $0.name.member == member && isAccepted($0, state) }.map(\.name.revision).max() ?? 0
        try put(.name(MemberName(member: member, name: name, revision: known + 1, updatedAt: wall)))
    }
}
