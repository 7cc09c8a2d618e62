import Chat
import NodeCore
import SyncState

/// The output of `status`.
extension LocalNode {
    /// - Parameter only: the hexadecimal id of the only account to include; nil for all.
    package func status(only: String? = nil) throws -> JSONValue {
        let accounts = accounts.filter { only == nil || $0.accountID.hex == only }
        let unopened = unopened.filter { only == nil || $0.accountID.hex == only }
        network?.noteEnds()
        var fields: [String: JSONValue] = [
            "state": .string(network?.state(accounts, unopened) ?? "stopped"),
            "deviceId": .optional(accounts.first?.zone.lane.hex),
            "name": .string(name(in: accounts.first)), "version": .string(Version.current),
            "home": .string(home.path), "program": .string(program.text),
            "accounts": .array(try accounts.map(status) + unopened.map(status)),
            "reminder": .optional(only == nil ? reminder : nil), "backupAt": .optional(care.backupAt?.milliseconds),
            "peers": .array(network.map { network in accounts.flatMap { network.peers(of: $0) } } ?? []),
        ]
        if let network { fields.merge(network.statusFields) { _, new in new } }
        return .object(fields)
    }

    private func status(_ account: NodeAccount) throws -> JSONValue {
        let zone = account.zone
        let stats = try zone.chat.stats()
        let store = zone.store
        let served = network?.served(account)
        let reporter = ZoneReporter(account, of: self)
        let report = try reporter.report()
        let progress = try SyncProgress(account, served, now: clock.now())
        let devices = try account.devices(served, clock: clock)
        let update = try served.flatMap { try reporter.otherVersion($0) }
        let changedAt = try zone.changes.latestDataChange()
        let summary = ZoneSummary(
            devices: devices, changedAt: changedAt, report: report, isComplete: progress.isComplete,
            wanted: progress.wanted, queued: zone.chat.queuedCount)
        let missing = try report.state == "syncing" ? nil : reporter.missing()
        let problems = ZoneProblem.list(
            summary, code: troubleCode(account), update: update, missing: missing,
            unreadableSegments: zone.archive.unreadableSegments, unknownRecords: zone.unknownRecords,
            placeholders: zone.chat.stubs.count, wall: clock.wall(), program: program, account: label(of: account))
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
            "caughtUp": .bool(network?.isCaughtUp(account) ?? false),
            "lastSyncedAt": .optional(account.lastSyncedAt?.milliseconds),
            "unreadableSegments": .number(zone.archive.unreadableSegments),
            "unknownRecords": .number(zone.unknownRecords),
            "accountOption": .optional(label(of: account).map { "--account " + Program.quoted($0) }),
            "phraseConfirmed": .bool(care.isConfirmed(account.accountID) || !hasPhrase(account.accountID)),
        ])
    }

    /// What the user should do so that nothing is lost with this device; nil if nothing is left to do.
    private var reminder: String? {
        care.reminder(of: names.entries.filter { hasPhrase($0.id) }, program: program)
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
}
