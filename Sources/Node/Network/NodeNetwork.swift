import Chat
package import Gossip
package import NodeCore
import SyncState
package import Transport

/// The sockets of a running node around its machine: it feeds what happens in, ends each turn with one commit, and then
/// does what the machine wants done. It decides nothing about replication.
package final class NodeNetwork: ZoneServer {
    package let node: LocalNode
    package let loop: EventLoop
    package let machine: NodeMachine
    package let log: Log
    package var refusals = RefusalCounters()
    var keyBudget: KeyBudget
    package var connections: [SessionID: PeerConnection] = [:]
    /// In order of ids, so that each turn treats them alike.
    package var order: [SessionID] = []
    package var listeners: [TCPListener] = []
    package var beacons: BeaconPort?
    /// The listening addresses, kept while the node is in the background.
    var closedListeners: [SocketAddress] = []
    /// The sources of commands.
    package var servers: [any CommandServer] = []
    /// The service manager that started the node; nil if there is none.
    package var manager: ServiceManager?
    /// `HOST:PORT` of the local API; nil if it is off.
    package var apiAddress: String?
    /// When the connection of the first session was dialled or accepted.
    package var firstSession: MonotonicTime?
    /// Bytes of datagrams accepted by the kernel.
    package var beaconBytes: UInt64 = 0

    package let discovery: DiscoveryMode
    var monitor: InterfaceMonitor
    private var random: any RandomSource
    private var nextSession: UInt64 = 1
    /// There is no interface for beacons: only devices with a given address can be reached.
    private(set) var hasNoInterface = false
    /// Interfaces named by the user that are absent or down.
    private(set) var missingInterfaces: [String] = []
    /// Why the node's keys must not be used for now; nil if all is well.
    package var identityFault: NodeError?
    var identityLookAt: MonotonicTime
    private var nextSyncCheck = MonotonicTime.zero
    /// A turn came too soon after the last check, so another one is needed.
    private(set) var isSyncCheckDue = false
    /// When to retry stores that could not be opened.
    private var reopenAt: MonotonicTime?
    /// When to report an account's state, if it lasts.
    private var stateNoteAt: MonotonicTime?
    private var sleepWatch = SleepWatch()
    private var isStopping = false
    /// The latest time for the node to stop.
    var departBy: MonotonicTime?
    /// Number of records of each zone when the log last reported a batch.
    var toldRecords: [PlaceID: Int] = [:]

    package init(node: LocalNode, loop: EventLoop, discovery: DiscoveryMode, log: Log) {
        let now = node.clock.now()
        self.node = node
        self.loop = loop
        self.discovery = discovery
        self.log = log
        random = SystemRandom()
        keyBudget = KeyBudget(now: now)
        machine = NodeMachine(random: SystemRandom(), now: now)
        monitor = InterfaceMonitor(now: now)
        identityLookAt = now + Limits.identityLookPause
        for zone in node.zones where zone.isServed { serve(zone, now: now) }
        node.server = self
        log.didNote = { [unowned node] code in node.errors.note(code, at: node.clock.wall()) }
        loop.onTurn = { [unowned self] now in endTurn(now) }
        // The first turn is due at once: it lists interfaces and sends the first beacons.
        loop.deadline = now
    }

    // MARK: Accounts

    /// Starts serving a zone.
    package func serve(_ zone: any NodeZone, now: MonotonicTime) {
        machine.add(zone.replicated, now: now)
        toldRecords[zone.placeID] = zone.replicated.store.recordCount
        tellMerges(of: zone)
        if let fault = zone.startFault, zone.replicated.store.beforeCommit != nil {
            machine.onStoreFailed(fault, zone: zone.placeID)
        }
        machine.onRemembered(zone.rememberedAddresses(), zone: zone.placeID, now: now)
    }

    /// Stops serving a zone: its peers are told, and commands on an account that is removed end.
    package func leave(_ zone: any NodeZone, now: MonotonicTime) {
        machine.remove(zone.placeID, now: now)
        guard let account = zone as? NodeAccount else { return }
        for server in servers { server.abandon(account) }
    }

    package func served(_ zone: any NodeZone) -> ServedZone? { machine.zone(zone.placeID) }

    package func zone(_ id: PlaceID) -> (any NodeZone)? { node.zones.first { $0.placeID == id } }

    /// Retries now and then the stores that could not be opened at the start.
    private func reopen(_ now: MonotonicTime) {
        let isWhole = node.unopened.isEmpty && node.accounts.allSatisfy(\.unopenedGroups.isEmpty)
        guard !isWhole, !isInBackground else {
            reopenAt = nil
            return
        }
        guard let due = reopenAt, now >= due else {
            if reopenAt == nil { reopenAt = now + Limits.reopenPause }
            return
        }
        reopenAt = now + Limits.reopenPause
        node.reopenGroups()
        for account in node.openMissing() {
            log.line(.info, "store-recovered", "account \(account.label): the store is open again")
            serve(account, now: now)
        }
    }

    // MARK: Start

    /// Listens at the address; without a host, at all of them.
    package func listen(on address: SocketAddress) throws(Transport.SystemError) {
        let listener = try TCPListener(on: address, loop: loop) { [unowned self] stream in accept(stream) }
        listeners.append(listener)
        machine.onListening(port: listener.address.port)
    }

    package func onStatic(_ addresses: [SocketAddress]) {
        machine.onStatic(addresses, now: node.clock.now())
    }

    // MARK: Turns

    private func endTurn(_ now: MonotonicTime) {
        noticeSleep(now)
        pollInterfaces(now)
        watchIdentity(now)
        tick(now)
        for fault in servers.flatMap({ $0.work(now: now) }) { rest(because: fault) }
        node.followPairing()
        tellBatches { machine.endTurn(now: now, wall: node.clock.wall()) }
        for zone in node.zones { updateFault(of: zone) }
        let hasGroupNews = node.followGroups()
        perform(machine.takeActions(), now: now)
        let isBusy = flush(now)
        for server in servers { server.flush(now: now) }
        holdFiles()
        noteSync(now)
        for zone in node.zones { tidy(zone, now) }
        reopen(now)
        goOnDeparting(now)
        manager?.onTurn(now: now)
        plan(now, isBusy: isBusy || hasGroupNews)
    }

    private func plan(_ now: MonotonicTime, isBusy: Bool) {
        var times = connections.values.compactMap(\.deadline)
        times += [machine.deadline, reopenAt, stateNoteAt, manager?.deadline].compactMap(\.self)
        times += servers.compactMap(\.deadline)
        let zones = node.zones
        times += zones.compactMap(\.tidyAt)
        if watchesInterfaces { times.append(monitor.deadline) }
        if !isInBackground { times.append(identityLookAt) }
        if let departBy { times.append(min(departBy, now + Limits.handoverLook)) }
        if isSyncCheckDue { times.append(nextSyncCheck) }
        if isBusy || zones.contains(where: { $0.replicated.store.hasUncommitted }) { times.append(now) }
        loop.deadline = times.min()
        sleepWatch.plan(loop.deadline, now: now)
    }

    /// Detects a turn much later than planned: the machine slept, and may be elsewhere now.
    private func noticeSleep(_ now: MonotonicTime) {
        guard sleepWatch.hasSlept(now: now) else { return }
        log.line(.info, "woke-up", "the machine slept; looking for devices anew")
        machine.onWake(now: now)
    }

    func pollInterfaces(_ now: MonotonicTime) {
        guard watchesInterfaces, !isStopping else { return }
        do throws(Transport.SystemError) {
            guard let all = try monitor.poll(now: now) else { return }
            let chosen = discovery.choose(among: all)
            if beacons == nil {
                beacons = try BeaconPort(interfaces: chosen, on: loop)
                beacons?.handler = { [unowned self] datagram, now in
                    machine.onDatagram(
                        datagram.bytes, from: datagram.source, link: datagram.interfaceIndex, now: now)
                }
            } else {
                beacons?.setInterfaces(chosen)
            }
            log.over("no-beacons")
            hasNoInterface = chosen.isEmpty
            missingInterfaces = discovery.missing(among: chosen)
            if chosen.isEmpty {
                log.once(.warning, "no-interface", "no usable network interface; only --peer devices are reached")
            }
            let links = chosen.flatMap { interface in
                interface.beaconAddresses.map { PresenceLink(interfaceIndex: interface.index, address: $0) }
            }
            machine.onLinks(links, now: now)
        } catch {
            log.once(.warning, "no-beacons", "devices cannot be found by beacons: \(error)")
        }
    }

    /// Loopback never changes once found; in the background no interfaces are listed.
    private var watchesInterfaces: Bool {
        discovery != .off && !isInBackground && (discovery != .loopback || beacons?.interfaces.isEmpty != false)
    }

    /// A command met a failing store: all its changes in this turn are discarded.
    private func rest(because fault: ControlFault) {
        for zone in node.zones {
            let isMeant = fault.account == nil || fault.account === zone.owner
            guard isMeant, zone === fault.account || zone.replicated.store.hasUncommitted else { continue }
            machine.onStoreFailed(fault.error, zone: zone.placeID)
        }
    }

    /// Logs a fault of the zone's store: once when it begins, once when it is over.
    private func updateFault(of zone: any NodeZone) {
        let before = zone.fault
        zone.fault = served(zone)?.failure.map { zone.fault($0) }
        if let fault = zone.fault, before == nil {
            for server in servers { server.fail(fault, of: zone.owner) }
        }
    }

    /// Writes index entries that wait in memory after a quiet time.
    private func tidy(_ zone: any NodeZone, _ now: MonotonicTime) {
        guard zone.hasUnflushed, zone.fault == nil else {
            zone.tidyAt = nil
            return
        }
        let due = zone.tidyAt ?? now + .seconds(2)
        guard now >= due || isInBackground else {
            zone.tidyAt = due
            return
        }
        zone.tidyAt = nil
        do {
            try zone.replicated.tidy()
        } catch {
            log.once(
                .warning, "tidy", subject: zone.name,
                "\(zone.name): the index was not written: \(NodeError(cause: error).message)")
            zone.rollback()
        }
    }

    /// Records when the devices in reach were last seen in sync; checked at most 20 times a second.
    private func noteSync(_ now: MonotonicTime) {
        isSyncCheckDue = now < nextSyncCheck
        guard !isSyncCheckDue else { return }
        nextSyncCheck = now + .milliseconds(50)
        noteStates(now)
        _ = machine.noteStates(now: now, wall: node.clock.wall())
        for account in node.accounts {
            (account.groups + account.departing).forEach(noteHolds)
            node.endDepartures(account)
            noteHolds(account)
            guard sessionCount(account) > 0, isCaughtUp(account) else {
                account.syncedDigest = nil
                continue
            }
            let digest = account.zone.store.digest
            guard account.syncedDigest != digest else { continue }
            account.syncedDigest = digest
            account.lastSyncedAt = node.clock.wall()
        }
    }

    /// Records until when peers that just disconnected were level, so that two status calls in a row agree.
    func noteEnds() {
        guard machine.hasUnnotedEnds else { return }
        _ = machine.noteStates(now: node.clock.now(), wall: node.clock.wall())
    }

    /// Records which members have the results posted here.
    private func noteHolds(_ group: NodeGroup) {
        guard group.fault == nil, let served = served(group) else { return }
        for peer in served.sync.peers where peer.isEqual { group.note(level: peer.lane) }
    }

    /// Records up to when the connected devices have everything: those that hold our records and request nothing.
    private func noteHolds(_ account: NodeAccount) {
        guard account.fault == nil, let served = served(account), account.zone.store.wantedCount == 0 else { return }
        for peer in served.sync.peers where peer.isEqual && !served.sync.isServing(peer.session) {
            // If it cannot be stored now, it is observed again.
            try? account.zone.devices.noteHolds(peer.lane)
        }
    }

    /// Reports the accounts' states to the change feeds.
    private func noteStates(_ now: MonotonicTime) {
        stateNoteAt = node.accounts.compactMap { $0.note(state: state(of: $0), now: now) }.min()
    }

    // MARK: End

    /// Writes waiting data, tells the peers and the commands, and closes everything.
    package func stop() {
        guard !isStopping else { return }
        isStopping = true
        let now = node.clock.now()
        for listener in listeners { listener.close() }
        beacons?.close()
        machine.shutdown(now: now, wall: node.clock.wall())
        perform(machine.takeActions(), now: now)
        _ = flush(now)
        for server in servers { server.stop(now: now) }
        for account in node.accounts { account.storeSyncTime() }
        for connection in connections.values { connection.stream.close() }
        connections = [:]
        order = []
        loop.stop()
    }

    func nextID() -> SessionID {
        defer { nextSession += 1 }
        return SessionID(nextSession)
    }

    /// Passes the random source to a handshake.
    func withRandom<Result>(_ body: (inout any RandomSource) -> Result) -> Result { body(&random) }
}

extension LocalNode {
    /// The sockets of the running node; nil where commands work in their own process.
    package var network: NodeNetwork? { server as? NodeNetwork }
}
