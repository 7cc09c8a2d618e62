import Chat
import NodeCore
import SyncState

/// What `status` and the commands about accounts tell of a node.
package struct NodeReporter {
    private let node: LocalNode

    package init(_ node: LocalNode) { self.node = node }

    /// - Parameter only: the hexadecimal id of the only account that is told of; nil for all.
    package func status(only: String? = nil) throws -> JSONValue {
        let accounts = node.accounts.filter { only == nil || $0.accountID.hex == only }
        let unopened = node.unopened.filter { only == nil || $0.accountID.hex == only }
        node.network?.noteEnds()
        var fields: [String: JSONValue] = [
            "state": .string(node.network?.state(accounts, unopened) ?? "stopped"),
            "deviceId": .optional(accounts.first?.zone.lane.hex),
            "name": .string(name(in: accounts.first)), "version": .string(Version.current),
            "home": .string(node.home.path), "program": .string(node.program.text),
            "accounts": .array(try accounts.map(status) + unopened.map(status)),
            "reminder": .optional(only == nil ? reminder : nil),
            "backupAt": .optional(node.care.backupAt?.milliseconds),
            "peers": .array(node.network.map { network in accounts.flatMap { network.peers(of: $0) } } ?? []),
        ]
        if let network = node.network { fields.merge(network.statusFields) { _, new in new } }
        return .object(fields)
    }

    private func status(_ account: NodeAccount) throws -> JSONValue {
        let zone = account.zone
        let stats = try zone.chat.stats()
        let store = zone.store
        let served = node.network?.served(account)
        let reporter = ZoneReporter(account, of: node)
        let report = try reporter.report()
        let progress = try SyncProgress(account, served, now: node.clock.now())
        let devices = try account.devices(served, clock: node.clock)
        let update = try served.flatMap { try reporter.otherVersion($0) }
        let changedAt = try zone.changes.latestDataChange()
        let summary = ZoneSummary(
            devices: devices, changedAt: changedAt, report: report, isComplete: progress.isComplete,
            wanted: progress.wanted, queued: zone.chat.queuedCount)
        let missing = try report.state == "syncing" ? nil : reporter.missing()
        let problems = ZoneProblem.list(
            summary, code: reporter.troubleCode, update: update, missing: missing,
            unreadableSegments: zone.archive.unreadableSegments, unknownRecords: zone.unknownRecords,
            placeholders: zone.chat.stubs.count, wall: node.clock.wall(), program: node.program,
            account: node.label(of: account))
        return .object([
            "accountId": .string(account.accountID.hex), "label": .string(account.label),
            "deviceId": .string(zone.lane.hex), "state": .string(report.state),
            "reason": .optional(report.reason), "sentence": .string(report.sentence),
            "since": .optional(report.since?.milliseconds), "until": .optional(report.until?.milliseconds),
            "summary": .string(summary.text), "problems": .array(problems.map(\.json)),
            "lastChangeAt": .optional(changedAt?.milliseconds), "update": .optional(update),
            "progress": progress.json, "devices": .array(devices.map(\.json)),
            "messages": .number(stats.messages),
            "conversations": .number(stats.conversations), "unread": .number(stats.unread),
            "segments": .number(stats.segments), "queued": .number(zone.chat.queuedCount),
            "wantedBlobs": .number(store.wantedCount), "placeholders": .number(zone.chat.stubs.count),
            "records": .number(store.recordCount),
            "zoneDigest": .string(store.digest.hex),
            "caughtUp": .bool(node.network?.isCaughtUp(account) ?? false),
            "lastSyncedAt": .optional(account.lastSyncedAt?.milliseconds),
            "unreadableSegments": .number(zone.archive.unreadableSegments),
            "unknownRecords": .number(zone.unknownRecords),
            "accountOption": .optional(node.label(of: account).map { "--account " + Program.quoted($0) }),
            "phraseConfirmed": .bool(node.care.isConfirmed(account.accountID) || !hasPhrase(account.accountID)),
        ])
    }

    /// What the user should see to, so that nothing is lost with this device; nil where nothing is left to do.
    private var reminder: String? {
        node.care.reminder(of: node.names.entries.filter { hasPhrase($0.id) }, program: node.program)
    }

    private func status(_ account: UnopenedAccount) -> JSONValue {
        .object([
            "accountId": .string(account.accountID.hex), "label": .string(account.label), "state": .string("error"),
            "reason": .string(account.error.message), "sentence": .string(account.error.message),
            "summary": .string(account.error.message),
            "problems": .array([
                ZoneProblem(
                    code: account.error.code.rawValue, what: account.error.message,
                    remedy: "it is tried again by itself, once what keeps it closed is gone"
                ).json
            ]),
            "caughtUp": .bool(false),
        ])
    }

    // MARK: Accounts

    /// One account, as `account show` tells it.
    package func describe(_ account: NodeAccount) -> JSONValue {
        let zone = account.zone
        var fields = summary(of: account)
        fields["name"] = .string(name(in: account))
        fields["home"] = .string(node.home.path)
        fields["schemaVersion"] = .number(zone.accountState.state?.schemaVersion ?? Chat.Limits.schemaVersion)
        fields["syncKeyVersion"] = .number(zone.accountState.syncKeyVersion)
        fields["addedAt"] = .number(account.createdAt.milliseconds)
        fields["hasPhrase"] = .bool(hasPhrase(account.accountID))
        return .object(fields)
    }

    /// What this device is called in an account: a name that another device gave it is that account's.
    private func name(in account: NodeAccount?) -> String {
        account.flatMap { try? $0.zone.devices.name(of: $0.zone.lane) } ?? node.identity.deviceName
    }

    /// One a line, in the order of the identity.
    package func accountList() throws -> [JSONValue] {
        try node.names.entries.compactMap { entry -> JSONValue? in
            if let account = node.accounts.first(where: { $0.accountID == entry.id }) {
                var fields = summary(of: account)
                let stats = try account.zone.chat.stats()
                fields["messages"] = .number(stats.messages)
                fields["unread"] = .number(stats.unread)
                return .object(fields)
            }
            guard let missing = node.unopened.first(where: { $0.accountID == entry.id }) else { return nil }
            return .object([
                "accountId": .string(entry.id.hex), "label": .string(entry.label), "state": .string("error"),
                "isDefault": .bool(node.names.entries.first?.id == entry.id), "reason": .string(missing.error.message),
            ])
        }
    }

    private func summary(of account: NodeAccount) -> [String: JSONValue] {
        let zone = account.zone
        return [
            "accountId": .string(account.accountID.hex), "deviceId": .string(zone.lane.hex),
            "label": .string(account.label), "isDefault": .bool(node.names.entries.first?.id == account.accountID),
            "createdAt": .number((zone.accountState.state?.createdAt ?? account.createdAt).milliseconds),
            "state": .string(account.isPaused ? "paused" : node.network?.state(of: account) ?? "idle"),
            "pausedBy": .optional(zone.pause?.by), "pausedSince": .optional(zone.pause?.since.milliseconds),
        ]
    }

    /// What `account remove` is about to take from this device, and what the others have.
    package func farewell(at index: Int) throws -> [String: JSONValue] {
        let entry = node.names.entries[index]
        var fields: [String: JSONValue] = [
            "accountId": .string(entry.id.hex), "label": .string(entry.label), "hasPhrase": .bool(hasPhrase(entry.id)),
        ]
        guard let account = node.accounts.first(where: { $0.accountID == entry.id }) else { return fields }
        let zone = account.zone
        fields["messages"] = .number(try zone.chat.stats().messages)
        fields["queued"] = .number(zone.chat.queuedCount)
        fields["wantedBlobs"] = .number(zone.store.wantedCount)
        fields["devicesInSync"] = .number(node.network?.devicesInSync(account) ?? 0)
        fields["lastSyncedAt"] = .optional(account.lastSyncedAt?.milliseconds)
        return fields
    }

    private func hasPhrase(_ id: AccountID) -> Bool {
        guard let index = node.names.entries.firstIndex(where: { $0.id == id }),
            case .phrase = node.identity.accounts[index].secret
        else { return false }
        return true
    }
}
