import Gossip
import NodeCore
import NodeModel
package import Transport

/// Finds devices: watches the machine's interfaces, sends and receives beacons on the chosen ones, and looks up the
/// names of peers.
package final class Discovery {
    package let mode: DiscoveryMode
    private let machine: NodeMachine
    private let loop: EventLoop
    private let log: Log
    private var beacons: BeaconPort?
    private var monitor: InterfaceMonitor
    private var named: NamedPeers?
    /// Whether there is no interface for beacons, so that only devices with a given address are reached.
    package private(set) var hasNoInterface = false
    /// Interfaces named by `--discovery` that are absent or down.
    private(set) var missingInterfaces: [String] = []
    /// Bytes of datagrams accepted by the kernel.
    package private(set) var sentBytes: UInt64 = 0

    init(_ mode: DiscoveryMode, _ machine: NodeMachine, loop: EventLoop, log: Log, now: MonotonicTime) {
        self.mode = mode
        self.machine = machine
        self.loop = loop
        self.log = log
        monitor = InterfaceMonitor(now: now)
    }

    /// The next time to check the interfaces or names; nil if nobody needs it.
    var deadline: MonotonicTime? { [isWatching ? monitor.deadline : nil, named?.deadline].compactMap(\.self).min() }

    /// Looks for devices at these `HOST:PORT` from now on.
    func look(for names: [String], now: MonotonicTime) {
        named = NamedPeers(names, loop: loop.handle, log: log, now: now) { [machine] in
            machine.onStatic($0, now: $1)
        }
    }

    /// Looks names up again: the machine woke up, perhaps elsewhere, and they may mean something else.
    func lookAgain(_ now: MonotonicTime) { named?.lookAgain(now) }

    /// False for loopback once it is found, since it never changes, and in the background.
    private var isWatching: Bool {
        mode != .off && !machine.isInBackground && (mode != .loopback || beacons?.interfaces.isEmpty != false)
    }

    /// The addresses of the interfaces used for discovery.
    var addresses: [SocketAddress] { (beacons?.interfaces ?? []).flatMap(\.beaconAddresses) }

    /// Checks the interfaces and names if it is time to.
    func poll(_ now: MonotonicTime) {
        named?.tick(now)
        guard isWatching else { return }
        do throws(Transport.SystemError) {
            guard let all = try monitor.poll(now: now) else { return }
            let chosen = mode.choose(among: all)
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
            missingInterfaces = mode.missing(among: chosen)
            tellMissing(among: all)
            let links = chosen.flatMap { interface in
                interface.beaconAddresses.map { PresenceLink(interfaceIndex: interface.index, address: $0) }
            }
            machine.onLinks(links, now: now)
            lookAgain(now)
        } catch {
            log.once(.warning, "no-beacons", "devices cannot be found by beacons: \(error)")
        }
    }

    /// Logs that there is no interface to use, or none with a given name, and which names there are.
    private func tellMissing(among all: [NetworkInterface]) {
        if case .named(let names) = mode {
            for name in names {
                guard missingInterfaces.contains(name) else {
                    log.over("no-interface", subject: name)
                    continue
                }
                log.once(.warning, "no-interface", subject: name, DiscoveryMode.absence(of: name, among: all))
            }
        } else if hasNoInterface {
            log.once(.warning, "no-interface", "no usable network interface; only --peer devices are reached")
        } else {
            log.over("no-interface")
        }
    }

    /// Checks the interfaces now, and regularly again.
    func restart(now: MonotonicTime) {
        monitor = InterfaceMonitor(now: now)
        poll(now)
    }

    func close() {
        beacons?.close()
        beacons = nil
    }

    func send(_ bytes: [UInt8], on link: PresenceLink) {
        guard let beacons else { return }
        let outcomes = beacons.send(bytes, from: link.address, on: link.interfaceIndex)
        sentBytes += UInt64(bytes.count * outcomes.count { $0.error == nil })
        let subject = "\(link.interfaceIndex)"
        if let error = outcomes.compactMap(\.error).first, outcomes.allSatisfy({ $0.error != nil }) {
            log.once(
                .warning, "beacon", subject: subject, "beacons cannot be sent from \(link.address.hostText): \(error)")
        } else {
            log.over("beacon", subject: subject)
        }
    }

    /// Beacon statistics per interface: if beacons leave and never return, a filter is in the way.
    var interfaces: [Diagnostics.Interface] {
        guard let beacons else { return [] }
        return beacons.interfaces.map { interface in
            var told = Diagnostics.Interface()
            told.name = interface.name
            for way in BeaconWay.allCases {
                let counters = beacons.counters(way, on: interface.index)
                if counters.isUsed { told.ways.append(Diagnostics.Interface.Way(way, counters)) }
            }
            return told
        }
    }
}

extension BeaconCounters {
    fileprivate var isUsed: Bool { sent + failed + received + ownReturned > 0 || lastError != nil }
}

extension BeaconWay {
    /// The name used in reports.
    package var word: String {
        switch self {
        case .multicastIPv4: "multicast-ipv4"
        case .broadcastIPv4: "broadcast-ipv4"
        case .multicastIPv6: "multicast-ipv6"
        case .unicast: "unicast"
        }
    }
}

extension Diagnostics.Interface.Way {
    fileprivate init(_ way: BeaconWay, _ counters: BeaconCounters) {
        self.init()
        self.way = way.word
        sent = Int(counters.sent)
        failed = Int(counters.failed)
        received = Int(counters.received)
        ownReturned = Int(counters.ownReturned)
        error = counters.lastError.map { "\($0)" }
    }
}
