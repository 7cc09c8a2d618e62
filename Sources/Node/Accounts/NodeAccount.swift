package import Chat
package import LeaderboardShare
package import NodeCore
package import SyncState

/// One account of a node: its zone, the database beneath it, and how it fares. Accounts of one node share the device's
/// secret and nothing else. One thread.
package final class NodeAccount: NodeZone {
    package let zone: AccountZone
    package let database: Database
    package let createdAt: WallTime
    /// The database's file.
    package let path: String
    /// What the user calls it; no two accounts of a node have the same.
    package var label: String
    /// What the user has set for the node.
    package var settings = NodeSettings()
    /// Why nothing can be written at the moment; nil while all is well.
    package var fault: NodeError?
    package let startFault: NodeError?
    /// When all devices in reach were last known to hold the same.
    var lastSyncedAt: WallTime?
    /// The digest that was in sync when that was noted.
    var syncedDigest: ZoneDigest?
    /// When the change feed is told that the account is syncing; nil while it is not.
    var syncingUntilTold: MonotonicTime?
    /// When index entries that wait in memory are written; nil while there are none.
    package var tidyAt: MonotonicTime?

    /// The groups that the account takes part in, or of which there is a copy here, in the order of their ids.
    package var groups: [NodeGroup] = []
    /// Groups that were left, of which the others do not know yet.
    var departing: [NodeGroup] = []
    /// Groups whose store cannot be opened; they are tried again with the accounts' stores.
    package var unopenedGroups: [UnopenedGroup] = []
    /// Groups that the account wants into.
    package var joins: [NodeJoin] = []
    /// Why a member did not let it in; until the command that waits for it has told.
    package var refusedJoins: [ZoneID: JoinRefusal] = [:]
    /// What of the memberships `groups` was made by.
    var followedMemberships: UInt64?

    package var accountID: AccountID { zone.accountID }
    package var replicated: any ReplicatedZone { zone }
    package var owner: NodeAccount { self }
    package var name: String { "account \(label)" }
    package var hasUnflushed: Bool { zone.chat.hasUnflushed }
    package var isServed: Bool { true }
    /// The user wants nothing sent or fetched for now.
    package var isPaused: Bool { zone.pause != nil }

    /// Room on the file system that the store lies on.
    package var freeBytes: Int? { Files.freeBytes(path) }
    /// Of a store without room, whether it is the user's bound and not the disk.
    var isAtItsQuota: Bool { (try? database.isAtItsBound()) ?? false }
    /// What the store takes there, its log included.
    package var storeBytes: (database: Int, log: Int) { (Files.sizeBytes(path), Files.sizeBytes(path + "-wal")) }

    /// Opens the account's store in a home whose lock is held.
    ///
    /// - Parameter version: of the keys to begin with, where a new store is not to begin with the first.
    init(
        _ account: Identity.Account, keys: AccountKeys, identity: Identity, home: HomeFolder, clock: any Clock,
        version: UInt64? = nil
    ) throws(NodeError) {
        label = account.label
        createdAt = account.createdAt
        path = home.databasePath(of: keys.zone)
        do {
            database = try Database(path: path)
            zone = try AccountZone(
                database: database, keys: keys, deviceSecret: identity.deviceSecret, random: SystemRandom(),
                now: clock.now())
            zone.chat.worker = HelperThread.shared
            zone.store.setTime(now: clock.now(), wall: clock.wall())
            if let version { try zone.accountState.adopt(syncKeyVersion: version) }
            let start = StoreStart(zone: zone, guardFile: GuardFile(databasePath: path), home: home)
            startFault = try start.run { [unowned zone, guardFile = start.guardFile] in
                try guardFile.write(try zone.checkGuard(guardFile.content, place: guardFile.place))
                try zone.describe(name: identity.deviceName, appVersion: Version.current, wall: clock.wall())
                try zone.declare(createdAt: account.createdAt)
            }
        } catch {
            throw NodeError(cause: error)
        }
        lastSyncedAt = storedSyncTime()
    }

    /// An error of the account's store, in words for the user.
    package func fault(_ error: any Error) -> NodeError {
        let fault = NodeError(cause: error)
        guard fault.isOutOfRoom, let most = database.mostBytes, isAtItsQuota else { return fault }
        return NodeError(
            .storageFull,
            "storage full: the account's quota of \(Wording.bytes(most)) is used; "
                + "`kachat-node config set storage.quotaBytes N` raises it")
    }
}

/// An account whose store cannot be opened: the others work without it.
package struct UnopenedAccount {
    package let accountID: AccountID
    package let label: String
    package let error: NodeError
}
