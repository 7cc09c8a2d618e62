import Gossip
import NodeCore

/// Who meets the peers of a node's zones, while the node runs.
protocol ZoneServer: AnyObject {
    var machine: NodeMachine { get }
    /// Addresses at which this node may be reached, for who hears no beacon of it.
    var joinHints: [SocketAddress] { get }

    /// Takes part in a zone from now on.
    func serve(_ zone: any NodeZone, now: MonotonicTime)
    /// Takes part in it no longer.
    func leave(_ zone: any NodeZone, now: MonotonicTime)
}

extension ZoneServer {
    func served(_ zone: any NodeZone) -> ServedZone? { machine.zone(zone.placeID) }
}
