package import NodeCore
import SyncState

/// A store that is an older copy, or one whose keys are lost.
extension AccountZone {
    /// As `ZoneStore.checkGuard`, with a token of this zone's.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8]) throws -> [UInt8] {
        try store.checkGuard(guardFile, place: place, token: random.identifier())
    }

    /// Goes on where a device was whose keys are lost: carries its live values over, and retires its lane. What it
    /// wrote beyond this store is read all the same, since nothing is pruned of it.
    package func takeOver(from old: LaneID) throws {
        guard old != lane, store.lane(old) != nil else { return }
        try store.begin()
        try republish(from: old)
        try store.retire(old, forkPossible: true)
        store.mustSettle = true
    }
}
