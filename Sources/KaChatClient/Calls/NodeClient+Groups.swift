public import NodeModel

/// Groups and who is in them (scopes `groups:read`, `groups:write`). A group is named by its id, the beginning of it,
/// or its title; a member by its id, the beginning of it, or its name.
extension NodeClient {
    /// The groups of the account.
    ///
    /// - Parameter all: those that were left, too.
    public func groups(all: Bool = false) async throws(ClientError) -> [Group] {
        try await list(Call(.get, "groups").query("all", all), of: Group.self)
    }

    /// - Throws: `not-found`.
    public func group(_ group: String) async throws(ClientError) -> Group {
        try await object(Call(.get, "groups", group), Group.self)
    }

    /// Founds a group, whose owner one is.
    ///
    /// - Returns: its id.
    @discardableResult
    public func createGroup(_ title: String, description: String? = nil) async throws(ClientError) -> String {
        let call = Call(.post, "groups").field("title", title).field("description", description)
        return try await self.call(call) { (fields: Fields) throws(ClientError) in try fields.text("groupId") }
    }

    /// Joins a group by an invitation. Where no member is in reach, it is let in when one is.
    ///
    /// - Parameters:
    ///   - token: `kachat:…`
    ///   - name: what one is called there.
    ///   - waitSeconds: how long to wait for a member, up to 60; the group's `state` tells what came of it.
    /// - Throws: `bad-input` for an invitation that is none, expired or used up.
    @discardableResult
    public func join(_ token: String, name: String? = nil, waitSeconds: Int = 5) async throws(ClientError) -> Group {
        let call = Call(.post, "groups", "join").field("token", token).field("name", name)
            .field("wait", waitSeconds).waiting(seconds: waitSeconds)
        return try await object(call, Group.self)
    }

    /// Gives a group another title (owner).
    public func renameGroup(
        _ group: String, _ title: String, description: String? = nil
    ) async throws(ClientError) {
        try await callForNothing(Call(.patch, "groups", group).field("title", title).field("description", description))
    }

    /// Deletes a group, for all members and for ever (owner).
    public func deleteGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group))
    }

    /// Leaves a group on all devices; one's results stay as a file of the home.
    public func leaveGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "leave"))
    }

    /// Says what one is called in a group.
    public func setName(_ name: String, inGroup group: String) async throws(ClientError) {
        try await callForNothing(Call(.put, "groups", group, "name").field("name", name))
    }

    /// Offers a group to another member (owner), who takes it by `acceptGroup`.
    public func offerGroup(_ group: String, to member: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "transfer").field("member", member))
    }

    /// Takes a group that was offered.
    public func acceptGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "transfer").field("accept", true))
    }

    // MARK: Members

    /// - Parameter all: those that were removed, too.
    public func members(of group: String, all: Bool = false) async throws(ClientError) -> [Member] {
        try await list(Call(.get, "groups", group, "members").query("all", all), of: Member.self)
    }

    /// Removes a member for ever, and starts new keys (owner). Its results until then stay.
    public func removeMember(_ member: String, from group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group, "members", member))
    }

    /// Hides a member's results, or shows them again.
    public func setSuspended(_ isSuspended: Bool, _ member: String, in group: String) async throws(ClientError) {
        try await callForNothing(
            Call(.post, "groups", group, "members", member, isSuspended ? "suspend" : "unsuspend"))
    }

    /// Makes a member an admin, a member or a viewer (owner).
    public func setRole(_ role: Role, of member: String, in group: String) async throws(ClientError) {
        try await callForNothing(Call(.put, "groups", group, "members", member, "role").field("role", role.rawValue))
    }

    // MARK: Invitations

    /// Makes an invitation.
    ///
    /// - Parameters:
    ///   - expires: such as `30m`, `12h`, `7d`, `never`; nil: 7 days.
    ///   - uses: how many it lets in, then only while this device is in reach; nil: any number.
    public func invite(
        to group: String, role: Role = .member, expires: String? = nil, uses: Int? = nil
    ) async throws(ClientError) -> MadeInvite {
        let call = Call(.post, "groups", group, "invites").field("role", role.rawValue).field("expires", expires)
            .field("uses", uses)
        return try await object(call, MadeInvite.self)
    }

    /// The open invitations of a group.
    public func invites(of group: String) async throws(ClientError) -> [Invite] {
        try await list(Call(.get, "groups", group, "invites"), of: Invite.self)
    }

    /// Ends an invitation; who came in by it stays (owner).
    public func revokeInvite(_ inviteId: String, of group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group, "invites", inviteId))
    }
}
