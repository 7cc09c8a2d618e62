public import NodeModel

/// Groups and their members (scopes `groups:read`, `groups:write`). A group is named by its id, the beginning of its
/// id, or its title; a member by id, the beginning of the id, or name.
extension NodeClient {
    /// The groups of the account.
    ///
    /// - Parameter all: includes groups that were left.
    public func groups(all: Bool = false) async throws(ClientError) -> [Group] {
        try await list(Call(.get, "groups").query("all", all))
    }

    /// - Throws: `not-found`.
    public func group(_ group: String) async throws(ClientError) -> Group {
        try await object(Call(.get, "groups", group))
    }

    /// Creates a group, owned by the user.
    ///
    /// - Returns: the group's id.
    @discardableResult
    public func createGroup(_ title: String, description: String? = nil) async throws(ClientError) -> String {
        let call = Call(.post, "groups").field("title", title).field("description", description)
        return try await object(call, FoundedGroup.self).groupId
    }

    /// Joins a group with an invitation. If no member is in reach, the user is admitted when one is.
    ///
    /// - Parameters:
    ///   - token: `kachat:…`
    ///   - name: the user's display name in the group.
    ///   - waitSeconds: time to wait for a member, up to 60; the group's `state` shows the outcome.
    /// - Throws: `bad-input` for an invitation that is malformed; `failed`, with the reason, for one that has expired,
    ///   was revoked or is used up.
    @discardableResult
    public func join(_ token: String, name: String? = nil, waitSeconds: Int = 5) async throws(ClientError) -> Group {
        let call = Call(.post, "groups", "join").field("token", token).field("name", name)
            .field("wait", waitSeconds).waiting(seconds: waitSeconds)
        return try await object(call)
    }

    /// Renames a group (owner).
    public func renameGroup(_ group: String, _ title: String, description: String? = nil) async throws(ClientError) {
        try await callForNothing(Call(.patch, "groups", group).field("title", title).field("description", description))
    }

    /// Deletes a group for all members, for good (owner).
    public func deleteGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group))
    }

    /// Leaves a group on all devices; the user's results stay as a file in the home.
    public func leaveGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "leave"))
    }

    /// Sets the user's display name in a group.
    public func setName(_ name: String, inGroup group: String) async throws(ClientError) {
        try await callForNothing(Call(.put, "groups", group, "name").field("name", name))
    }

    /// Founds a group in place of another one and offers it to all members; the owner closes the old one with it.
    ///
    /// - Parameters:
    ///   - title: of the new group; nil: the same.
    /// - Returns: the new group's id.
    public func succeedGroup(_ group: String, title: String? = nil) async throws(ClientError) -> String {
        let call = Call(.post, "groups", group, "successor").field("title", title)
        return try await object(call, SuccessorGroup.self).groupId
    }

    /// Closes a group in favour of the one that a member offers in its place (owner).
    public func closeGroup(_ group: String, withSuccessorOf member: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "successor").field("of", member))
    }

    /// Follows at once to the group in which another one continues.
    ///
    /// - Parameter member: whose offer to take, if there are several.
    public func followGroup(_ group: String, of member: String? = nil) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "follow").field("of", member))
    }

    /// Pauses the sync of a group on this device, until `resumeGroup`.
    public func pauseGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "pause"))
    }

    public func resumeGroup(_ group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "resume"))
    }

    // MARK: Members

    /// - Parameter all: includes members who were removed.
    public func members(of group: String, all: Bool = false) async throws(ClientError) -> [Member] {
        try await list(Call(.get, "groups", group, "members").query("all", all))
    }

    /// Removes a member for good and rotates the keys (owner).
    ///
    /// - Parameter dropsResults: all members' devices drop what it posted; otherwise that stays.
    public func removeMember(
        _ member: String, from group: String, dropsResults: Bool = false
    ) async throws(ClientError) {
        try await callForNothing(
            Call(.delete, "groups", group, "members", member).query("dropResults", dropsResults))
    }

    /// Hides a member's results, or shows them again.
    public func setSuspended(_ isSuspended: Bool, _ member: String, in group: String) async throws(ClientError) {
        try await callForNothing(Call(.post, "groups", group, "members", member, isSuspended ? "suspend" : "unsuspend"))
    }

    /// Makes a member an admin, a member or a viewer (owner).
    public func setRole(_ role: Role, of member: String, in group: String) async throws(ClientError) {
        try await callForNothing(Call(.put, "groups", group, "members", member, "role").field("role", role.rawValue))
    }

    // MARK: Invitations

    /// Creates an invitation.
    ///
    /// - Parameters:
    ///   - expires: such as `30m`, `12h`, `7d`, `never`; nil: 7 days.
    ///   - people: how many people may join with it, 1 to 64.
    public func invite(
        to group: String, role: Role = .member, expires: String? = nil, people: Int = 1
    ) async throws(ClientError) -> MadeInvite {
        let call = Call(.post, "groups", group, "invites").field("role", role.rawValue).field("expires", expires)
            .field("people", people)
        return try await object(call)
    }

    /// The content of an invitation, before anybody joins with it.
    ///
    /// - Parameter token: `kachat:…`
    /// - Throws: `bad-input` if it is malformed.
    public func inspectInvite(_ token: String) async throws(ClientError) -> InspectedInvite {
        try await object(Call(.post, "invites", "inspect", ofAccount: false).field("token", token))
    }

    /// The open invitations of a group.
    public func invites(of group: String) async throws(ClientError) -> [Invite] {
        try await list(Call(.get, "groups", group, "invites"))
    }

    /// Revokes an invitation (owner). People who already joined with it stay.
    public func revokeInvite(_ inviteId: String, of group: String) async throws(ClientError) {
        try await callForNothing(Call(.delete, "groups", group, "invites", inviteId))
    }
}
