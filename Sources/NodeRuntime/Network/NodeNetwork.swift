import Gossip
import NodeCore
import SyncState
import Transport

/// The sockets of a running node around its machine: it feeds what happens in, ends each turn with one commit, and then
/// does what the machine wants done. It decides nothing about replication.
final class NodeNetwork {
    let node: Node
    let loop: EventLoop
    let machine: NodeMachine
    let log: Log
    var admission = AdmissionControl()
    var refusals = RefusalCounters()
    var connections: [SessionID: PeerConnection] = [:]
    /// In the order of their ids, so that each turn treats them alike.
    var order: [SessionID] = []
    var listeners: [TCPListener] = []
    var beacons: BeaconPort?
    /// While the node is in the background: where it listened.
    var closedListeners: [SocketAddress] = []
    /// The ways in for commands.
    var servers: [any CommandServer] = []
    /// `HOST:PORT` of the local API; nil where it is off.
    var apiAddress: String?
    /// When the connection of the first session was dialled or accepted.
    var firstSession: MonotonicTime?
    /// Bytes of datagrams that the kernel took.
    var beaconBytes: UInt64 = 0

    private let discovery: DiscoveryMode
    var monitor: InterfaceMonitor
    private var random: any RandomSource
    private var nextSession: UInt64 = 1
    /// Beacons have nowhere to go: only devices whose address was given are reached.
    private(set) var hasNoInterface = false
    /// Why the node's keys are not to be used for now; nil while all is well.
    var identityFault: NodeError?
    var identityLookAt: MonotonicTime
    private var nextSyncCheck = MonotonicTime.zero
    /// A turn came too soon after the last look: one more is to be taken.
    private var isSyncCheckDue = false
    /// When stores that could not be opened are tried again.
    private var reopenAt: MonotonicTime?
    /// When an account's state is to be told, if it stays.
    private var stateNoteAt: MonotonicTime?
    private var plannedTurn: MonotonicTime?
    private var isStopping = false
    /// The node is to end, at the latest then.
    var departBy: MonotonicTime?

    init(node: Node, loop: EventLoop, discovery: DiscoveryMode, log: Log) {
        let now = node.clock.now()
        self.node = node
        self.loop = loop
        self.discovery = discovery
        self.log = log
        random = SystemRandom()
        machine = NodeMachine(random: SystemRandom(), now: now)
        monitor = InterfaceMonitor(now: now)
        identityLookAt = now + Limits.identityLookPause
        for account in node.accounts { serve(account, now: now) }
        node.network = self
        log.didNote = { [unowned node] code in node.errors.note(code, at: node.clock.wall()) }
        loop.onTurn = { [unowned self] now in endTurn(now) }
        // The first turn is due at once: it looks for interfaces and sends the first beacons.
        loop.deadline = now
    }

    // MARK: Accounts

    /// Takes part in an account's zone from now on.
    func serve(_ account: NodeAccount, now: MonotonicTime) {
        machine.add(account.zone, now: now)
        machine.onRemembered(account.rememberedAddresses(), zone: account.zoneID, now: now)
    }

    /// Takes part in it no longer: the peers are told, and commands that work on it end.
    func leave(_ account: NodeAccount, now: MonotonicTime) {
        machine.remove(account.zoneID, now: now)
        for server in servers { server.abandon(account) }
    }

    func served(_ account: NodeAccount) -> ServedZone? { machine.zone(account.zoneID) }

    func account(_ zone: ZoneID) -> NodeAccount? { node.accounts.first { $0.zoneID == zone } }

    /// A store that could not be opened at the start is tried again from time to time.
    private func reopen(_ now: MonotonicTime) {
        guard !node.unopened.isEmpty, !isInBackground else {
            reopenAt = nil
            return
        }
        guard let due = reopenAt, now >= due else {
            if reopenAt == nil { reopenAt = now + Limits.reopenPause }
            return
        }
        reopenAt = now + Limits.reopenPause
        for account in node.openMissing() {
            log.line(.info, "store-recovered", "account \(account.label): the store is open again")
            serve(account, now: now)
        }
    }

    // MARK: Start

    /// Listens there; an address without a host, all of them.
    func listen(on address: SocketAddress) throws(Transport.SystemError) {
        let listener = try TCPListener(on: address, loop: loop) { [unowned self] stream in accept(stream) }
        listeners.append(listener)
        machine.onListening(port: listener.address.port)
    }

    func onStatic(_ addresses: [SocketAddress]) {
        machine.onStatic(addresses, now: node.clock.now())
    }

    // MARK: Turns

