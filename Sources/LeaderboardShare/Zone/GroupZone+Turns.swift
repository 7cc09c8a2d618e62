package import NodeCore
import SyncState

/// What a node does with the zone beside replicating it.
extension GroupZone {
    /// Draws the consequences of what came in, and makes all of it durable.
    package func commit() throws {
        keptLanes = nil
        try settle()
        if index.arrived.count >= Limits.countedAtOnce, state.genesis != nil { _ = try index.count(self) }
        try store.commit()
    }

    /// Something waits in memory that would be counted anew at the next start.
    package var hasUnwritten: Bool { index.hasUnwritten }

    /// As `ZoneStore.checkGuard`: a copy of the store goes on under another key.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8]) throws -> [UInt8] {
        try store.checkGuard(guardFile, place: place, token: random.identifier())
    }

    /// When the owner deleted the group, by the owner's clock; nil while it is there.
    package var closedAt: WallTime? { state.validRecords(.close).map(\.claimedAt).min() }

    /// Lanes in which two records stand at one place: signed proof that their key was used twice.
    package var forkedLanes: [LaneID] { store.vector.filter(\.isForked).map(\.id).sorted() }
}
