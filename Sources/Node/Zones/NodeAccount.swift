package import Chat
import Gossip
package import NodeCore
package import NodeModel
package import SyncState

/// One account of a node: its zone, its database, and its condition. Accounts of one node share the device's secret and
/// nothing else. One thread.
package final class NodeAccount: NodeZone {
    package let zone: AccountZone
    package let database: Database
    package let createdAt: WallTime
    /// The database's file.
    package let path: String
    /// The user's label; unique within a node.
    package var label: String
    /// The user's settings for the node.
    package var settings = NodeSettings()
    /// The reason that nothing can be written now; nil if all is well.
    package var fault: NodeError?
    package let startFault: NodeError?
    /// The last time that all devices in reach were known to be in sync.
    var lastSyncedAt: WallTime?
    /// The digest at that time.
    var syncedDigest: ZoneDigest?
    /// The time to report `syncing` to the change feed; nil while not syncing.
    var syncingUntilTold: MonotonicTime?
    /// The time to write index entries that wait in memory; nil if there are none.
    package var tidyAt: MonotonicTime?

    /// The account's groups, including those it only keeps a copy of, ordered by id.
    package var groups: [NodeGroup] = []
    /// Groups that were left, while no member knows it yet.
    var departing: [NodeGroup] = []
    /// Groups whose store cannot be opened; they are retried with the accounts' stores.
    package var unopenedGroups: [UnopenedGroup] = []
    /// Groups that the account wants to join.
    package var joins: [NodeJoin] = []

    package var accountID: AccountID { zone.accountID }
    /// This device's lane; the device's id in the account.
    package var lane: LaneID { zone.lane }
    package var replicated: any ReplicatedZone { zone }
    package var owner: NodeAccount { self }
    package var name: String { "account \(label)" }
    package var hasUnflushed: Bool { zone.chat.hasUnflushed }
    package var isServed: Bool { true }
    /// True if the user has paused sync.
    package var isPaused: Bool { zone.pause != nil }

    package func messageCount() throws -> Int { try zone.chat.stats().messages }

    /// Free space on the store's file system.
    package var freeBytes: Int? { Files.freeBytes(path) }
    /// Size of the store, including its log.
    package var storeBytes: (database: Int, log: Int) { (Files.sizeBytes(path), Files.sizeBytes(path + "-wal")) }

    /// Opens the account's store in a home whose lock is held.
    ///
    /// - Parameter entrance: how this device enters the account; nil if it has entered before.
    init(
        _ account: Identity.Account, entrance: AccountEntrance?, identity: Identity, home: HomeFolder, clock: any Clock
    ) throws(NodeError) {
        label = account.label
        createdAt = account.createdAt
        path = home.databasePath(of: account.keys.zone)
        do {
            database = try Database(path: path)
            zone = try AccountZone(
                database: database, keys: account.keys, deviceSecret: identity.deviceSecret, entrance: entrance,
                random: SystemRandom(), now: clock.now())
            zone.membership.recovery = account.recovery.map(X25519.KeyPair.init(secret:))
            zone.chat.worker = HelperThread.shared
            zone.store.signatures.worker = HelperThread.shared
            zone.store.setTime(now: clock.now(), wall: clock.wall())
            let start = StoreStart(zone: zone, guardFile: GuardFile(databasePath: path), home: home)
            startFault = try start.run { [unowned zone, guardFile = start.guardFile] in
                try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
                try zone.devices.describe(name: identity.deviceName, appVersion: Version.current, wall: clock.wall())
                try zone.accountState.declare(createdAt: account.createdAt)
                if case .words(let signer)? = entrance { try zone.inGroups.persons.list(by: signer) }
            }
        } catch {
            throw NodeError(cause: error)
        }
        lastSyncedAt = storedSyncTime()
    }

    /// Whether nobody takes what this device writes.
    package var isShutOut: Bool { zone.membership.isOver }

    /// Describes an error of the account's store for the user.
    package func fault(_ error: any Error) -> NodeError {
        fault(error, "account", .storageQuota)
    }

    /// Describes an error of the store of the account, or of one of its groups.
    package func faultOfAny(_ error: any Error) -> NodeError {
        let fault = fault(error)
        guard fault.isOutOfRoom, !isAtItsBound,
            let group = groups.first(where: { $0.replicated.store.hasUncommitted && $0.isAtItsBound })
        else { return fault }
        return group.fault(error)
    }
}

/// An account whose store cannot be opened: the others work without it.
package struct UnopenedAccount {
    package let accountID: AccountID
    package let label: String
    package let error: NodeError

    package func problem(_ program: Program) -> AccountProblem {
        let isDamaged = error.code == .storageDamaged
        return AccountProblem(
            code: error.code.rawValue, what: error.sentence.fact,
            remedy: isDamaged ? NodeError.damageRemedy : "it is retried automatically once the cause is gone",
            command: isDamaged ? NodeError.damageCommands(program) : nil)
    }
}

/// Reporting an account's sync state to its change feed.
extension NodeAccount {
    /// Notes the account's state. `syncing` is only noted if it lasts: changing the state with each message would make
    /// an app's display flicker.
    ///
    /// - Returns: the time to call again even if nothing happens; nil if everything is noted.
    package func note(state: String, now: MonotonicTime) -> MonotonicTime? {
        guard fault == nil else { return nil }
        if state == "syncing" {
            let due = syncingUntilTold ?? now + Limits.syncingBeforeTold
            syncingUntilTold = due
            guard now >= due else { return due }
        } else {
            syncingUntilTold = nil
        }
        // A store that cannot be read reports that on its next use.
        try? zone.changes.note(state: state)
        return nil
    }
}

/// Small values that a node keeps for an account across restarts, beside its data.
extension NodeAccount {
    private static let syncTimeKey = "synced at"

    func storedSyncTime() -> WallTime? {
        guard let stored = try? zone.store.setting(Self.syncTimeKey) else { return nil }
        return Int64(String(decoding: stored, as: UTF8.self)).map { WallTime(milliseconds: $0) }
    }

    /// Stores `lastSyncedAt` for the next start.
    func storeSyncTime() {
        guard let lastSyncedAt else { return }
        try? zone.store.put(setting: Self.syncTimeKey, Array(String(lastSyncedAt.milliseconds).utf8))
    }
}
