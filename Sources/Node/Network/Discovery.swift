import Gossip
import NodeCore
import NodeModel
package import Transport

/// Where devices are found: watches which interfaces there are, and sends and hears beacons on those that are chosen.
package final class Discovery {
    package let mode: DiscoveryMode
    private let machine: NodeMachine
    private let loop: EventLoop
    private let log: Log
    private var beacons: BeaconPort?
    private var monitor: InterfaceMonitor
    /// Beacons have nowhere to go: only devices whose address was given are reached.
    private(set) var hasNoInterface = false
    /// Of the interfaces that the user named those that are not there, or down.
    private(set) var missingInterfaces: [String] = []
    /// Bytes of datagrams that the kernel took.
    package private(set) var sentBytes: UInt64 = 0

    init(_ mode: DiscoveryMode, _ machine: NodeMachine, loop: EventLoop, log: Log, now: MonotonicTime) {
        self.mode = mode
        self.machine = machine
        self.loop = loop
        self.log = log
        monitor = InterfaceMonitor(now: now)
    }

    /// When the interfaces are looked at next; nil where nobody needs to.
    var deadline: MonotonicTime? { isWatching ? monitor.deadline : nil }

    /// Loopback stays as it is once it was found; in the background nothing is looked for.
    private var isWatching: Bool {
        mode != .off && !machine.isInBackground && (mode != .loopback || beacons?.interfaces.isEmpty != false)
    }

    /// The addresses of the interfaces on which devices are looked for.
    var addresses: [SocketAddress] { (beacons?.interfaces ?? []).flatMap(\.beaconAddresses) }

    /// Looks at the interfaces, if it is time to.
    func poll(_ now: MonotonicTime) {
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

    /// Looks at once, and from now on again.
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
            log.once(.warning, "beacon", subject: subject, "beacons do not leave by \(link.address.hostText): \(error)")
        } else {
            log.over("beacon", subject: subject)
        }
    }

    /// What became of beacons on each interface: those that leave and never return have a filter in their way.
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
    /// As reports name it.
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
