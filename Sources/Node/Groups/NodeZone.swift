package import NodeCore
package import SyncState

/// A zone of this node with the database beneath it: an account's, or a group's. One thread.
package protocol NodeZone: AnyObject {
    var replicated: any ReplicatedZone { get }
    var database: Database { get }
    /// The account whose zone it is, or whose member takes part in the group.
    var owner: NodeAccount { get }
    /// As the log calls it.
    var name: String { get }
    /// Why nothing can be written at the moment; nil while all is well.
    var fault: NodeError? { get set }
    /// Why nothing could be written at the start; told to who serves the zone.
    var startFault: NodeError? { get }
    /// When index entries that wait in memory are written; nil while there are none.
    var tidyAt: MonotonicTime? { get set }
    /// Something waits that would be derived anew at the next start.
    var hasUnflushed: Bool { get }
    /// Whether peers are met for it.
    var isServed: Bool { get }
    /// An error of its store, in words for the user.
    func fault(_ error: any Error) -> NodeError
}

extension NodeZone {
    /// What this node calls the zone, and its file.
    package var placeID: PlaceID { replicated.handle }

    /// Something waits to be written, though nobody asks for anything.
    var awaitsWriting: Bool { fault == nil && (hasUnflushed || replicated.store.awaitsCommit) }

    package func fault(_ error: any Error) -> NodeError { NodeError(cause: error) }

    /// Makes durable what was changed; on failure nothing of it remains.
    package func commit() throws(NodeError) {
        do {
            try replicated.commit()
        } catch {
            rollback()
            throw NodeError(cause: error)
        }
    }

    package func rollback() {
        // A store that cannot be read any more says so at the next call.
        try? replicated.rollback()
    }

    /// Writes the derived parts, moves the log into the database, and lets go of its lock; to be called after a commit.
    package func rest() throws {
        try replicated.tidy()
        try database.rest()
    }

    /// Leaves the files as a next start wants them: derived parts written, the log moved into the database.
    package func close() {
        do {
            try replicated.commit()
            try replicated.tidy()
            try database.checkpoint()
        } catch {
            // All of this is derived anew at the next start.
            rollback()
        }
    }

    private static var addressesKey: String { "addresses" }

    /// Addresses of other devices that worked, the latest first.
    func rememberedAddresses() -> [SocketAddress] {
        guard let stored = try? replicated.store.setting(Self.addressesKey) else { return [] }
        return String(decoding: stored, as: UTF8.self).split(separator: "\n").compactMap { SocketAddress(String($0)) }
    }

    /// Becomes durable with the next turn; forgetting one in a crash costs a beacon's wait.
    func remember(_ address: SocketAddress) {
        let known = rememberedAddresses()
        guard known.first != address else { return }
        let list = ([address] + known.filter { $0 != address }).prefix(Limits.rememberedAddresses)
        try? replicated.store.put(
            setting: Self.addressesKey, Array(list.map(\.description).joined(separator: "\n").utf8))
    }
}
