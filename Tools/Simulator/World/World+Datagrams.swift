import Gossip
import NodeCore

extension World {
    /// A multicast reaches each node of the network independently, and comes back to its sender.
    func spread(_ bytes: [UInt8], from sender: Int, link: PresenceLink) {
        // A link that the machine has left since.
        guard link == hosts[sender].link else { return }
        tallies.datagrams += 1
        tallies.datagramBytes += bytes.count
        let source = hosts[sender].address.with(port: SimulatedHost.beaconPort)
        for receiver in hosts.indices {
            if receiver == sender {
                plan(.datagram(bytes, to: receiver, from: source), after: .microseconds(50))
                continue
            }
            guard !isCut(from: sender, to: receiver), !happens(profile.datagramLoss) else { continue }
            for _ in 0..<(happens(profile.datagramDuplication) ? 2 : 1) {
                var copy = bytes
                if happens(profile.datagramCorruption), !copy.isEmpty {
                    copy[Int.random(in: 0..<copy.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
                }
                // Each copy is delayed independently, which reorders them.
                plan(.datagram(copy, to: receiver, from: source), after: delay())
            }
        }
    }

    func delay() -> Duration {
        profile.latency + .nanoseconds(Int64.random(in: 0...profile.jitter.heldNanoseconds, using: &random))
    }

    /// Draws nothing if the share is zero, so that a calm world uses no randomness.
    func happens(_ share: Double) -> Bool {
        share > 0 && Double.random(in: 0..<1, using: &random) < share
    }

    func isCut(from sender: Int, to receiver: Int) -> Bool {
        partitions.contains { $0.cuts(from: sender, to: receiver) }
    }
}

extension WorldEvent {
    /// On the only interface of simulated machines.
    fileprivate static func datagram(_ bytes: [UInt8], to receiver: Int, from source: SocketAddress) -> WorldEvent {
        .datagram(bytes, to: receiver, from: source, interfaceIndex: SimulatedHost.interfaceIndex)
    }
}
