import Node
import SyncState

/// Groups: who is in them, and who may come in.
extension APITable {
    private static let group = APIParameter(.path, "group", "GROUP", help: "its id, the beginning of it, or its title")
    private static let member = APIParameter(.path, "member", "MEMBER", help: "an id, the beginning of it, or a name")
    private static let roles = ValueKind.choice("ROLE", ["viewer", "member", "admin"])

    package static let groups: [Endpoint] = [
        Endpoint(
            "groups", .get, "/v1/groups", .scope(.groupsRead), .command("group list"), "The groups of the account",
            parameters: [APIParameter(.query, "all", "--all")], answer: .list("Group", next: nil)),
        Endpoint(
            "createGroup", .post, "/v1/groups", .scope(.groupsWrite), .command("group create"),
            "Found a group; you are its owner",
            parameters: [
                APIParameter(.body, "title", "TITLE", required: true),
                APIParameter(.body, "description", "--description"),
            ], body: .fields, answer: .object("FoundedGroup")),
        Endpoint(
            "joinGroup", .post, "/v1/groups/join", .scope(.groupsWrite), .command("group join"),
            "Join a group by an invitation; waits for a member if none is in reach",
            parameters: [
                APIParameter(.body, "token", "TOKEN", required: true, help: "kachat:…"),
                APIParameter(.body, "name", "--name"),
                APIParameter(
                    .body, "wait", "--wait", .value(.seconds(upTo: Limits.apiWaitSeconds)),
                    help: "seconds to wait for a member"),
            ], body: .fields, answer: .object("Group")),
        Endpoint(
            "group", .get, "/v1/groups/{group}", .scope(.groupsRead), .command("group show"),
            "A group: owner, members, keys, and what is wrong with it",
            parameters: [group, APIParameter(.query, "problems", "--problems")], answer: .object("Group")),
        Endpoint(
            "renameGroup", .patch, "/v1/groups/{group}", .scope(.groupsWrite), .command("group rename"),
            "Give a group another title (owner)",
            parameters: [
                group, APIParameter(.body, "title", "TITLE", required: true),
                APIParameter(.body, "description", "--description"),
            ], body: .fields, answer: .object("Group")),
        Endpoint(
            "deleteGroup", .delete, "/v1/groups/{group}", .scope(.groupsWrite), .command("group delete"),
            "Delete a group, for all members and for ever (owner)", parameters: [group], answer: .object("Group")),
        Endpoint(
            "leaveGroup", .post, "/v1/groups/{group}/leave", .scope(.groupsWrite), .command("group leave"),
            "Leave a group on all devices", parameters: [group], body: .fields, answer: .object("LeftGroup")),
        Endpoint(
            "setNameInGroup", .put, "/v1/groups/{group}/name", .scope(.groupsWrite), .command("group set-name"),
            "Say what you are called in a group",
            parameters: [group, APIParameter(.body, "name", "NAME", required: true)], body: .fields,
            answer: .object("Group")),
        Endpoint(
            "pauseGroup", .post, "/v1/groups/{group}/pause", .scope(.groupsWrite), .command("group pause"),
            "Send and fetch nothing of a group until it is resumed",
            parameters: [group, APIParameter(.body, "by", "--by", .bytes(SyncState.Limits.pausedByBytes))],
            body: .fields, answer: .object("Group")),
        Endpoint(
            "resumeGroup", .post, "/v1/groups/{group}/resume", .scope(.groupsWrite), .command("group resume"),
            "End the pause of a group", parameters: [group], body: .fields, answer: .object("Group")),
        Endpoint(
            "transferGroup", .post, "/v1/groups/{group}/transfer", .scope(.groupsWrite), .command("group transfer"),
            "Offer a group to another member, or accept what was offered to you",
            parameters: [
                group, APIParameter(.body, "member", "MEMBER", help: "an id, the beginning of it, or a name"),
                APIParameter(.body, "accept", "--accept"),
            ], body: .someFields, answer: .object("GroupOrMember")),
        Endpoint(
            "members", .get, "/v1/groups/{group}/members", .scope(.groupsRead), .command("group members"),
            "Who is in a group", parameters: [group, APIParameter(.query, "all", "--all")],
            answer: .list("Member", next: nil)),
        Endpoint(
            "removeMember", .delete, "/v1/groups/{group}/members/{member}", .scope(.groupsWrite),
            .command("group remove"), "Remove a member for ever, and start new keys (owner)",
            parameters: [group, member], answer: .object("Member")),
        Endpoint(
            "suspendMember", .post, "/v1/groups/{group}/members/{member}/suspend", .scope(.groupsWrite),
            .command("group suspend"), "Hide a member's results until that is lifted", parameters: [group, member],
            body: .fields, answer: .object("Member")),
        Endpoint(
            "unsuspendMember", .post, "/v1/groups/{group}/members/{member}/unsuspend", .scope(.groupsWrite),
            .command("group unsuspend"), "Lift a suspension", parameters: [group, member], body: .fields,
            answer: .object("Member")),
        Endpoint(
            "setRole", .put, "/v1/groups/{group}/members/{member}/role", .scope(.groupsWrite),
            .command("group set-role"), "Make a member an admin, a member or a viewer (owner)",
            parameters: [group, member, APIParameter(.body, "role", "ROLE", .value(roles), required: true)],
            body: .fields, answer: .object("Member")),
        Endpoint(
            "invites", .get, "/v1/groups/{group}/invites", .scope(.groupsRead), .command("group invites"),
            "The open invitations of a group", parameters: [group], answer: .list("Invite", next: nil)),
        Endpoint(
            "invite", .post, "/v1/groups/{group}/invites", .scope(.groupsWrite), .command("group invite"),
            "Make an invitation: a text that lets people in",
            parameters: [
                group, APIParameter(.body, "role", "--role", .value(roles)),
                APIParameter(.body, "expires", "--expires"),
                APIParameter(.body, "uses", "--uses"),
                APIParameter(.body, "qr", "--qr", .isGiven, help: "with its QR code"),
            ], body: .fields, answer: .object("MadeInvite")),
        Endpoint(
            "revokeInvite", .delete, "/v1/groups/{group}/invites/{invite}", .scope(.groupsWrite),
            .command("group revoke-invite"), "End an invitation; who came in by it stays (owner)",
            parameters: [group, APIParameter(.path, "invite", "INVITE", help: "its id, or the beginning of it")],
            answer: .object("Group")),
    ]

    static let groupShapes: [Shape] = [
        Shape("FoundedGroup", "groupId text,title text,memberId text"),
        Shape("Group", "groupId text,title text?,state text,role? text?,name? text?,memberId? text?,members? int?"),
        Shape("GroupOrMember", "groupId? text,memberId? text?"),
        Shape("LeftGroup", "groupId text,title text,state text,scoresFile? text?"),
        Shape("Member", "memberId text,name text?,role text,state text,devices int,me bool"),
        Shape(
            "Invite",
            "inviteId text,role text,expiresAt int?,uses int?,used? int?,issuer? text?,issuerId? text?,"
                + "createdAt? int?"),
        Shape("MadeInvite", "token text,role text,expiresAt int?,uses int?,groupId text,title text,qr? text?"),
    ]
}
