import Chat
package import Gossip
package import NodeCore
import SyncState
package import Transport

/// The sockets of a running node around its machine: it feeds events in, ends each turn with one commit, then performs
/// the machine's actions. It decides nothing about replication.
package final class NodeNetwork: ZoneServer {
    package let node: LocalNode
    package let loop: EventLoop
    package let machine: NodeMachine
    package let log: Log
    package let discovery: Discovery
    package private(set) lazy var connections = PeerConnections(
        machine, loop: loop, clock: node.clock, log: log, act: { [unowned self] in perform($0, now: $1) })
    package private(set) lazy var listeners = Listeners(
        machine, loop: loop, accept: { [unowned self] in connections.accept($0) })
    private let syncLog: SyncLog
    /// The sources of commands.
    package var servers: [any CommandServer] = []
    /// The service manager that started the node; nil if there is none.
    package var manager: ServiceManager?
    /// `HOST:PORT` of the local API; nil if it is off.
    package var apiAddress: String?
    /// The reason that the node's keys must not be used for now; nil while all is well.
    package var identityFault: NodeError?
    var identityLookAt: MonotonicTime
    private(set) var syncChecks = Lookout(every: .milliseconds(50))
    /// Reports the node's condition: called after a turn, a few times a second at most.
    package var onlooker: (look: () -> Void, lookout: Lookout)?
    private var storeWatch = StoreWatch()
    /// The time to report an account's state, if it lasts.
    private var stateNoteAt: MonotonicTime?
    private var sleepWatch = SleepWatch()
    private var isStopping = false
    /// The latest time for the node to stop.
    var departBy: MonotonicTime?

    package init(node: LocalNode, loop: EventLoop, discovery: DiscoveryMode, log: Log) {
        let now = node.clock.now()
        self.node = node
        self.loop = loop
        self.log = log
        machine = NodeMachine(
            random: SystemRandom(), now: now, capacity: .init(descriptors: System.descriptorsForConnections))
        self.discovery = Discovery(discovery, machine, loop: loop, log: log, now: now)
        syncLog = SyncLog(node, machine, log)
        identityLookAt = now + Limits.identityLookPause
        for zone in node.zones where zone.isServed { serve(zone, now: now) }
        node.server = self
        log.didNote = { [unowned node] code in node.errors.note(code, at: node.clock.wall()) }
        // Data that arrives in a turn is dated by the turn, however long the node slept before.
        loop.onWake = { [unowned node] now in
            let wall = node.clock.wall()
            for zone in node.zones { zone.replicated.store.setTime(now: now, wall: wall) }
        }
        loop.onTurn = { [unowned self] now in endTurn(now) }
        // The first turn is due at once: it lists interfaces and sends the first beacons.
        loop.deadline = now
        if System.descriptorsForConnections < Limits.fewDescriptors {
            log.line(
                .warning, "few-files",
                "this process may have \(System.descriptorLimit) files open, so few devices and apps can be connected "
                    + "with it: raise the limit (ulimit -n, or LimitNOFILE= of a service) to 256 or more")
        }
    }

    // MARK: Accounts

    /// Starts serving a zone.
    package func serve(_ zone: any NodeZone, now: MonotonicTime) {
        machine.add(zone.replicated, now: now)
        syncLog.begin(zone)
        if let fault = zone.startFault, zone.replicated.store.beforeCommit != nil {
            machine.onStoreFailed(fault, zone: zone.placeID)
        }
        // A node that is to stay on this machine dials none where it met others before.
        let known = zone.rememberedAddresses().filter { discovery.mode != .loopback || $0.isLoopback }
        machine.onRemembered(known, zone: zone.placeID, now: now)
    }

    /// Stops serving a zone: tells its peers, and ends commands on a removed account.
    package func leave(_ zone: any NodeZone, now: MonotonicTime) {
        machine.remove(zone.placeID, now: now)
        guard let account = zone as? NodeAccount else { return }
        for server in servers { server.abandon(account) }
    }

    package func served(_ zone: any NodeZone) -> ServedZone? { machine.zone(zone.placeID) }

    /// Retries stores that could not be opened.
    private func reopen(_ now: MonotonicTime) {
        let isWhole = node.unopened.isEmpty && node.accounts.allSatisfy(\.unopenedGroups.isEmpty)
        guard !isWhole, !isInBackground else {
            storeWatch.reopenAt = nil
            return
        }
        guard let due = storeWatch.reopenAt, now >= due else {
            if storeWatch.reopenAt == nil { storeWatch.reopenAt = now + Limits.reopenPause }
            return
        }
        storeWatch.reopenAt = now + Limits.reopenPause
        node.groups.reopen()
        for account in node.openMissing() {
            log.line(.info, "store-recovered", "account \(account.label): the store is open again")
            serve(account, now: now)
        }
    }

    // MARK: Start

    /// Listens at `HOST:PORT`; without one, on all interfaces, or on loopback alone if discovery is.
    package func listen(on text: String?) throws(NodeError) {
        try listeners.listen(on: text, isLocal: discovery.mode == .loopback)
    }

    /// Looks for devices at these `HOST:PORT`, and logs hosts that do not exist.
    package func onStatic(names: [String]) {
        let now = node.clock.now()
        discovery.look(for: names, now: now)
        loop.deadline = min(loop.deadline ?? now, now)
    }

    // MARK: Turns

    private func endTurn(_ now: MonotonicTime) {
        noticeSleep(now)
        if !isStopping { discovery.poll(now) }
        watchIdentity(now)
        connections.tick(now)
        for fault in servers.flatMap({ $0.work(now: now) }) { rest(because: fault) }
        node.followPairing()
        syncLog.tellBatches { machine.endTurn(now: now, wall: node.clock.wall()) }
        for zone in node.zones { updateFault(of: zone) }
        lookForRoom(now)
        node.wipeRecoveryKeys()
        let hasGroupNews = node.groups.follow()
        perform(machine.takeActions(), now: now)
        let isBusy = connections.flush(now)
        for server in servers { server.flush(now: now) }
        holdFiles()
        noteSync(now)
        for zone in node.zones { tidy(zone, now) }
        reopen(now)
        goOnDeparting(now)
        manager?.onTurn(now: now)
        if onlooker?.lookout.isTime(now) == true { onlooker?.look() }
        plan(now, isBusy: isBusy || hasGroupNews)
    }

    private func plan(_ now: MonotonicTime, isBusy: Bool) {
        var times = [
            connections.deadline, discovery.deadline, machine.deadline, storeWatch.deadline, stateNoteAt,
            manager?.deadline, syncChecks.deadline, onlooker?.lookout.deadline,
        ].compactMap(\.self)
        times += servers.compactMap(\.deadline)
        let zones = node.zones
        times += zones.compactMap(\.tidyAt)
        if !isInBackground { times.append(identityLookAt) }
        if let departBy { times.append(min(departBy, now + Limits.handoverLook)) }
        if isBusy || zones.contains(where: { $0.replicated.store.hasUncommitted }) { times.append(now) }
        loop.deadline = times.min()
        sleepWatch.plan(loop.deadline, now: now)
    }

    /// Detects a turn much later than planned: the machine slept, and may be elsewhere now.
    private func noticeSleep(_ now: MonotonicTime) {
        guard sleepWatch.hasSlept(now: now) else { return }
        log.line(.info, "woke-up", "the machine slept; looking for devices again")
        machine.onWake(now: now)
        discovery.lookAgain(now)
    }

    /// A command met a failing store: nothing that it changed in this turn is kept.
    private func rest(because fault: CommandFault) {
        let zones = node.zones.filter { fault.account == nil || fault.account === $0.owner }
        let changed = zones.filter { $0.replicated.store.hasUncommitted }
        // A group that has no room must not stop its account.
        for zone in changed.isEmpty ? zones.filter({ $0 === fault.account }) : changed {
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

    /// Tries stores of a full disk again once there is more room: their own pause may be long by then.
    private func lookForRoom(_ now: MonotonicTime) {
        let full = node.zones.filter { $0.fault?.isOutOfRoom == true }
        let isFull = !full.isEmpty || node.unopened.contains { $0.error.isOutOfRoom }
        guard storeWatch.isTime(isFull: isFull, now: now),
            storeWatch.hasMore(isFull ? Files.freeBytes(node.home.path) : nil)
        else { return }
        for zone in full { served(zone)?.onRoom(now: now) }
        if storeWatch.reopenAt != nil { storeWatch.reopenAt = now }
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
        guard syncChecks.isTime(now) else { return }
        noteStates(now)
        _ = machine.noteStates(now: now, wall: node.clock.wall())
        for account in node.accounts {
            for group in account.groups + account.departing { group.noteHolds(served(group)) }
            node.groups.endDepartures(account)
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
        listeners.close()
        discovery.close()
        machine.shutdown(now: now, wall: node.clock.wall())
        perform(machine.takeActions(), now: now)
        _ = connections.flush(now)
        for server in servers { server.stop(now: now) }
        for account in node.accounts { account.storeSyncTime() }
        connections.closeAll()
        loop.stop()
    }

    // MARK: Actions

    /// Performs the machine's actions. Runs only after the turn's commit.
    private func perform(_ actions: [NodeAction], now: MonotonicTime) {
        for action in actions {
            switch action {
            case .beacon(let bytes, let link): discovery.send(bytes, on: link)
            case .dial(let door, let address): connections.dial(door, address, now: now)
            case .send(let id, let bytes, let priority): connections.send(bytes, priority, on: id)
            case .close(let id, let reason): connections.close(id, reason, now: now)
            case .remember(let place, let address): node.zone(place)?.remember(address)
            // `GroupKeeper` handles it.
            case .news: break
            case .note(let place, let note): syncLog.tell(note, place)
            }
        }
    }
}

extension LocalNode {
    /// The sockets of the running node; nil for commands in their own process.
    package var network: NodeNetwork? { server as? NodeNetwork }
}

/// Addresses in an invitation, for a joiner who hears no member's beacon.
extension NodeNetwork {
    /// At most one for IPv4 and one for IPv6: a token has no room for more.
    package var joinHints: [SocketAddress] {
        var hints: [SocketAddress] = []
        for listener in listeners.open {
            let own = listener.address
            guard own.hostBytes.allSatisfy({ $0 == 0 }) else {
                hints.append(own)
                continue
            }
            if let address = discovery.addresses.first(where: { $0.family == own.family && !$0.isLinkLocal }) {
                hints.append(address.with(port: own.port))
            }
        }
        let chosen = [hints.first { $0.family == .ipv4 }, hints.first { $0.family == .ipv6 && !$0.isLinkLocal }]
        return chosen.compactMap(\.self)
    }
}

/// The identity file is the user's permission for this node to use the account's keys: removing the file, or locking
/// the disk it is on, stops sync, and restoring it resumes sync.
extension NodeNetwork {
    /// Checks whether the identity still exists unchanged, if that is due.
    func watchIdentity(_ now: MonotonicTime) {
        guard !isInBackground, now >= identityLookAt else { return }
        lookAtIdentity(now)
    }

    package func lookAtIdentity(_ now: MonotonicTime) {
        identityFault = node.identityFault()
        if let identityFault {
            log.once(.error, "identity-locked", identityFault.message)
        } else if log.over("identity-locked") {
            log.line(.info, "identity-back", "the identity can be read again; sync continues")
        }
        machine.setLocked(identityFault != nil, now: now, wall: node.clock.wall())
        identityLookAt = now + (identityFault == nil ? Limits.identityLookPause : Limits.lockedLookPause)
    }
}
