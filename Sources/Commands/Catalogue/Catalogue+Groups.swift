import Node

/// What can be done with an invitation alone.
extension Catalogue {
    package static let groups: [CommandSpec] = [
        CommandSpec(
            "group inspect", summary: "Show what an invitation allows, without joining and without any network",
            examples: ["kachat-node group inspect kachat:…"], places: [token]),
        CommandSpec(
            "group narrow", summary: "Make an invitation that allows less, to pass it on; needs nobody's help",
            examples: ["kachat-node group narrow kachat:… --role viewer --expires 1d"],
            places: [token],
            options: [
                OptionSpec("--role", RoleNaming.roles, help: "at most this role"), InviteOptions.expires,
                InviteOptions.uses,
            ]),
    ]

    private static let token = PlaceSpec("TOKEN", .text("TOKEN"), repeatable: true)
}
