import NodeCore
import SyncState

/// Small things that a node keeps across restarts, beside its data.
extension Node {
    private static let addressesKey = "addresses"
    private static let syncTimeKey = "synced at"

    /// Addresses of other devices that worked, the latest first.
    func rememberedAddresses() -> [SocketAddress] {
        guard let stored = try? account.store.setting(Node.addressesKey) else { return [] }
        return String(decoding: stored, as: UTF8.self).split(separator: "\n").compactMap { SocketAddress(String($0)) }
    }

    /// Becomes durable with the next turn; forgetting one in a crash costs a beacon's wait.
    func remember(_ address: SocketAddress) {
        let known = rememberedAddresses()
        guard known.first != address else { return }
        let list = ([address] + known.filter { $0 != address }).prefix(Limits.rememberedAddresses)
        try? account.store.put(
            setting: Node.addressesKey, Array(list.map(\.description).joined(separator: "\n").utf8))
    }

    func storedSyncTime() -> WallTime? {
        guard let stored = try? account.store.setting(Node.syncTimeKey) else { return nil }
        return Int64(String(decoding: stored, as: UTF8.self)).map { WallTime(milliseconds: $0) }
    }

    func store(syncTime: WallTime) {
        try? account.store.put(setting: Node.syncTimeKey, Array(String(syncTime.milliseconds).utf8))
    }
}
