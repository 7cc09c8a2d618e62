package import NodeCore
import SyncState

/// The node's operations on the zone other than replication.
extension GroupZone {
    /// Processes new records, and makes the result durable.
    package func commit() throws {
        keptLanes = nil
        try settle()
        if index.arrived.count >= Limits.countedAtOnce, state.genesis != nil { _ = try index.count(self) }
        let news = try newScores.takePosted(from: index, by: self, today: Day(store.wall))
        try store.commit()
        posted = (posted + news).suffix(Limits.newScores)
    }

    /// Results posted by anyone since the last call. They are durable; if nobody calls for long, only the latest are
    /// kept.
    package func takePosted() -> [PostedScore] {
        defer { posted = [] }
        return posted
    }

    /// State in memory would have to be counted again at the next start.
    package var hasUnwritten: Bool { index.hasUnwritten }

    /// Like `ZoneStore.checkGuard`: a copy of the store continues under another key.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8]) throws -> [UInt8] {
        try store.checkGuard(guardFile, place: place, token: random.identifier())
    }

    /// The time the owner deleted the group, by the owner's clock; nil while it exists.
    package var closedAt: WallTime? { state.validRecords(.close).map(\.claimedAt).min() }

    /// Lanes with two records at one place: signed proof that their key was used twice.
    package var forkedLanes: [LaneID] { store.vector.filter(\.isForked).map(\.id).sorted() }
}
