package import Chat
import Gossip
package import NodeCore
import SyncState

/// A node in this process, with or without its network: the home, the identity, and the accounts. One thread.
package final class LocalNode {
    package let home: HomeFolder
    package let clock: any Clock
    /// Takes precedence over the settings in the file.
    package let environment: Environment
    /// Changed only by `change`.
    package private(set) var identity: Identity
    /// Accounts whose store is open, in the identity's order.
    package var accounts: [NodeAccount] = []
    /// The other accounts, in the identity's order.
    package private(set) var unopened: [UnopenedAccount] = []
    /// The user's settings; changed only by `changeSettings`.
    package var settings: NodeSettings
    /// Errors since the start.
    package let errors = ErrorTally()
    package let startedAt: WallTime
    /// Set while the node runs; nil for commands in their own process.
    weak var server: (any ZoneServer)?
    /// Wrong phrases of commands that need the person's signature.
    var wrongTries = WrongTries()
    /// The current or last pairing.
    package var pairing: NodePairing?

    package private(set) lazy var groups = GroupKeeper(self)

    /// The user's precautions, as commands record them in the home.
    private var knownCare: (care: Care, at: MonotonicTime)?

    private let lock: HomeLock

    /// Opens the home's data. The lock is held as long as the node exists. If a store cannot be opened, the others
    /// still work.
    ///
    /// - Parameter signers: let this device into the accounts of a restored backup without keys.
    package init(
        home: HomeFolder, lock: HomeLock, identity: Identity, signers: [AccountSigner] = [], clock: any Clock,
        environment: Environment = Environment([:])
    ) throws(NodeError) {
        self.environment = environment
        self.home = home
        self.lock = lock
        self.identity = identity
        self.clock = clock
        startedAt = clock.wall()
        settings = try SettingsFile.load(from: home, environment: environment)
        openMissing(signers)
        groups.follow()
    }

    /// Opens a home that has an identity, and takes its lock. Nothing else holds that identity: a phrase that it
    /// forgets is gone.
    package convenience init(home: HomeFolder, clock: any Clock, environment: Environment) throws(NodeError) {
        let identity = try IdentityFile.load(from: home)
        try home.create()
        try self.init(
            home: home, lock: try HomeLock(home), identity: identity, clock: clock, environment: environment)
    }

    /// Retries the stores that are not open, and returns the accounts opened now.
    @discardableResult
    func openMissing(_ signers: [AccountSigner] = []) -> [NodeAccount] {
        var opened: [NodeAccount] = []
        var known = accounts
        accounts = []
        unopened = []
        for account in identity.accounts {
            let id = account.accountID
            if let index = known.firstIndex(where: { $0.accountID == id }) {
                accounts.append(known.remove(at: index))
                continue
            }
            home.noteListed(account.keys.zone)
            do {
                let signer = signers.first { $0.keys.accountID == id }
                let made = try NodeAccount(
                    account, entrance: signer.map { .words($0) }, identity: identity, home: home, clock: clock)
                made.apply(settings)
                groups.loadJoins(made)
                accounts.append(made)
                opened.append(made)
            } catch {
                unopened.append(UnopenedAccount(accountID: id, label: account.label, error: error))
            }
        }
        return opened
    }

    /// Puts the accounts into the identity's order, dropping those it no longer has.
    func arrange() {
        let order = identity.accounts.map(\.accountID)
        accounts = order.compactMap { id in accounts.first { $0.accountID == id } }
        unopened = order.compactMap { id in unopened.first { $0.accountID == id } }
    }

    /// Changes the identity, starting with the file.
    package func change(_ body: (inout Identity) -> Void) throws(NodeError) {
        // A file that was removed must not reappear by itself.
        if let fault = identityFault() { throw fault }
        var changed = identity
        body(&changed)
        try IdentityFile.save(changed, to: home)
        identity = changed
    }

    /// Makes changes durable; on failure all changes of the affected account are discarded.
    package func commit() throws(NodeError) {
        for zone in zones {
            zone.replicated.store.setTime(now: clock.now(), wall: clock.wall())
            try zone.commit()
        }
        // New knowledge of a group updates the account, and new memberships open groups.
        guard groups.follow() else { return }
        for zone in zones { try zone.commit() }
    }

    /// The open stores: for each account its own, then those of its groups.
    package var zones: [any NodeZone] { accounts.flatMap { [$0] + $0.groups + $0.departing } }

    package func zone(_ id: PlaceID) -> (any NodeZone)? { zones.first { $0.placeID == id } }

    package func rollback() {
        for zone in zones { zone.rollback() }
    }

    package func close() {
        for zone in zones { zone.close() }
    }

    /// The user's precautions, at most a moment old.
    package var care: Care {
        let now = clock.now()
        if let knownCare, now - knownCare.at < Limits.carePause { return knownCare.care }
        let care = CareFile.load(from: home)
        knownCare = (care, now)
        return care
    }

    /// Renames this device, in all its accounts.
    package func rename(_ name: String) throws {
        guard (1...Chat.Limits.deviceNameBytes).contains(name.utf8.count) else { throw DeviceError.nameTooLong }
        try change { $0.deviceName = name }
        for account in accounts { try account.zone.devices.rename(name, wall: clock.wall()) }
    }

    /// The users' names of the accounts.
    package var names: AccountNames { identity.names }

    /// The account with that name; nil means the default, which is the identity's first.
    package func account(named name: String?) throws(NodeError) -> NodeAccount {
        let names = names
        guard let index = try names.index(named: name) else { throw AccountNames.none }
        let id = names.entries[index].id
        if let account = accounts.first(where: { $0.accountID == id }) { return account }
        throw unopened.first { $0.accountID == id }?.error ?? AccountNames.none
    }
}

