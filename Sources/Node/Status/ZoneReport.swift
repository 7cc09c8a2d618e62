import Chat
import Gossip
import Ledger
package import NodeCore
import SyncState

/// The sync state of an account's zone, in words for its owner (docs/SYNC.md).
package struct ZoneReport {
    package let state: String
    package let sentence: String
    /// True if anything keeps the zone from being in sync.
    let isTrouble: Bool
    package let since: WallTime?
    package let until: WallTime?
    /// The command that ends the trouble; nil if there is none.
    var command: String?

    /// `reason`: nil if all is well.
    package var reason: String? { isTrouble ? sentence : nil }
}

/// Builds the report of one account.
package struct ZoneReporter {
    package let account: NodeAccount
    package let node: LocalNode

    package init(_ account: NodeAccount, of node: LocalNode) {
        (self.account, self.node) = (account, node)
    }

    /// Nil if no node runs.
    package var network: NodeNetwork? { node.network }
    package var clock: any Clock { node.clock }

    /// The code of the obstacle to syncing; nil if the state says it.
    var troubleCode: String? { hasLapsed ? "lapsed" : obstacle ?? faultCode }

    /// The device that let this one in was removed.
    private var hasLapsed: Bool { account.zone.membership.hasLapsed }

    var faultCode: String? { (account.fault ?? network?.identityFault)?.code.rawValue }

    var obstacle: String? {
        guard let network, case .waiting(let obstacle, _) = network.machine.state(of: account.placeID, now: clock.now())
        else { return nil }
        return "\(obstacle)"
    }

    /// Without a node, nil unless this device is shut out: that is known all the same.
    private var state: ZoneState? {
        guard let network, network.served(account) != nil else { return account.zone.membership.isOver ? .over : nil }
        return network.machine.state(of: account.placeID, now: clock.now())
    }

    package func report() throws -> ZoneReport {
        let (now, state) = (clock.now(), state)
        guard let network, let served = network.served(account), let state else {
            return ZoneReport(
                state: state?.name ?? "idle",
                sentence: state == nil ? "no node is running: nothing is sent or fetched" : over,
                isTrouble: state != nil, since: state.flatMap { _ in account.zone.membership.overSince }, until: nil,
                command: state.flatMap(command))
        }
        let until: WallTime? =
            if case .waiting(_, let time?) = state, time > now { clock.wall() + (time - now) } else { nil }
        let (sentence, isTrouble) = try sentence(state, served, until: until)
        return ZoneReport(
            state: state.name, sentence: sentence, isTrouble: isTrouble, since: served.stateSince, until: until,
            command: command(state))
    }

    /// The account's devices: this one first.
    package func devices() throws -> [DeviceReport] { try account.devices(network?.served(account), clock: clock) }

    /// Everything from which the account's verdict follows.
    package func facts() throws -> ZoneFacts {
        let (zone, served, now) = (account.zone, network?.served(account), clock.now())
        var facts = ZoneFacts(
            state: state, report: try report(), devices: try devices(),
            changedAt: try zone.changes.latestDataChange())
        if let fault = account.fault { facts.writing = fault.isOutOfRoom ? .isOutOfRoom : .fails }
        facts.queued = zone.chat.queuedCount
        let others = facts.devices.filter { !$0.isThis }
        facts.isMoreUnsent =
            try facts.queued > 0 && zone.store.total.held.blobs > 0
            && others.allSatisfy { device in
                try !device.isConnected
                    && device.holdsUpTo.flatMap { try zone.store.percentHeld(by: device.lane, at: $0) } != 100
            }
        facts.wanted = zone.store.total.wanted
        facts.gappedDevices = zone.store.vector.count { !$0.isClean && zone.devices.isPresent($0.id) }
        facts.placeholders = zone.chat.stubs.count
        facts.orphanedSegments = zone.store.orphanCount
        facts.unreadableSegments = zone.archive.unreadableSegments + facts.orphanedSegments
        facts.unknownRecords = zone.unknownRecords
        // Rows that cannot be taken, such as those of a lapsed device, are shown for ever.
        let isEqual = served?.sync.peers.allSatisfy(\.isEqual) ?? true
        facts.isFetchingRecords = !isEqual && served?.isFetchingRecords == true
        facts.isSearching = served?.sync.isAsking(now: now, onlyAnew: true) ?? false
        facts.isCompared = served?.sync.isCompared ?? false
        return facts
    }

    /// The next time that devices are asked for a missing message's text; nil if nobody asks.
    package func nextTry(of txid: TxID) -> WallTime? {
        guard let search = network?.served(account)?.sync.search(for: txid) else { return nil }
        return clock.wall() + (search.nextAt - clock.now())
    }

    private func sentence(
        _ state: ZoneState, _ served: ServedZone, until: WallTime?
    ) throws -> (text: String, isTrouble: Bool) {
        switch state {
        case .idle: return ("looking for devices", false)
        case .syncing: return (syncing(served), false)
        case .synced: return (try synced(served), false)
        case .paused(let by, let since):
            return ("paused by \(by) since \(Wording.time(since)): nothing is sent or fetched", true)
        case .background: return ("in the background: nothing is sent or fetched", true)
        case .locked: return (network?.identityFault?.sentence.fact ?? "unlock this node", true)
        case .over: return (over, true)
        case .error:
            let fault = served.failure.map { NodeError(cause: $0) }
            return ("sync error \(fault?.code.rawValue ?? "unknown"): \(fault?.sentence.fact ?? "")", true)
        case .waiting(let obstacle, _): return (try waiting(obstacle, served, until: until), true)
        }
    }

    /// This device is shut out.
    private var over: String {
        let time = account.zone.membership.overSince.map { " on \(Wording.time($0))" } ?? ""
        guard !hasLapsed else {
            return "the device that let this one in was removed from the account\(time): nothing is sent or fetched "
                + "until the recovery phrase lets this one in"
        }
        return "this device was removed from the account\(time): nothing is sent or fetched. What is here stays; in a "
            + "new home it can come back as a new device"
    }

    private func command(_ state: ZoneState) -> String? {
        switch state {
        case .paused: node.command("account resume", for: account)
        case .background: node.program.command("foreground")
        case .over where hasLapsed: node.command("account enter", for: account)
        case .over: "`kachat-node setup --home DIR`"
        case .waiting(.storageFull, _):
            account.neededQuota.map { node.program.command("config set storage.quotaBytes \($0)") }
        default: nil
        }
    }

    private func syncing(_ served: ServedZone) -> String {
        let devices = Wording.count(served.sync.peers.count, "device")
        let wanted = account.zone.store.total.wanted
        guard wanted.blobs == 0 else { return "syncing with \(devices): \(Wording.messages(wanted)) still to come" }
        let queued = account.zone.chat.queuedCount
        guard queued > 0 else { return "comparing with \(devices)" }
        return "syncing with \(devices): \(Wording.count(queued, "message")) still to be sent"
    }

    private func synced(_ served: ServedZone) throws -> String {
        let others = try devices().filter { !$0.isThis }
        let reached = Wording.count(served.sync.peers.count, "device")
        guard others.allSatisfy({ !$0.isConnected || $0.isLevel }) else {
            return "syncing with \(reached): not everything has arrived there"
        }
        let unseen = others.filter { !$0.isConnected }
        let text = "caught up with \(reached) in reach"
        guard !unseen.isEmpty else { return text }
        let names = unseen.prefix(Limits.namedDevices).map { device in
            device.shownName + (device.seen.map { " (since \(Wording.time($0)))" } ?? "")
        }
        return text + "; not seen: " + Wording.list(names, of: unseen.count)
    }

    private func waiting(_ obstacle: ZoneState.Obstacle, _ served: ServedZone, until: WallTime?) throws -> String {
        switch obstacle {
        case .offline:
            let others = try devices().count > 1
            return (others ? "offline; will sync when a device" : "alone; will sync when another device of the account")
                + " is in reach" + interfaces
        case .busy:
            let end = until.map(Wording.time) ?? "later"
            return "paused until \(end): the other device takes nothing now; it is busy, or its storage is full"
        case .otherVersion: return try otherVersion(served) ?? "update kachat-node on the other device"
        case .absentBlobs: return try absentBlobs()
        case .stalled: return ZoneFacts.differing(try devices().filter(\.isStalled))
        case .storageFull: return storageFull()
        case .store: return served.failure.map { NodeError(cause: $0).sentence.fact } ?? "the store cannot be written"
        }
    }

    /// Problems with the network interfaces; empty if there are none.
    private var interfaces: String {
        guard let network else { return "" }
        guard network.discovery.missingInterfaces.isEmpty else {
            let names = network.discovery.missingInterfaces.map { "`\($0)`" }.joined(separator: ", ")
            return " (interfaces of --discovery absent or down: \(names))"
        }
        return network.discovery.hasNoInterface ? " (there is no usable network interface)" : ""
    }

    /// The device to update, if a device speaks another version.
    func otherVersion(_ served: ServedZone) throws -> String? {
        guard let found = served.otherVersions.entries(now: clock.now()).last else { return nil }
        let device = try found.device.flatMap { try account.zone.devices.description(of: $0)?.name }
        let host = found.address.hostText
        let peer = device.map { "\($0) (\(host))" } ?? "the device at \(host)"
        let own = Int(network?.protocolVersion ?? 0)
        return Int(found.version) > own
            ? "update kachat-node on this device: \(peer) speaks a newer protocol (\(found.version), here \(own))"
            : "update kachat-node on \(peer): it speaks an older protocol (\(found.version), here \(own))"
    }

    private func absentBlobs() throws -> String {
        let missing = try missing()?.all
        let sum = missing?.sum ?? account.zone.store.total.wanted
        return "waiting for \(missing?.names ?? "a device that has them"): \(Wording.messages(sum)) that no connected "
            + "device has"
    }

    private func storageFull() -> String {
        if let most = account.database.mostBytes, let neededQuota = account.neededQuota {
            return "storage full: sync paused; the account's quota of \(Wording.bytes(most)) is used: raise it to "
                + Wording.bytes(neededQuota)
        }
        // The bytes still missing, plus the log that a large transaction needs.
        let needed = account.zone.store.total.wanted.bytes + SyncState.Limits.journalKeptBytes
        let free = account.freeBytes.map { "; \(Wording.bytes($0)) are free" } ?? ""
        return "storage full: sync paused; make room for \(Wording.bytes(needed))\(free)"
    }
}
