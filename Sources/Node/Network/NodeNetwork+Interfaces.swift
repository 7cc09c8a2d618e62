import NodeCore
import Transport

/// Beacon counts of each interface: if beacons leave and never return, something filters them.
extension NodeNetwork {
    package var interfaces: [JSONValue] {
        guard let beacons else { return [] }
        return beacons.interfaces.map { interface in
            var ways: [JSONValue] = []
            for way in BeaconWay.allCases {
                let counters = beacons.counters(way, on: interface.index)
                if counters.isUsed { ways.append(way.json(counters)) }
            }
            return .object(["name": .string(interface.name), "ways": .array(ways)])
        }
    }
}

extension BeaconCounters {
    fileprivate var isUsed: Bool { sent + failed + received + ownReturned > 0 || lastError != nil }
}

extension BeaconWay {
    /// Its name in reports.
    package var word: String {
        switch self {
        case .multicastIPv4: "multicast-ipv4"
        case .broadcastIPv4: "broadcast-ipv4"
        case .multicastIPv6: "multicast-ipv6"
        case .unicast: "unicast"
        }
    }

    fileprivate func json(_ counters: BeaconCounters) -> JSONValue {
        .object([
            "way": .string(word), "sent": .number(counters.sent), "failed": .number(counters.failed),
            "received": .number(counters.received), "ownReturned": .number(counters.ownReturned),
            "error": .optional(counters.lastError.map { "\($0)" }),
        ])
    }
}
