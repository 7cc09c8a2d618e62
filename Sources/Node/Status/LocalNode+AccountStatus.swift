import Chat
import NodeCore
import SyncState

/// The answers of commands about accounts.
extension LocalNode {
    package func describe(_ account: NodeAccount) -> JSONValue {
        let zone = account.zone
        var fields = summary(of: account)
        fields["name"] = .string(name(in: account))
        fields["home"] = .string(home.path)
        fields["schemaVersion"] = .number(zone.accountState.state?.schemaVersion ?? Chat.Limits.schemaVersion)
        fields["syncKeyVersion"] = .number(zone.accountState.syncKeyVersion)
        fields["addedAt"] = .number(account.createdAt.milliseconds)
        fields["hasPhrase"] = .bool(hasPhrase(account.accountID))
        return .object(fields)
    }

    /// This device's name in an account: a name given by another device only applies there.
    package func name(in account: NodeAccount?) -> String {
        account.flatMap { try? $0.zone.devices.name(of: $0.zone.lane) } ?? identity.deviceName
    }

    /// One entry per account, in the order of the identity.
    package func accountList() throws -> [JSONValue] {
        try names.entries.compactMap { entry -> JSONValue? in
            if let account = accounts.first(where: { $0.accountID == entry.id }) {
                var fields = summary(of: account)
                let stats = try account.zone.chat.stats()
                fields["messages"] = .number(stats.messages)
                fields["unread"] = .number(stats.unread)
                return .object(fields)
            }
            guard let missing = unopened.first(where: { $0.accountID == entry.id }) else { return nil }
            return .object([
                "accountId": .string(entry.id.hex), "label": .string(entry.label), "state": .string("error"),
                "isDefault": .bool(names.entries.first?.id == entry.id), "reason": .string(missing.error.message),
            ])
        }
    }

    private func summary(of account: NodeAccount) -> [String: JSONValue] {
        let zone = account.zone
        return [
            "accountId": .string(account.accountID.hex), "deviceId": .string(zone.lane.hex),
            "label": .string(account.label), "isDefault": .bool(names.entries.first?.id == account.accountID),
            "createdAt": .number((zone.accountState.state?.createdAt ?? account.createdAt).milliseconds),
            "state": .string(account.isPaused ? "paused" : network?.state(of: account) ?? "idle"),
            "pausedBy": .optional(zone.pause?.by), "pausedSince": .optional(zone.pause?.since.milliseconds),
        ]
    }

    /// What `account remove` is about to delete from this device, and what other devices have.
    package func farewell(at index: Int) throws -> [String: JSONValue] {
        let entry = names.entries[index]
        var fields: [String: JSONValue] = [
            "accountId": .string(entry.id.hex), "label": .string(entry.label), "hasPhrase": .bool(hasPhrase(entry.id)),
        ]
        guard let account = accounts.first(where: { $0.accountID == entry.id }) else { return fields }
        let zone = account.zone
        fields["messages"] = .number(try zone.chat.stats().messages)
        fields["queued"] = .number(zone.chat.queuedCount)
        fields["wantedBlobs"] = .number(zone.store.wantedCount)
        fields["devicesInSync"] = .number(network?.devicesInSync(account) ?? 0)
        fields["lastSyncedAt"] = .optional(account.lastSyncedAt?.milliseconds)
        return fields
    }

    func hasPhrase(_ id: AccountID) -> Bool {
        guard let index = names.entries.firstIndex(where: { $0.id == id }),
            case .phrase = identity.accounts[index].secret
        else { return false }
        return true
    }
}
