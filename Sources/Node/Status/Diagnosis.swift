import Chat
import Gossip
import NodeCore
package import NodeModel
import SyncState
import Transport

/// The answer to `diagnostics`, safe to post in public. Devices and accounts have short hashes, the same in each report
/// of this person. Names, addresses, conversations and texts are left out.
package struct Diagnosis {
    private let node: LocalNode

    package init(_ node: LocalNode) { self.node = node }

    package func report() throws -> Diagnostics {
        var told = Diagnostics()
        told.version = Version.current
        told.protocolVersion = Int(Gossip.Limits.protocolVersion)
        told.sqlite = Database.libraryVersion
        told.state = node.network?.state ?? "stopped"
        told.startedAt = Int(node.startedAt.milliseconds)
        told.errors = node.errors.entries
        told.accounts = try node.accounts.map(diagnosis) + node.unopened.map(diagnosis)
        told.interfaces = node.network?.discovery.interfaces ?? []
        let running = node.network?.runningStatus
        told.refused = running?.refused
        told.foreignBeacons = running?.foreignBeacons
        return told
    }

    private func diagnosis(_ account: UnopenedAccount) -> AccountDiagnosis {
        var told = AccountDiagnosis()
        told.account = Self.short(account.accountID.bytes)
        told.state = "error"
        told.code = account.error.code.rawValue
        return told
    }

    private func diagnosis(_ account: NodeAccount) throws -> AccountDiagnosis {
        let reporter = ZoneReporter(account, of: node)
        let report = try reporter.report()
        var told = AccountDiagnosis()
        told.account = Self.short(account.accountID.bytes)
        told.state = report.state
        told.code = reporter.faultCode
        told.opened = try opened(account, reporter)
        return told
    }

    private func opened(_ account: NodeAccount, _ reporter: ZoneReporter) throws -> AccountDiagnosis.Opened {
        let (zone, store, report) = (account.zone, account.zone.store, try reporter.report())
        let served = node.network?.served(account)
        let stats = try zone.chat.stats()
        var told = AccountDiagnosis.Opened()
        told.obstacle = reporter.obstacle
        told.since = report.since.map { Int($0.milliseconds) }
        told.until = report.until.map { Int($0.milliseconds) }
        told.lastSyncedAt = account.lastSyncedAt.map { Int($0.milliseconds) }
        told.caughtUp = try reporter.facts().isCaughtUp
        told.messages = stats.messages
        told.conversations = stats.conversations
        told.unread = stats.unread
        told.placeholders = zone.chat.stubs.count
        told.queue = stats.queued
        told.unflushed = stats.unflushed
        told.progress = try RestoreProgress(account, served, now: node.clock.now())
        (told.store.databaseBytes, told.store.logBytes) = account.storeBytes
        told.store.freeBytes = account.freeBytes
        told.store.records = Int(store.recordCount)
        told.store.segments = stats.segments
        told.store.digest = String(store.digest.hex.prefix(16))
        told.lanes = store.vector.map { lane($0, zone) }
        told.devices = try devices(account, served)
        told.unknownRecords = zone.unknownRecords
        told.unreadableSegments = zone.archive.unreadableSegments + zone.store.orphanCount
        told.newerSegments = try zone.chat.newerSegments.counts().map { count in
            var newer = AccountDiagnosis.NewerSegments()
            (newer.payloadVersion, newer.segments) = (Int(count.version), Int(count.segments))
            return newer
        }
        told.conflicts = try zone.chat.conflicts(limit: Limits.diagnosedConflicts).count
        let rejections = served?.sync.counters.rejections ?? [:]
        told.rejected = Dictionary(uniqueKeysWithValues: rejections.map { ($0.key.rawValue, Int($0.value)) })
        told.counters = (served?.sync.counters).map(AccountDiagnosis.Counters.init)
        told.repairs = try store.repairs(limit: Limits.diagnosedRepairs).map { made in
            var repair = AccountDiagnosis.Repair()
            (repair.at, repair.what) = (Int(made.at.milliseconds), made.what)
            return repair
        }
        told.freshStarts = (served?.sync.freshStarts ?? []).map { start in
            var fresh = AccountDiagnosis.FreshStart()
            fresh.reason = "\(start.reason)"
            (fresh.old, fresh.new) = (Self.short(start.old.bytes), Self.short(start.new.bytes))
            return fresh
        }
        told.otherVersions = (served?.otherVersions.entries(now: node.clock.now()) ?? []).map { Int($0.version) }
        return told
    }

    private func lane(_ lane: LaneState, _ zone: AccountZone) -> AccountDiagnosis.Lane {
        let content = zone.store.content(of: lane.id)
        var told = AccountDiagnosis.Lane()
        told.device = Self.short(lane.id.bytes)
        told.own = lane.id == zone.lane
        told.head = Int(clamping: lane.head)
        told.target = Int(clamping: lane.target)
        told.records = lane.rows
        told.abandoned = !zone.devices.isPresent(lane.id)
        told.forked = lane.isForked
        told.clean = lane.isClean
        told.messages = content.held.messages
        told.wantedBlobs = content.wanted.blobs
        told.wantedMessages = content.wanted.messages
        told.wantedBytes = content.wanted.bytes
        return told
    }

    private func devices(_ account: NodeAccount, _ served: ServedZone?) throws -> [AccountDiagnosis.Device] {
        let markers = try account.zone.reads.markerCounts()
        return try account.devices(served, clock: node.clock).map { device in
            var told = AccountDiagnosis.Device()
            told.device = Self.short(device.lane.bytes)
            told.thisDevice = device.isThis
            told.connected = device.isConnected
            told.level = device.isLevel
            told.seenAt = device.seen.map { Int($0.milliseconds) }
            told.holdsUpTo = device.holdsUpTo.map { Int($0.milliseconds) }
            told.markers = markers[device.lane] ?? 0
            return told
        }
    }

    /// Eight digits that identify an id for anyone who has it, and reveal it to nobody else.
    private static func short(_ id: [UInt8]) -> String {
        String(Blake2b.hash16(id, domain: "kachat report").hex.prefix(8))
    }
}

extension AccountDiagnosis.Counters {
    fileprivate init(_ counters: SyncCounters) {
        self.init()
        recordsTaken = Int(counters.recordsTaken)
        recordsRejected = Int(counters.recordsRejected)
        blobsTaken = Int(counters.blobsTaken)
        blobBytesTaken = Int(counters.blobBytesTaken)
        badBlobs = Int(counters.badBlobs)
        lanesHealed = Int(counters.lanesHealed)
        alarms = Int(counters.alarms)
        bytesSent = Int(counters.bytesSent)
        bytesReceived = Int(counters.bytesReceived)
        sessionsClosed = Int(counters.closed)
    }
}
