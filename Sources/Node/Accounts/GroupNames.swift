package import Chat
import LeaderboardShare
import Ledger
import NodeCore

/// The groups that a user may mean by a name.
package enum NamedGroup {
    case group(NodeGroup)
    case unopened(UnopenedGroup)
    case join(NodeJoin)
    /// The account was in it.
    case left(GroupMembership)

    private var id: ZoneID {
        switch self {
        case .group(let group): group.zone.zone
        case .unopened(let unopened): unopened.membership.group
        case .join(let join): join.group
        case .left(let membership): membership.group
        }
    }

    private var title: String {
        switch self {
        case .group(let group): group.title
        case .unopened(let unopened): unopened.membership.title
        case .join(let join): join.pending.token.title
        case .left(let membership): membership.title
        }
    }

    /// An open group outranks a closed one of that title, such as the one that it replaces, and groups that work
    /// outrank a broken one. The title of a join was chosen by its inviter, so it does not outrank a group of that
    /// title.
    private var rank: Int {
        switch self {
        case .group(let group): group.isIn && !group.zone.state.isClosed ? 3 : 2
        case .join: 3
        case .unopened: 1
        case .left: 0
        }
    }

    fileprivate static var naming: Naming<NamedGroup> {
        Naming(
            "group", list: "kachat-node group list", ids: { [$0.id.hex] }, name: \.title, rank: \.rank,
            areNamesForeign: true)
    }
}

extension GroupKeeper {
    /// The account's group with that id, title, or beginning of an id.
    ///
    /// - Parameters:
    ///   - joins: joins that wait count, too.
    ///   - left: groups that the account has left count, too.
    package func named(
        _ name: String, of account: NodeAccount, joins: Bool = false, left: Bool = false
    ) throws(NodeError) -> NamedGroup {
        let waiting = joins ? account.joins : []
        // A group that is joined again counts once.
        let groups = account.groups.filter { group in !waiting.contains { $0.group == group.zone.zone } }
        let gone = left ? account.zone.groups.all.filter(\.state.isGone) : []
        return try NamedGroup.naming.find(
            name,
            in: groups.map { .group($0) } + account.unopenedGroups.map { .unopened($0) }
                + waiting.map { .join($0) } + gone.map { .left($0) })
    }

    /// The account's open group with that id, title, or beginning of an id.
    package func group(named name: String, of account: NodeAccount) throws(NodeError) -> NodeGroup {
        let found: NamedGroup
        do throws(NodeError) {
            found = try named(name, of: account)
        } catch {
            guard case .join(let join)? = try? named(name, of: account, joins: true) else { throw error }
            throw NodeError(notYetIn: join)
        }
        switch found {
        case .group(let group): return group
        case .unopened(let unopened): throw unopened.error
        case .join, .left: preconditionFailure("invariant: neither was asked for")
        }
    }
}

extension NodeError {
    package init(notYetIn join: NodeJoin) {
        let title = Terminal.harmless(join.pending.token.title)
        self.init(.notFound, "you are not in \(title.isEmpty ? "the group" : title) yet: \(join.waitsFor)")
    }
}
