import NodeCore
import SyncState

/// What `status` and `account show` tell.
extension Node {
    func status() throws -> JSONValue {
        var fields: [String: JSONValue] = [
            "state": .string(network?.state ?? "stopped"), "deviceId": .string(account.lane.hex),
            "name": .string(identity.deviceName), "version": .string(VersionCommand.version),
            "home": .string(home.path),
            "accounts": .array([try accountStatus()]), "peers": .array(network?.peers ?? []),
        ]
        if let network { fields.merge(network.statusFields) { _, new in new } }
        return .object(fields)
    }

    private func accountStatus() throws -> JSONValue {
        let stats = try account.chat.stats()
        let store = account.store
        return .object([
            "accountId": .string(account.accountID.hex), "state": .string(network?.accountState ?? "idle"),
            "reason": .optional(fault?.message ?? network?.accountReason), "messages": .number(stats.messages),
            "conversations": .number(stats.conversations), "unread": .number(stats.unread),
            "segments": .number(stats.segments), "queued": .number(account.chat.queuedCount),
            "wantedBlobs": .number(store.wantedCount), "placeholders": .number(account.chat.stubs.count),
            "records": .number(store.recordCount),
            "zoneDigest": .string(store.digest.hex), "caughtUp": .bool(network?.isCaughtUp ?? false),
            "lastSyncedAt": .optional(network?.lastSyncedAt?.milliseconds),
            "unreadableSegments": .number(account.unreadableSegments),
            "unknownRecords": .number(account.unknownRecords),
        ])
    }

    func describeAccount() -> JSONValue {
        let first = identity.accounts.first
        return .object([
            "accountId": .string(account.accountID.hex), "deviceId": .string(account.lane.hex),
            "name": .string(identity.deviceName), "label": .optional(first?.label),
            "createdAt": .optional(first?.createdAt.milliseconds), "home": .string(home.path),
        ])
    }
}
