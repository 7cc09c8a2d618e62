import Chat
import Gossip
import NodeCore
import SyncState

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

    /// Remembers how far the connected devices are synced: those that hold our records and request nothing.
    func noteHolds(_ served: ServedZone?) {
        guard fault == nil, let served, zone.store.wantedCount == 0 else { return }
        for peer in served.sync.peers where peer.isEqual && !served.sync.isServing(peer.session) {
            // If it cannot be stored now, it will be observed again.
            try? zone.devices.noteHolds(peer.lane)
        }
    }
}