extension LocalNode {
    // MARK: In texts

    package var program: Program { Program(home: home, environment: environment) }

    /// A command about an account, in backticks.
    package func command(_ words: String, for account: NodeAccount) -> String {
        program.command(words, account: label(of: account))
    }

    /// The account's label in commands; nil if the node has only one account.
    package func label(of account: NodeAccount) -> String? { names.entries.count > 1 ? account.label : nil }
}

extension LocalNode {
    /// The reason that the identity cannot be read from its file any more; nil if it can.
    package func identityFault() -> NodeError? {
        let reason: String
        do {
            guard try !IdentityFile.load(from: home).isSame(as: identity) else { return nil }
            reason =
                "\(home.identityPath) is not the one that this node was started with: put it back, or start the node "
                + "again"
        } catch {
            reason = error.code == .noIdentity ? "\(home.identityPath) is missing" : error.message
        }
        return NodeError(
            .badIdentity, "unlock this node: \(reason); nothing is lost, and sync continues when the identity is back")
    }
}

/// The user's settings, and applying them.
extension LocalNode {
    /// Reads the file again, since a person may have edited it meanwhile, changes it, and applies it.
    package func changeSettings(_ change: (inout NodeSettings) -> Void) throws(NodeError) {
        var changed = try SettingsFile.load(from: home, environment: environment)
        change(&changed)
        try SettingsFile.save(changed, to: home)
        apply(changed)
    }

    /// Applies the current content of the file.
    func reloadSettings() throws(NodeError) {
        apply(try SettingsFile.load(from: home, environment: environment))
    }

    private func apply(_ changed: NodeSettings) {
        let isOtherQuota =
            changed.storageQuota != settings.storageQuota || changed.groupQuota?.bytes != settings.groupQuota?.bytes
        settings = changed
        for account in accounts { account.apply(changed) }
        guard isOtherQuota, let server else { return }
        for zone in zones { server.served(zone)?.onRoom(now: clock.now()) }
    }
}

extension NodeAccount {
    /// Applies these settings.
    func apply(_ settings: NodeSettings) {
        self.settings = settings
        zone.archivePolicy = ArchivePolicy(
            messages: settings.archiveMessages, bytes: settings.archiveBytes, age: settings.archiveAge)
        // A store that cannot even be queried reports that with its next turn.
        try? database.setMost(bytes: settings.storageQuota)
        for group in groups + departing { try? group.database.setMost(bytes: settings.groupQuota?.bytes) }
        zone.policy = AccountPolicy(quiet: settings.readQuiet)
    }
}

/// Connects a node's zones with their peers while the node runs.
protocol ZoneServer: AnyObject {
    var machine: NodeMachine { get }
    /// Addresses of this node, for a joiner who hears no beacon from it.
    var joinHints: [SocketAddress] { get }

    /// Starts serving a zone.
    func serve(_ zone: any NodeZone, now: MonotonicTime)
    /// Stops serving a zone.
    func leave(_ zone: any NodeZone, now: MonotonicTime)
}

extension ZoneServer {
    func served(_ zone: any NodeZone) -> ServedZone? { machine.zone(zone.placeID) }
}
