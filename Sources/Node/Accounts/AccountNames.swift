import Chat
package import NodeCore
import SyncState

/// Finds accounts of an identity by label, id, or prefix of an id.
package struct AccountNames {
    /// In the identity's order; the first is the default.
    package let entries: [(id: AccountID, label: String)]

    /// The index of the account. If `name` is nil, it means the default, and nil is returned only if there is no
    /// account.
    package func index(named name: String?) throws(NodeError) -> Int? {
        guard let name else { return entries.indices.first }
        if let index = entries.firstIndex(where: { $0.label == name }) { return index }
        let wanted = name.lowercased()
        let found = entries.indices.filter { entries[$0].id.hex.hasPrefix(wanted) }
        guard let index = found.first else {
            throw NodeError(.notFound, "there is no account `\(name)`; this node has: \(list)")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "more than one account begins with `\(name)`: \(list)")
        }
        return index
    }

    /// `main (01234567), work (…)`, for messages that ask for a choice.
    package var list: String {
        entries.isEmpty ? "none" : entries.map { "\($0.label) (\($0.id.shortHex))" }.joined(separator: ", ")
    }

    package static let none = NodeError(
        .noIdentity,
        "this node has no account\(advice: ": run `kachat-node account create` or `kachat-node account import`")")
}

extension Identity {
    package var names: AccountNames { AccountNames(entries: accounts.map { ($0.keys.accountID, $0.label) }) }
}
