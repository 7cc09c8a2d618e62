package import Chat
package import NodeCore
import SyncState

/// A node of this process, with or without its network: the home, who we are, and the accounts. One thread.
package final class LocalNode {
    package let home: HomeFolder
    package let clock: any Clock
    /// What counts before the settings of the file.
    package let environment: Environment
    /// Changed by `change` only.
    package private(set) var identity: Identity
    /// Those whose store is open, in the identity's order.
    package var accounts: [NodeAccount] = []
    /// The others, in the identity's order.
    package private(set) var unopened: [UnopenedAccount] = []
    /// What the user has set; changed by `changeSettings` only.
    package var settings: NodeSettings
    /// Trouble met since the start.
    package let errors = ErrorTally()
    package let startedAt: WallTime
    /// While the node runs; commands that work in their own process have none.
    package weak var network: NodeNetwork?
    /// What the node's pairing is for, the one that goes on or the last one.
    package var pairing: NodePairing?

    /// What the user has seen to, as commands note it in the home.
    private var knownCare: (care: Care, at: MonotonicTime)?

    private let lock: HomeLock
    /// Those of the identity's accounts, in its order.
    package var keys: [AccountKeys]

    /// Opens the home's data. The lock is held as long as the node lives. A store that cannot be opened leaves the
    /// others working.
    package init(
        home: HomeFolder, lock: HomeLock, identity: Identity, clock: any Clock,
        environment: Environment = Environment([:])
    ) throws(NodeError) {
        self.environment = environment
        self.home = home
        self.lock = lock
        self.identity = identity
        self.clock = clock
        startedAt = clock.wall()
        settings = try SettingsFile.load(from: home, environment: environment)
        keys = try identity.accountKeys()
        openMissing()
        followGroups()
    }

    /// Tries the stores that are not open, and gives the accounts that now are.
    @discardableResult
    func openMissing() -> [NodeAccount] {
        var opened: [NodeAccount] = []
        var known = accounts
        accounts = []
        unopened = []
        for (account, keys) in zip(identity.accounts, keys) {
            if let index = known.firstIndex(where: { $0.accountID == keys.accountID }) {
                accounts.append(known.remove(at: index))
                continue
            }
            do {
                let made = try NodeAccount(account, keys: keys, identity: identity, home: home, clock: clock)
                made.apply(settings)
                loadJoins(made)
                accounts.append(made)
                opened.append(made)
            } catch {
                unopened.append(UnopenedAccount(accountID: keys.accountID, label: account.label, error: error))
            }
        }
        return opened
    }

    /// Puts the accounts in the identity's order, without those that it has no longer.
    func arrange() {
        let order = keys.map(\.accountID)
        accounts = order.compactMap { id in accounts.first { $0.accountID == id } }
        unopened = order.compactMap { id in unopened.first { $0.accountID == id } }
    }

    /// Changes the identity, in the file first.
    package func change(_ body: (inout Identity) -> Void) throws(NodeError) {
        // What was taken away is not to come back by itself.
        if let fault = identityFault() { throw fault }
        var changed = identity
        body(&changed)
        try IdentityFile.save(changed, to: home)
        identity = changed
    }

    /// Makes durable what was changed; on failure nothing of it remains in the account concerned.
    package func commit() throws(NodeError) {
        for zone in zones {
            zone.replicated.store.setTime(now: clock.now(), wall: clock.wall())
            try zone.commit()
        }
        // What became known of a group is told to the account, and what became known of a membership opens a group.
        guard followGroups() else { return }
        for zone in zones { try zone.commit() }
    }

    /// The open stores: of each account its own, then those of its groups.
    package var zones: [any NodeZone] { accounts.flatMap { [$0] + $0.groups + $0.departing } }

    package func rollback() {
        for zone in zones { zone.rollback() }
    }

    package func close() {
        for zone in zones { zone.close() }
    }

    /// What the user has seen to, at most a moment old.
    package var care: Care {
        let now = clock.now()
        if let knownCare, now - knownCare.at < Limits.carePause { return knownCare.care }
        let care = CareFile.load(from: home)
        knownCare = (care, now)
        return care
    }

    /// Gives this device another name, which it tells in all its accounts.
    package func rename(_ name: String) throws {
        guard (1...Chat.Limits.deviceNameBytes).contains(name.utf8.count) else { throw DeviceError.nameTooLong }
        try change { $0.deviceName = name }
        for account in accounts { try account.zone.rename(name, wall: clock.wall()) }
    }

    /// What users call the accounts.
    package var names: AccountNames { identity.names(keys) }

    /// The account of that name; nil means the default, which is the identity's first.
    package func account(named name: String?) throws(NodeError) -> NodeAccount {
        let names = names
        guard let index = try names.index(named: name) else { throw AccountNames.none }
        let id = names.entries[index].id
        if let account = accounts.first(where: { $0.accountID == id }) { return account }
        throw unopened.first { $0.accountID == id }?.error ?? AccountNames.none
    }
}
