import LeaderboardShare
import Node
import NodeCore

/// How commands name a group.
enum GroupNaming {
    static let group = Parameter.text("GROUP", .text("GROUP"))

    /// May be left out where the account is in one group only.
    static let optionalGroup = group.optional
    static let inGroup = Parameter.text(
        "--group", .text("GROUP"), "the group: id, beginning of it, or title (may be left out if there is one)")

    /// In the path of a request.
    static let inPath = group.requested(help: help)
    static let onlyInPath = optionalGroup.requested(standard: only, help: onlyHelp)
    static let inGroupInPath = inGroup.requested(standard: only, help: onlyHelp)

    private static let help = "its id, the beginning of it, or its title"
    private static let onlyHelp = help + "; `\(only)` is the only group of the account"
    /// In a path, where a group stands that need not be named.
    fileprivate static let only = "-"
}

extension Call {
    /// The group that is named.
    func group(_ named: Parameter<String> = GroupNaming.group) throws(NodeError) -> NodeGroup {
        try node.groups.group(named: self[named] ?? "", of: try account)
    }

    /// The group that is named; where none is, the only one.
    func onlyGroup(_ named: Parameter<String> = GroupNaming.optionalGroup) throws(NodeError) -> NodeGroup {
        if let name = self[named], name != GroupNaming.only { return try group(named) }
        let groups = try account.groups
        guard let only = groups.first else {
            throw NodeError(
                .notFound,
                "the account is in no group\(advice: ": `kachat-node group create` or `kachat-node group join`")")
        }
        guard groups.count == 1 else {
            throw NodeError(
                .usage, "which group? " + groups.map { Terminal.harmless($0.title) }.joined(separator: ", "))
        }
        return only
    }
}
