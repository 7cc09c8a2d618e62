import LeaderboardShare
import Node
import NodeCore

enum GroupNaming {
    static let group = Parameter.text("GROUP", .text("GROUP"), "its id, the beginning of it, or its title")
    /// For requests that cannot be undone: titles change, and others choose them.
    static let certainGroup = group.requested(.pattern("^[0-9a-fA-F]{64}$"), help: "the group's full id")
    /// May be left out if the account is in one group only.
    static let optionalGroup = group.optional.requested(standard: only, help: onlyHelp)
    static let inGroup = Parameter.text("--group", .text("GROUP"), "the group: " + onlyHelp).requested(standard: only)
        .placed("GROUP")

    private static let onlyHelp = "its id, the beginning of it, or its title (default `\(only)`: your only group)"
    /// Stands in a path for a group that is not named.
    fileprivate static let only = "-"
}

extension Call {
    func group(_ named: Parameter<String> = GroupNaming.group) throws(NodeError) -> NodeGroup {
        try usable(try anyGroup(named))
    }

    /// A group even if its store has no room: for a change that makes some.
    func fullGroup() throws(NodeError) -> NodeGroup {
        let group = try anyGroup(GroupNaming.group)
        if let fault = group.fault, !fault.isOutOfRoom { throw fault.known }
        return group
    }

    private func anyGroup(_ named: Parameter<String>) throws(NodeError) -> NodeGroup {
        let account = try account
        return try self.named(named) { () throws(NodeError) in
            try node.groups.group(named: self[named] ?? "", of: account)
        }
    }

    /// A group whose store has no room can still be read.
    func usable(_ group: NodeGroup) throws(NodeError) -> NodeGroup {
        if let fault = group.fault, !fault.isOutOfRoom || changesData { throw fault.known }
        return group
    }

    /// The named group; without a name, the only one.
    func onlyGroup(_ named: Parameter<String> = GroupNaming.optionalGroup) throws(NodeError) -> NodeGroup {
        if let name = self[named], name != GroupNaming.only { return try group(named) }
        let groups = try account.groups
        guard let only = groups.first else {
            if let join = try account.joins.first { throw NodeError(notYetIn: join) }
            throw NodeError(
                .notFound,
                """
                the account is in no group\
                \(advice: ": `kachat-node group create TITLE` or `kachat-node group join TOKEN`")
                """)
        }
        guard groups.count == 1 else {
            let names = groups.map { "\(Terminal.harmless($0.title)) (\($0.zone.zone.shortHex))" }
            throw NodeError(.usage, "name one of the account's groups: " + names.joined(separator: ", "))
                .blaming(named.spec.name)
        }
        return try usable(only)
    }
}
