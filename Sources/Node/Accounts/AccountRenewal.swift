import Chat
import NodeCore
import SyncState

/// Continues an account whose words are lost in a new one, which has words again.
package struct AccountRenewal {
    private let node: LocalNode
    private let old: NodeAccount
    private var identity: Identity { node.identity }

    package init(of old: NodeAccount, on node: LocalNode) { (self.old, self.node) = (old, node) }

    /// The account in which the old one continues: one that was begun before, or a new one. The identity records what
    /// it is for, so that an interrupted renewal is continued.
    package func begin() throws(NodeError) -> NodeAccount {
        guard let begun = identity.accounts.first(where: { $0.renews == old.zone.zone }) else {
            return try node.add(.new(renewing: old.zone.zone), label: nil)
        }
        if let account = node.accounts.first(where: { $0.zone.zone == begun.keys.zone }) { return account }
        throw node.unopened.first { $0.accountID == begun.accountID }?.error
            ?? NodeError(.failed, "the new account \(begun.label) is not open")
    }

    /// Gives the new account, which has all that the old one had here, the old one's label and place. No effect the
    /// second time.
    package func finish(by new: NodeAccount) throws(NodeError) {
        guard let from = identity.accounts.firstIndex(where: { $0.keys.zone == old.zone.zone }),
            let to = identity.accounts.firstIndex(where: { $0.keys.zone == new.zone.zone }),
            identity.accounts[to].renewedAt == nil
        else { return }
        let (label, kept) = (old.label, oldLabel)
        try node.change {
            $0.accounts[to].renewedAt = node.clock.wall()
            $0.accounts[to].label = label
            $0.accounts[from].label = kept
            $0.accounts.insert($0.accounts.remove(at: to), at: min(from, to))
        }
        (old.label, new.label) = (kept, label)
        node.arrange()
    }

    /// The account in which this one continues, and since when; nil if it was not renewed.
    var done: (label: String, at: WallTime)? {
        guard let new = identity.accounts.first(where: { $0.renews == old.zone.zone }), let at = new.renewedAt else {
            return nil
        }
        return (new.label, at)
    }

    private var oldLabel: String {
        let label = "old " + old.label
        let isFree = !identity.accounts.contains { $0.label == label }
        return isFree && label.utf8.count <= Limits.labelBytes ? label : node.freeLabel
    }
}
