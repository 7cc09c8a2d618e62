package import NodeCore
package import SyncState

/// A zone of this node with its database: an account's or a group's. One thread.
package protocol NodeZone: AnyObject {
    var replicated: any ReplicatedZone { get }
    var database: Database { get }
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
    /// Data in memory would have to be derived again at the next start.
    var hasUnflushed: Bool { get }
    /// True if sessions are opened for it.
    var isServed: Bool { get }
    /// Describes an error of its store for the user.
    func fault(_ error: any Error) -> NodeError
}

extension NodeZone {
    /// This node's handle for the zone and its file.
    package var placeID: PlaceID { replicated.handle }

    /// Data waits to be written, even without requests.
    var awaitsWriting: Bool { fault == nil && (hasUnflushed || replicated.store.awaitsCommit) }

    package func fault(_ error: any Error) -> NodeError { NodeError(cause: error) }

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
