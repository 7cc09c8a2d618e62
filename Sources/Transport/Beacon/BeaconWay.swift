/// How a beacon travels.
package enum BeaconWay: Int, CaseIterable, Comparable, Sendable {
    case multicastIPv4
    case broadcastIPv4
    case multicastIPv6
    case unicast

    package static func < (left: BeaconWay, right: BeaconWay) -> Bool { left.rawValue < right.rawValue }
}
