import NodeCore
import SyncState

/// Small things that a node keeps of an account across restarts, beside its data.
extension NodeAccount {
    private static let addressesKey = "addresses"
    private static let syncTimeKey = "synced at"

    /// Addresses of other devices that worked, the latest first.
    func rememberedAddresses() -> [SocketAddress] {
        guard let stored = try? zone.store.setting(Self.addressesKey) else { return [] }
        return String(decoding: stored, as: UTF8.self).split(separator: "\n").compactMap { SocketAddress(String($0)) }
    }

    /// Becomes durable with the next turn; forgetting one in a crash costs a beacon's wait.
    func remember(_ address: SocketAddress) {
        let known = rememberedAddresses()
        guard known.first != address else { return }
        let list = ([address] + known.filter { $0 != address }).prefix(Limits.rememberedAddresses)
        try? zone.store.put(
            setting: Self.addressesKey, Array(list.map(\.description).joined(separator: "\n").utf8))
    }

    func storedSyncTime() -> WallTime? {
        guard let stored = try? zone.store.setting(Self.syncTimeKey) else { return nil }
        return Int64(String(decoding: stored, as: UTF8.self)).map { WallTime(milliseconds: $0) }
    }

    /// Keeps `lastSyncedAt` for the next start.
    func storeSyncTime() {
        guard let lastSyncedAt else { return }
        try? zone.store.put(setting: Self.syncTimeKey, Array(String(lastSyncedAt.milliseconds).utf8))
    }
}
