import Chat
import Glibc
import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// Changes of a home's accounts, with or without a node running on it. Changes of `identity` are durable before
/// anything else depends on them.
extension LocalNode {
    /// Adds a new account, or one that other devices have.
    ///
    /// - Parameter label: nil for one that no other account has.
    @discardableResult
    package func add(_ addition: AccountAddition, label: String?) throws(NodeError) -> NodeAccount {
        guard identity.accounts.count < Limits.accounts else {
            throw NodeError(.failed, "a node has at most \(Limits.accounts) accounts: remove one first")
        }
        let label = try label.map { label throws(NodeError) in try checked(label) } ?? freeLabel
        try checkNew(addition.keys.zone)
        let added = Identity.Account(
            label: label, keys: addition.keys, createdAt: clock.wall(), phrase: addition.phrase,
            recovery: addition.recovery, renews: addition.renews)
        let isUnlisted = home.isFree(added.keys.zone)
        if isUnlisted {
            do {
                try Files.replace(home.unlistedMark(of: added.keys.zone), with: [])
            } catch {
                throw home.notWritable(error)
            }
        }
        // The store comes first: an account in the identity whose store cannot be created would only be in the way.
        let account = try NodeAccount(
            added, entrance: addition.entrance, identity: identity, home: home, clock: clock)
        account.apply(settings)
        do throws(NodeError) {
            // Then it has not entered, and could not do so at a later start.
            if let fault = account.startFault { throw fault }
            guard account.zone.membership.ownStanding == .active else {
                throw NodeError(
                    .notAllowed, "this device is not let into the account: pair with a device that belongs to it")
            }
            try change { $0.accounts.append(added) }
        } catch {
            if isUnlisted { home.deleteStore(of: added.keys.zone) }
            throw error
        }
        home.noteListed(added.keys.zone)
        accounts.append(account)
        server?.serve(account, now: clock.now())
        return account
    }

    func checkNew(_ zone: ZoneID) throws(NodeError) {
        guard let known = identity.accounts.first(where: { $0.keys.zone == zone }) else { return }
        throw NodeError(.accountExists, "this node already has that account: \(known.label)")
    }

    /// The words of an account's recovery phrase; nil if they are not on this device.
    package func phrase(of account: NodeAccount) throws(NodeError) -> [String]? {
        let known = identity.accounts.first { $0.accountID == account.accountID }
        return try known?.phrase.map { phrase throws(NodeError) in try RecoveryPhrase.words(entropy: phrase) }
    }

    /// Checks some words of the account's recovery phrase that the user typed: if they are right, the phrase is written
    /// down, and this device forgets it.
    package func confirm(_ typed: TypedWords, at index: Int) throws(NodeError) {
        guard let phrase = identity.accounts[index].phrase else {
            throw RecoveryPhrase.isNowhere(identity.accounts[index].label)
        }
        try typed.check(against: RecoveryPhrase.words(entropy: phrase))
        try change { $0.accounts[index].phrase = nil }
    }

    package func setLabel(_ label: String, at index: Int) throws(NodeError) {
        let label = try checked(label, except: index)
        try change { $0.accounts[index].label = label }
        let id = identity.accounts[index].accountID
        accounts.first { $0.accountID == id }?.label = label
        openMissing()
    }

    /// Sets the default account, which commands use if they name none.
    package func makeDefault(at index: Int) throws(NodeError) {
        try change { $0.accounts.insert($0.accounts.remove(at: index), at: 0) }
        arrange()
    }

    /// Removes an account and everything stored for it here. Peers are told that this device leaves.
    package func removeAccount(at index: Int) throws(NodeError) {
        let zone = identity.accounts[index].keys.zone
        try change { $0.accounts.remove(at: index) }
        for account in accounts where account.zone.zone == zone {
            (account.groups + account.departing).forEach(groups.close)
            for join in account.joins where join.isSeeking {
                server?.machine.remove(rendezvous: join.attempt.handle, now: clock.now())
            }
        }
        if let position = accounts.firstIndex(where: { $0.zone.zone == zone }) {
            server?.leave(accounts[position], now: clock.now())
            accounts.remove(at: position)
        }
        arrange()
        home.deleteStore(of: zone)
    }

    /// Validates a label for an account: one line, and not used by another account.
    private func checked(_ label: String, except own: Int? = nil) throws(NodeError) -> String {
        guard (1...Limits.labelBytes).contains(label.utf8.count),
            !label.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw NodeError(.usage, "a label must be one line of 1 to \(Limits.labelBytes) bytes") }
        if let index = identity.accounts.firstIndex(where: { $0.label == label }), index != own {
            throw NodeError(.accountExists, "the label `\(label)` belongs to another account; choose another")
        }
        return label
    }

    /// `main`, then `account 2`, `account 3` and so on.
    var freeLabel: String {
        let taken = Set(identity.accounts.map(\.label))
        guard taken.contains("main") else { return "main" }
        // invariant: one more candidate than there are accounts
        return (2...(Limits.accounts + 2)).lazy.map { "account \($0)" }.first { !taken.contains($0) } ?? "account"
    }
}
