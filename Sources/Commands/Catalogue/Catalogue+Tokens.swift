import Node

/// `token …`
extension Catalogue {
    package static let tokens: [CommandSpec] = [
        CommandSpec(
            "token create", summary: "Make a token for an app: what it may do with the local API",
            examples: [
                "kachat-node token create --scope chat:read",
                "kachat-node token create --scope chat:read,chat:write --account work --name chatapp --expires 90",
            ],
            options: [
                OptionSpec("--scope", .form("S[,S]", .scopes), required: true, help: "of \(APIScope.names)"),
                .account,
                OptionSpec(
                    "--name", .line("N", bytes: Node.Limits.labelBytes), help: "what it is for, as `token list` shows"),
                OptionSpec("--expires", .number("DAYS", 1...3650), help: "days after which it is good no more"),
            ]),
        CommandSpec(
            "token list", summary: "List the tokens that were given out; their text is not kept",
            examples: ["kachat-node token list"]),
        CommandSpec(
            "token revoke", summary: "Make a token good for nothing, at once",
            examples: ["kachat-node token revoke 1f2e3d4c"],
            places: [PlaceSpec("ID", .text("ID"))]),
    ]
}