    private func endTurn(_ now: MonotonicTime) {
        noticeSleep(now)
        pollInterfaces(now)
        watchIdentity(now)
        tick(now)
        for fault in servers.flatMap({ $0.work(now: now) }) { rest(because: fault) }
        machine.endTurn(now: now, wall: node.clock.wall())
        for account in node.accounts { updateFault(of: account) }
        perform(machine.takeActions(), now: now)
        let isBusy = flush(now)
        for server in servers { server.flush(now: now) }
        holdFiles()
        noteSync(now)
        for account in node.accounts { tidy(account, now) }
        reopen(now)
        goOnDeparting(now)
        plan(now, isBusy: isBusy)
    }

    private func plan(_ now: MonotonicTime, isBusy: Bool) {
        var times = connections.values.compactMap(\.deadline)
        times += [machine.deadline, reopenAt, stateNoteAt].compactMap(\.self) + servers.compactMap(\.deadline)
        times += node.accounts.compactMap(\.tidyAt)
        if watchesInterfaces { times.append(monitor.deadline) }
        if !isInBackground { times.append(identityLookAt) }
        if let departBy { times.append(min(departBy, now + Limits.handoverLook)) }
        if isSyncCheckDue { times.append(nextSyncCheck) }
        if isBusy || node.accounts.contains(where: { $0.zone.store.hasUncommitted }) { times.append(now) }
        loop.deadline = times.min()
        // What is due at once is planned for now: else the next turn would look like one after a long sleep.
        plannedTurn = loop.deadline.map { max($0, now) }
    }

    /// A turn that comes much later than planned: the machine has slept, and may be somewhere else now.
    private func noticeSleep(_ now: MonotonicTime) {
        guard let planned = plannedTurn, now - planned > .seconds(20) else { return }
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

    /// Loopback stays as it is once it was found; in the background nothing is looked for.
    private var watchesInterfaces: Bool {
        discovery != .off && !isInBackground && (discovery != .loopback || beacons?.interfaces.isEmpty != false)
    }

    /// A command met a store that fails: nothing that it has changed in this turn is kept.
    private func rest(because fault: ControlFault) {
        for account in node.accounts {
            guard fault.account === account || fault.account == nil && account.zone.store.hasUncommitted else {
                continue
            }
            machine.onStoreFailed(fault.error, zone: account.zoneID)
        }
    }

    /// What the account's store says: told once when it begins, once when it is over.
    private func updateFault(of account: NodeAccount) {
        let before = account.fault
        account.fault = served(account)?.failure.map { account.fault($0) }
        if let fault = account.fault, before == nil {
            for server in servers { server.fail(fault, of: account) }
        }
    }

    /// Index entries that wait in memory are written when nothing has happened for a while.
    private func tidy(_ account: NodeAccount, _ now: MonotonicTime) {
        guard account.zone.chat.hasUnflushed, account.fault == nil else {
            account.tidyAt = nil
            return
        }
        guard let due = account.tidyAt, now >= due else {
            if account.tidyAt == nil { account.tidyAt = now + .seconds(2) }
            return
        }
        account.tidyAt = nil
        do {
            try account.zone.tidy()
        } catch {
            log.once(
                .warning, "tidy", subject: account.label,
                "account \(account.label): the index was not written: \(NodeError(cause: error).message)")
            account.rollback()
        }
    }

    /// Remembers when the devices in reach were last seen to agree; looked at no more than 20 times a second.
    private func noteSync(_ now: MonotonicTime) {
        isSyncCheckDue = now < nextSyncCheck
        guard !isSyncCheckDue else { return }
        nextSyncCheck = now + .milliseconds(50)
        noteStates(now)
        _ = machine.noteStates(now: now, wall: node.clock.wall())
        for account in node.accounts {
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

    /// Remembers up to when the connected devices have everything: those that hold our records and ask for nothing.
    private func noteHolds(_ account: NodeAccount) {
        guard account.fault == nil, let served = served(account), account.zone.store.wantedCount == 0 else { return }
        for peer in served.sync.peers where peer.isEqual && !served.sync.isServing(peer.session) {
            // What cannot be remembered now is seen again.
            try? account.zone.noteHolds(peer.lane)
        }
    }

    /// Tells the change feeds how the accounts stand.
    private func noteStates(_ now: MonotonicTime) {
        stateNoteAt = node.accounts.compactMap { $0.note(state: state(of: $0), now: now) }.min()
    }

    // MARK: End

    /// Writes what waits, tells the peers and the commands, closes everything.
    func stop() {
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

    /// The random source, lent to a handshake.
    func withRandom<Result>(_ body: (inout any RandomSource) -> Result) -> Result { body(&random) }
}
