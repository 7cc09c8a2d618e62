import Chat
package import NodeCore
import SyncState

/// Finds accounts of an identity by label, id, or the beginning of an id.
package struct AccountNames {
    /// In the identity's order; the first is the default.
    package let entries: [(id: AccountID, label: String)]

    /// The index of the account. If `name` is nil, it means the default, and nil is returned only if there is no
    /// account.
    package func index(named name: String?) throws(NodeError) -> Int? {
        guard let name else { return entries.indices.first }
        return try naming.find(name, in: Array(entries.indices))
    }

    private var naming: Naming<Int> {
        Naming(
            "account", list: "kachat-node account list", ids: { [entries[$0].id.hex] }, name: { entries[$0].label })
    }

    /// `main (01234567), work (…)`, for messages that ask for a choice.
    package var list: String { entries.isEmpty ? "none" : naming.described(Array(entries.indices)) }

    package static let none = NodeError(
        .noIdentity,
        "this node has no account\(advice: ": run `kachat-node account create` or `kachat-node account import`")")
}

extension Identity {
    package var names: AccountNames { AccountNames(entries: accounts.map { ($0.accountID, $0.label) }) }
}
