import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// The messages of a node's machine on the network that result from events in its zones.
@Suite struct NodeMachineTests {
    private static let link = PresenceLink(interfaceIndex: 1, address: SocketAddress(ipv4: 0x7f00_0001, port: 0))
    private static let missed = Stub(txid: TxID(Bytes32(1, 2, 3, 4)), hintedAt: WallTime(milliseconds: 0))

    /// A node on loopback, and a listener that holds the same.
    private struct Pair {
        let bench: SyncBench
        let machine: NodeMachine
        var listener: Presence
        private let address = SocketAddress(ipv4: 0x7f00_0002, port: 0)
        var now = MonotonicTime.zero

        init() throws {
            bench = try SyncBench(1)
            machine = NodeMachine(random: SeededRandom(seed: 4), now: now)
            machine.add(bench.zone, now: now)
            machine.onListening(port: 4_000)
            machine.onLinks([NodeMachineTests.link], now: now)
            listener = Presence(now: now, random: SeededRandom(seed: 5))
            let zone = try #require(machine.zones.first)
            listener.onListening(port: 4_001)
            listener.onPlaces([try #require(zone.shown)], now: now)
            listener.onLinks([PresenceLink(interfaceIndex: 1, address: address)], now: now)
        }

        /// Whether each beacon within a duration says that all is the same.
        mutating func hear(for duration: Duration) -> [(at: MonotonicTime, isInSync: Bool)] {
            let end = now + duration
            var heard: [(at: MonotonicTime, isInSync: Bool)] = []
            while now < end {
                machine.endTurn(now: now, wall: WallTime(milliseconds: 0))
                for action in machine.takeActions() {
                    guard case .beacon(let bytes, _) = action else { continue }
                    for action in listener.onDatagram(
                        bytes, from: NodeMachineTests.link.address, interfaceIndex: 1, now: now)
                    {
                        if case .sighted(let sighting) = action { heard.append((now, sighting.isInSync)) }
                    }
                }
                // The listener sees the node once the node has heard it.
                for case .send(let bytes, _) in listener.onTimer(now: now) {
                    machine.onDatagram(bytes, from: address, link: 1, now: now)
                }
                let next = min(machine.deadline ?? end, listener.deadline ?? end)
                now = min(end, max(next, now + .milliseconds(1)))
            }
            return heard
        }
    }

    @Test func aHintIsHeardAsADifferenceSoonAndNotForLong() throws {
        var pair = try Pair()
        let before = pair.hear(for: .seconds(300))
        #expect(!before.isEmpty && before.allSatisfy { $0.isInSync })
        let hintedAt = pair.now
        #expect(try pair.bench.zone.hint(Self.missed) == .new)
        let after = pair.hear(for: .seconds(2))
        #expect(after.first.map { $0.at - hintedAt <= .milliseconds(501) } == true)
        #expect(after.allSatisfy { !$0.isInSync })
        // The message is asked for again at growing intervals; between them all is said to be the same.
        let later = pair.hear(for: .seconds(600))
        #expect(later.contains { $0.isInSync } && later.contains { !$0.isInSync })
        try pair.bench.zone.chat.stubs.resolve(Self.missed.txid)
        _ = pair.hear(for: .seconds(310))
        let quiet = pair.hear(for: .seconds(300))
        #expect(quiet.allSatisfy { $0.isInSync })
    }

    /// Only an update helps; until then no session is possible, so none is tried.
    @Test func aBeaconOfAnotherVersionIsShownAndNotDialled() throws {
        let bench = try SyncBench(1)
        let machine = NodeMachine(random: SeededRandom(seed: 4), now: .zero)
        machine.add(bench.zone, now: .zero)
        machine.onListening(port: 4_000)
        machine.onLinks([Self.link], now: .zero)
        let key = try #require(bench.zone.zoneAccess.keys.discovery.first)
        var random: any RandomSource = SeededRandom(seed: 5)
        let source = SocketAddress(ipv4: 0x7f00_0002, port: 0)
        var beacons: [[UInt8]] = []
        for counter in 1...100 as ClosedRange<UInt64> {
            let header = Beacon.Header(id: BeaconID(Bytes16(1, 2)), counter: counter, port: 5_000)
            let bytes = BeaconCodec.encode(
                header, host: source, zones: [(key, ZoneDigest(Bytes16(3, 4)))], version: 1, random: &random)
            machine.onDatagram(bytes, from: source, link: 1, now: .zero + .seconds(Int(counter)))
            machine.endTurn(now: .zero + .seconds(Int(counter)), wall: WallTime(milliseconds: 0))
            for action in machine.takeActions() {
                if case .dial = action { Issue.record("it is not dialled") }
                if case .beacon(let bytes, _) = action { beacons.append(bytes) }
            }
        }
        let zone = try #require(machine.zones.first)
        let entries = zone.otherVersions.entries(now: .zero + .seconds(100))
        #expect(entries.map(\.version) == [1])
        #expect(machine.presence.known.isEmpty)
        // It is not echoed either, since it would dial.
        for bytes in beacons {
            let beacon = try BeaconCodec.decode(bytes)
            let echo = BeaconCodec.echo(
                of: BeaconID(Bytes16(1, 2)), in: beacon.header, host: Self.link.address, key: key)
            #expect(!beacon.contains(echo))
        }
        #expect(!beacons.isEmpty)
    }
}
