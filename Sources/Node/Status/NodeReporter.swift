import Chat
import NodeCore
package import NodeModel
import SyncState

/// Builds the answers to `status` and the account commands.
package struct NodeReporter {
    private let node: LocalNode

    package init(_ node: LocalNode) { self.node = node }

    /// - Parameter only: the hexadecimal id of the only account to report; nil for all.
    package func status(only: String? = nil) throws -> NodeStatus {
        let accounts = node.accounts.filter { only == nil || $0.accountID.hex == only }
        let unopened = node.unopened.filter { only == nil || $0.accountID.hex == only }
        node.network?.noteEnds()
        var status = NodeStatus()
        status.state = node.network?.state(accounts, unopened) ?? "stopped"
        status.deviceId = accounts.first?.zone.lane.hex
        status.name = name(in: accounts.first)
        status.version = Version.current
        status.home = node.home.path
        status.program = node.program.text
        status.accounts = try accounts.map(self.status) + unopened.map(self.status)
        status.verdict = status.accounts.map(\.verdict).max()
        status.reminder = only == nil ? reminder(canBackUp: status.verdict != .error) : nil
        status.backupAt = node.care.backupAt.map { Int($0.milliseconds) }
        status.peers = node.network.map { network in accounts.flatMap { network.peers(of: $0) } } ?? []
        status.running = node.network?.runningStatus
        return status
    }

    private func status(_ account: NodeAccount) throws -> AccountStatus {
        let zone = account.zone
        let stats = try zone.chat.stats()
        let store = zone.store
        let served = node.network?.served(account)
        let reporter = ZoneReporter(account, of: node)
        let facts = try reporter.facts()
        let report = facts.report
        let update = try served.flatMap { try reporter.otherVersion($0) }
        let missing = try reporter.missing()?.parts ?? []
        var status = AccountStatus()
        status.accountId = account.accountID.hex
        status.label = account.label
        status.verdict = facts.verdict
        status.missing = missing.map(MissingPart.init)
        if facts.placeholders > 0 { status.missing.append(MissingPart(placeholders: facts.placeholders)) }
        status.state = report.state
        status.reason = report.reason
        status.sentence = report.sentence
        status.summary = facts.summary
        status.problems = AccountProblem.list(
            facts, code: reporter.troubleCode, update: update,
            // Messages on their way are no problem.
            missing: facts.verdict == .syncing ? [] : missing, wall: node.clock.wall(), program: node.program)
        status.problems += AccountProblem.ofLedger(account, facts.devices, of: node)
        status.caughtUp = facts.isCaughtUp
        var told = StoreStatus()
        told.deviceId = zone.lane.hex
        told.since = report.since.map { Int($0.milliseconds) }
        told.until = report.until.map { Int($0.milliseconds) }
        told.lastChangeAt = facts.changedAt.map { Int($0.milliseconds) }
        told.update = update
        told.progress = try RestoreProgress(account, served, now: node.clock.now())
        told.devices = try facts.devices.map { try DeviceStatus($0, in: zone) }
        told.messages = stats.messages
        told.conversations = stats.conversations
        told.unread = stats.unread
        told.segments = stats.segments
        told.queued = facts.queued
        told.wantedBlobs = Int(store.wantedCount)
        told.placeholders = facts.placeholders
        told.records = Int(store.recordCount)
        told.zoneDigest = store.digest.hex
        told.lastSyncedAt = account.lastSyncedAt.map { Int($0.milliseconds) }
        told.unreadableSegments = facts.unreadableSegments
        told.unknownRecords = facts.unknownRecords
        told.accountOption = node.label(of: account).map { "--account " + Program.quoted($0) }
        told.phraseOnDevice = hasPhrase(account.accountID)
        status.store = told
        return status
    }

    /// The user's pending precautions against losing data with this device; nil if there are none.
    private func reminder(canBackUp: Bool) -> String? {
        let accounts = node.identity.accounts
        return node.care.reminder(
            unwritten: accounts.filter { $0.phrase != nil }.map { accounts.count > 1 ? $0.label : nil },
            canBackUp: canBackUp)
    }

    // MARK: Accounts
    package func describe(_ account: NodeAccount) -> AccountDetails {
        let zone = account.zone
        var details = AccountDetails()
        details.accountId = account.accountID.hex
        details.deviceId = zone.lane.hex
        details.name = name(in: account)
        details.label = account.label
        details.isDefault = isDefault(account.accountID)
        details.state = state(of: account)
        details.createdAt = createdAt(account)
        details.addedAt = Int(account.createdAt.milliseconds)
        // Any device of the account may have written any number.
        details.schemaVersion = Int(clamping: zone.accountState.state?.schemaVersion ?? Chat.Limits.schemaVersion)
        details.epoch = Int(zone.membership.epoch)
        details.phraseOnDevice = hasPhrase(account.accountID)
        details.pausedBy = zone.pause?.by
        details.pausedSince = zone.pause.map { Int($0.since.milliseconds) }
        details.home = node.home.path
        return details
    }

    /// This device's name in an account, where another device may have renamed it.
    private func name(in account: NodeAccount?) -> String {
        account.flatMap { try? $0.zone.devices.name(of: $0.zone.lane) } ?? node.identity.deviceName
    }

    /// The accounts, in the identity's order.
    package func accountList() throws -> [Account] {
        try node.names.entries.compactMap { entry -> Account? in
            var listed = Account()
            listed.accountId = entry.id.hex
            listed.label = entry.label
            listed.isDefault = isDefault(entry.id)
            if let account = node.accounts.first(where: { $0.accountID == entry.id }) {
                let stats = try account.zone.chat.stats()
                listed.state = state(of: account)
                var store = Account.Store()
                store.deviceId = account.zone.lane.hex
                store.createdAt = createdAt(account)
                store.pausedBy = account.zone.pause?.by
                store.pausedSince = account.zone.pause.map { Int($0.since.milliseconds) }
                store.messages = stats.messages
                store.unread = stats.unread
                listed.store = store
                return listed
            }
            guard let missing = node.unopened.first(where: { $0.accountID == entry.id }) else { return nil }
            listed.state = "error"
            listed.reason = missing.error.sentence.fact
            return listed
        }
    }

    private func isDefault(_ id: AccountID) -> Bool { node.names.entries.first?.id == id }

    private func state(of account: NodeAccount) -> String {
        if account.isPaused { return "paused" }
        return (try? ZoneReporter(account, of: node).report().state) ?? "idle"
    }

    /// In milliseconds since 1970.
    private func createdAt(_ account: NodeAccount) -> Int {
        Int((account.zone.accountState.state?.createdAt ?? account.createdAt).milliseconds)
    }

    /// The data that `account remove` would delete from this device, and how much of it other devices have.
    package func farewell(at index: Int) throws -> RemovedAccount {
        let entry = node.names.entries[index]
        var farewell = RemovedAccount()
        farewell.accountId = entry.id.hex
        farewell.label = entry.label
        farewell.phraseOnDevice = hasPhrase(entry.id)
        guard let account = node.accounts.first(where: { $0.accountID == entry.id }) else { return farewell }
        let zone = account.zone
        var store = RemovedAccount.Store()
        store.messages = try account.messageCount()
        store.queued = zone.chat.queuedCount
        store.wantedBlobs = Int(zone.store.wantedCount)
        store.devicesInSync = node.network?.devicesInSync(account) ?? 0
        store.lastSyncedAt = account.lastSyncedAt.map { Int($0.milliseconds) }
        farewell.store = store
        return farewell
    }

    private func status(_ account: UnopenedAccount) -> AccountStatus {
        let problem = account.problem(node.program)
        var status = AccountStatus()
        (status.accountId, status.label, status.state) = (account.accountID.hex, account.label, "error")
        (status.reason, status.sentence, status.summary) = (problem.what, problem.what, problem.what)
        status.problems = [problem]
        return status
    }

    private func hasPhrase(_ id: AccountID) -> Bool {
        node.identity.accounts.contains { $0.accountID == id && $0.phrase != nil }
    }
}
