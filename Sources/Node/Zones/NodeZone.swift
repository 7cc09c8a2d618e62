package import NodeCore
package import SyncState

/// A zone of this node with its database: an account's or a group's. One thread.
package protocol NodeZone: AnyObject {
    var replicated: any ReplicatedZone { get }
    var database: Database { get }
    /// The database's file.
    var path: String { get }
    /// The zone's account, or the one whose member takes part in the group.
    var owner: NodeAccount { get }
    /// Its name in the log.
    var name: String { get }
    /// The reason that nothing can be written now; nil if all is well.
    var fault: NodeError? { get set }
    /// The reason that nothing could be written at the start; reported once the zone is served.
    var startFault: NodeError? { get }
    /// The time to write index entries that wait in memory; nil if there are none.
    var tidyAt: MonotonicTime? { get set }
    /// Whether data in memory would have to be derived again at the next start.
    var hasUnflushed: Bool { get }
    /// True if sessions are opened for it.
    var isServed: Bool { get }
    /// Describes an error of its store for the user.
    func fault(_ error: any Error) -> NodeError
}

extension NodeZone {
    /// This node's handle for the zone and its file.
    package var placeID: PlaceID { replicated.handle }

    /// Whether data waits to be written, even without requests.
    var awaitsWriting: Bool { fault == nil && (hasUnflushed || replicated.store.awaitsCommit) }

    /// True if the store is at the user's quota.
    var isAtItsBound: Bool { (try? database.isAtItsBound()) ?? false }

    /// True if the store's limit is the user's quota and not the disk. Only valid when it has no room: when a batch
    /// that did not fit is rolled back, there is some again.
    var isAtItsQuota: Bool {
        guard database.mostBytes != nil else { return false }
        return isAtItsBound || Files.freeBytes(path).map { $0 > SyncState.Limits.journalKeptBytes } ?? false
    }

    /// The quota with which the store has room, in bytes; nil unless its quota is used.
    var neededQuota: Int? {
        guard let most = database.mostBytes, isAtItsQuota else { return nil }
        // A quota can be set below what is used.
        let used = max(most, (try? database.usedBytes()) ?? most)
        return used + replicated.store.total.wanted.bytes + SyncState.Limits.quotaReserveBytes
    }

    func fault(_ error: any Error, _ whose: String, _ quota: SettingKey) -> NodeError {
        let fault = NodeError(cause: error)
        guard fault.isOutOfRoom, let most = database.mostBytes, let neededQuota else { return fault }
        return NodeError(
            .storageFull,
            """
            storage full: the \(whose)'s quota of \(Wording.bytes(most)) is used\
            \(advice: "; raise it with `kachat-node config set \(quota.rawValue) \(neededQuota)`")
            """)
    }

    /// Makes changes durable; on failure all are discarded.
    package func commit() throws(NodeError) {
        do {
            try replicated.commit()
        } catch {
            rollback()
            throw NodeError(cause: error)
        }
    }

    package func rollback() {
        // A store that cannot be read any more reports that on the next call.
        try? replicated.rollback()
    }

    /// Writes derived data, moves the log into the database, and releases its lock. Call it after a commit.
    package func rest() throws {
        try replicated.tidy()
        try database.rest()
    }

    /// Leaves the files ready for the next start: derived data written, the log moved into the database.
    package func close() {
        do {
            try replicated.commit()
            try replicated.tidy()
            try database.checkpoint()
        } catch {
            // All of this is derived again at the next start.
            rollback()
        }
    }

    private static var addressesKey: String { "addresses" }

    /// Addresses of other devices that worked, latest first.
    func rememberedAddresses() -> [SocketAddress] {
        guard let stored = try? replicated.store.setting(Self.addressesKey) else { return [] }
        return String(decoding: stored, as: UTF8.self).split(separator: "\n").compactMap { SocketAddress(String($0)) }
    }

    /// Becomes durable with the next turn; losing one in a crash costs the wait for a beacon.
    func remember(_ address: SocketAddress) {
        let known = rememberedAddresses()
        guard known.first != address else { return }
        let list = ([address] + known.filter { $0 != address }).prefix(Limits.rememberedAddresses)
        try? replicated.store.put(
            setting: Self.addressesKey, Array(list.map(\.description).joined(separator: "\n").utf8))
    }
}

/// Starts using an opened store: nothing in it may become durable before its guard is (docs/STORAGE.md, §6).
struct StoreStart {
    package let zone: any ReplicatedZone
    let guardFile: GuardFile
    package let home: HomeFolder

    /// Does the writes of a start. On a full disk, a store that is not a copy can still be read and served: then they
    /// are done with its next commit, when there is room.
    ///
    /// - Parameter write: checks the guard and returns the content of its file; then does anything else that is due.
    /// - Returns: the reason that nothing can be written for now; nil if everything was.
    package func run(_ write: @escaping () throws -> Void) throws -> NodeError? {
        zone.store.beforeCommit = { [home] in
            do {
                try write()
            } catch let error as FileError {
                throw home.notWritable(error)
            }
        }
        do {
            // A copy must be detected before anything is written under its key.
            try zone.store.prepareCommit()
            try zone.commit()
            return nil
        } catch {
            let fault = NodeError(cause: error)
            try zone.rollback()
            guard fault.isOutOfRoom, try zone.store.fits(guardFile.content, place: guardFile.place) else { throw error }
            return fault
        }
    }
}
