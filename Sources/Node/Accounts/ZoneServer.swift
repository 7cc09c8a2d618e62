import Gossip
import NodeCore

/// Connects a node's zones with their peers while the node runs.
protocol ZoneServer: AnyObject {
    var machine: NodeMachine { get }
    /// Addresses of this node, for a joiner who hears no beacon from it.
    var joinHints: [SocketAddress] { get }

    /// Starts serving a zone.
    func serve(_ zone: any NodeZone, now: MonotonicTime)
    /// Stops serving a zone.
    func leave(_ zone: any NodeZone, now: MonotonicTime)
}

extension ZoneServer {
    func served(_ zone: any NodeZone) -> ServedZone? { machine.zone(zone.placeID) }
}
