import Node

/// `group …`
extension Catalogue {
    package static let groups: [CommandSpec] = [
        CommandSpec(
            "group create", summary: "Found a group for a leaderboard; you are its owner",
            examples: ["kachat-node group create Family --description words"],
            places: [PlaceSpec("TITLE", .text("TITLE"))], options: [.account, description]),
        CommandSpec(
            "group list", summary: "List the groups of the account",
            examples: ["kachat-node group list", "kachat-node group list --all --json"],
            options: [.account, OptionSpec("--all", help: "those that were left too")]),
        CommandSpec(
            "group show", summary: "Show a group: owner, members, keys, and what is wrong with it",
            examples: ["kachat-node group show Family", "kachat-node group show Family --problems"],
            places: [group],
            options: [.account, OptionSpec("--problems", help: "what counts for nothing, proofs, and the like")]),
        CommandSpec(
            "group members", summary: "List who is in a group",
            examples: ["kachat-node group members Family --json"],
            places: [group], options: [.account, OptionSpec("--all", help: "those who were removed too")]),
        CommandSpec(
            "group rename", summary: "Give a group another title (owner)",
            examples: ["kachat-node group rename Family Clan"],
            places: [group, PlaceSpec("TITLE", .text("TITLE"))], options: [.account, description]),
        CommandSpec(
            "group set-name", summary: "Say what you are called in a group",
            examples: ["kachat-node group set-name Family Anna"],
            places: [group, PlaceSpec("NAME", .text("NAME"))], options: [.account]),
        CommandSpec(
            "group invite", summary: "Make an invitation: a text or QR code that lets people in",
            examples: [
                "kachat-node group invite Family",
                "kachat-node group invite Family --role viewer --expires 12h --uses 1 --qr family.svg",
                "kachat-node group invite Family --nearby           one person in the same room, by six digits",
            ],
            places: [group],
            options: [
                .account,
                OptionSpec("--role", roles, help: "what who joins may do (default: member)"),
                expires, uses,
                OptionSpec(
                    "--qr", .form("FILE", .image), help: "write the QR code to FILE, which ends in .svg or .png"),
                OptionSpec("--force", help: "replace the file that is there"),
                nearby, pairingTime,
            ]),
        CommandSpec(
            "group invites", summary: "List the open invitations of a group",
            examples: ["kachat-node group invites Family"], places: [group], options: [.account]),
        CommandSpec(
            "group revoke-invite", summary: "End an invitation; who came in by it stays (owner)",
            examples: ["kachat-node group revoke-invite Family 4f21c0de"],
            places: [group, PlaceSpec("INVITE", .text("INVITE"))], options: [.account]),
        CommandSpec(
            "group join", summary: "Join a group by an invitation; waits for a member if none is in reach",
            examples: [
                "kachat-node group join kachat:…", "kachat-node group join kachat:… --name Ben",
                "kachat-node group join --nearby                    with a member in the same room",
            ],
            places: [PlaceSpec("TOKEN", .text("TOKEN"), required: false, repeatable: true)],
            options: [
                .account, OptionSpec("--name", .text("N"), help: "what you want to be called there"),
                OptionSpec("--wait", .seconds(upTo: 3600), help: "how long to wait for a member (default: 5)"),
                nearby, pairingTime,
            ]),
        CommandSpec(
            "group inspect", summary: "Show what an invitation allows, without joining and without any network",
            examples: ["kachat-node group inspect kachat:…"], places: [token]),
        CommandSpec(
            "group narrow", summary: "Make an invitation that allows less, to pass it on; needs nobody's help",
            examples: ["kachat-node group narrow kachat:… --role viewer --expires 1d"],
            places: [token],
            options: [OptionSpec("--role", roles, help: "at most this role"), expires, uses]),
        CommandSpec(
            "group remove", summary: "Remove a member for ever, and start new keys (owner)",
            examples: ["kachat-node group remove Family Ben"], places: [group, member], options: [.account]),
        CommandSpec(
            "group suspend", summary: "Hide a member's results until that is lifted (owner, admins)",
            examples: ["kachat-node group suspend Family Ben"], places: [group, member], options: [.account]),
        CommandSpec(
            "group unsuspend", summary: "Lift a suspension (owner, admins, but not oneself)",
            examples: ["kachat-node group unsuspend Family Ben"], places: [group, member], options: [.account]),
        CommandSpec(
            "group set-role", summary: "Make a member an admin, a member or a viewer (owner)",
            examples: ["kachat-node group set-role Family Ben admin"],
            places: [group, member, PlaceSpec("ROLE", roles)], options: [.account]),
        CommandSpec(
            "group transfer", summary: "Offer a group to another member, or accept what was offered to you",
            examples: ["kachat-node group transfer Family Ben", "kachat-node group transfer Family --accept"],
            places: [group, PlaceSpec("MEMBER", .text("MEMBER"), required: false)],
            options: [.account, OptionSpec("--accept", help: "take the group over: you are its owner then")]),
        CommandSpec(
            "group pause", summary: "Send and fetch nothing of a group until it is resumed; what you post waits",
            examples: ["kachat-node group pause Family"], places: [group],
            options: [.account, OptionSpec("--by", .text("WHO"), help: "who wants it (default: you)")]),
        CommandSpec(
            "group resume", summary: "End the pause of a group",
            examples: ["kachat-node group resume Family"], places: [group], options: [.account]),
        CommandSpec(
            "group leave", summary: "Leave a group on all your devices; your own results are kept as a file",
            examples: ["kachat-node group leave Family"], places: [group], options: [.account]),
        CommandSpec(
            "group delete", summary: "Delete a group, for all and for ever (owner); or drop the copy of a deleted one",
            examples: ["kachat-node group delete Family --yes", "kachat-node group delete Family --drop"],
            places: [group],
            options: [
                .account, OptionSpec("--yes", help: "do not ask"),
                OptionSpec("--keep", help: "keep a read-only copy here (what happens without this too)"),
                OptionSpec("--drop", help: "keep nothing but your own results, as a file"),
            ]),
    ]

    private static let roles = ValueKind.choice("admin|member|viewer", ["admin", "member", "viewer"])
    package static let group = PlaceSpec("GROUP", .text("GROUP"))
    private static let member = PlaceSpec("MEMBER", .text("MEMBER"))
    private static let token = PlaceSpec("TOKEN", .text("TOKEN"), repeatable: true)
    private static let nearby = OptionSpec(
        "--nearby", help: "instead of a text: both of you compare six digits (`group invite`, `group join`)")
    private static let description = OptionSpec("--description", .text("D"), help: "what the group is about")
    private static let expires = OptionSpec(
        "--expires", .form("7d", .lifetime),
        help: "for how long: minutes, hours or days as 30m, 12h, 7d, or never (default: 7d)")
    private static let uses = OptionSpec(
        "--uses", .number("N", 1...1_000_000), help: "how many people may join with it (default: any number)")
}
