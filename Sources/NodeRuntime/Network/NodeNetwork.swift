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
    var control: ControlServer?
    /// When all devices in reach were last known to hold the same.
    var lastSyncedAt: WallTime?
    /// When the connection of the first session was dialled or accepted.
    var firstSession: MonotonicTime?
    /// Bytes of datagrams that the kernel took.
    var beaconBytes: UInt64 = 0

    private let discovery: DiscoveryMode
    private var monitor: InterfaceMonitor
    private var random: any RandomSource
    private var nextSession: UInt64 = 1
    private var syncedDigest: ZoneDigest?
    private var nextSyncCheck = MonotonicTime.zero
    /// A turn came too soon after the last look: one more is to be taken.
    private var isSyncCheckDue = false
    private var tidyAt: MonotonicTime?
    private var plannedTurn: MonotonicTime?
    private var isStopping = false

    init(node: Node, loop: EventLoop, discovery: DiscoveryMode, log: Log) {
        let now = node.clock.now()
        self.node = node
        self.loop = loop
        self.discovery = discovery
        self.log = log
        random = SystemRandom()
        machine = NodeMachine(random: SystemRandom(), now: now)
        monitor = InterfaceMonitor(now: now)
        machine.add(node.account, now: now)
        machine.onRemembered(node.rememberedAddresses(), zone: node.account.zone, now: now)
        lastSyncedAt = node.storedSyncTime()
        node.network = self
        loop.onTurn = { [unowned self] now in endTurn(now) }
        // The first turn is due at once: it looks for interfaces and sends the first beacons.
        loop.deadline = now
    }

    var served: ServedZone? { machine.zone(node.account.zone) }

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
        tick(now)
        if let fault = control?.work(now: now) { machine.onStoreFailed(fault, zone: node.account.zone) }
        let failureBefore = node.fault
        machine.endTurn(now: now, wall: node.clock.wall())
        updateFault()
        if let fault = node.fault, failureBefore == nil { control?.fail(fault) }
        perform(machine.takeActions(), now: now)
        let isBusy = flush(now)
        control?.flush()
        noteSync(now)
        tidy(now)
        plan(now, isBusy: isBusy)
    }

    private func plan(_ now: MonotonicTime, isBusy: Bool) {
        var times = connections.values.compactMap(\.deadline)
        times += [machine.deadline, control?.deadline, tidyAt].compactMap(\.self)
        if watchesInterfaces { times.append(monitor.deadline) }
        if isSyncCheckDue { times.append(nextSyncCheck) }
        if isBusy || node.account.store.hasUncommitted { times.append(now) }
        loop.deadline = times.min()
        plannedTurn = loop.deadline
    }

    /// A turn that comes much later than planned: the machine has slept, and may be somewhere else now.
    private func noticeSleep(_ now: MonotonicTime) {
        guard let planned = plannedTurn, now - planned > .seconds(20) else { return }
        log.line(.info, "woke-up", "the machine slept; looking for devices anew")
        machine.onWake(now: now)
    }

    private func pollInterfaces(_ now: MonotonicTime) {
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

    /// Loopback stays as it is once it was found.
    private var watchesInterfaces: Bool {
        discovery != .off && (discovery != .loopback || beacons?.interfaces.isEmpty != false)
    }

    /// What the store says: told once when it begins, once when it is over.
    private func updateFault() {
        guard let failure = served?.failure else {
            node.fault = nil
            return
        }
        node.fault = NodeError(cause: failure)
    }

    /// Index entries that wait in memory are written when nothing has happened for a while.
    private func tidy(_ now: MonotonicTime) {
        guard node.account.chat.hasUnflushed, node.fault == nil else {
            tidyAt = nil
            return
        }
        guard let due = tidyAt, now >= due else {
            if tidyAt == nil { tidyAt = now + .seconds(2) }
            return
        }
        tidyAt = nil
        do {
            try node.account.tidy()
        } catch {
            log.once(.warning, "tidy", "the index was not written: \(NodeError(cause: error).message)")
            node.rollback()
        }
    }

    /// Remembers when the devices in reach were last seen to agree; looked at no more than 20 times a second.
    private func noteSync(_ now: MonotonicTime) {
        isSyncCheckDue = now < nextSyncCheck
        guard !isSyncCheckDue else { return }
        nextSyncCheck = now + .milliseconds(50)
        guard let served, sessionCount > 0, served.sync.isCaughtUp else {
            syncedDigest = nil
            return
        }
        let digest = node.account.store.digest
        guard syncedDigest != digest else { return }
        syncedDigest = digest
        lastSyncedAt = node.clock.wall()
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
        control?.stop()
        if let lastSyncedAt { node.store(syncTime: lastSyncedAt) }
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
