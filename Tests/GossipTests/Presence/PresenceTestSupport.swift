import Gossip
import NodeCore

/// Keys, places and addresses for the tests of presence.
enum PresenceFixture {
    static func place(_ number: UInt8) -> PlaceID { PlaceID(Bytes32(UInt64(number), 0, 0, 0)) }

    static func device(_ number: UInt8) -> LaneID { LaneID(Bytes32(0, 0, 0, UInt64(number))) }

    static func digest(_ number: Int) -> ZoneDigest { ZoneDigest(Bytes16(UInt64(number), 7)) }

    static func key(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }

    static func address(_ number: Int, port: UInt16 = 0) -> SocketAddress {
        SocketAddress(ipv4: 0x0A00_0000 + UInt32(number), port: port)
    }

    static func link(_ number: Int) -> PresenceLink {
        PresenceLink(interfaceIndex: 2, address: address(number))
    }

    static func presencePlace(_ number: UInt8 = 1, digest: Int = 0) -> PresencePlace {
        PresencePlace(place: place(number), discoveryKeys: [key(number)], digest: self.digest(digest))
    }

    /// A node that listens on port 4000 + its number, with one link.
    static func node(_ number: Int, places: [PresencePlace], now: MonotonicTime = .zero) -> Presence {
        var node = Presence(now: now, random: SeededRandom(seed: UInt64(number)))
        node.onListening(port: UInt16(4_000 + number))
        node.onPlaces(places, now: now)
        node.onLinks([link(number)], now: now)
        return node
    }

    /// Runs a node's timers until it sends a beacon, and returns its bytes and the time.
    static func nextBeacon(
        _ node: inout Presence, from start: MonotonicTime = .zero
    ) -> (bytes: [UInt8], at: MonotonicTime)? {
        for _ in 0..<64 {
            guard let deadline = node.deadline else { return nil }
            let now = max(deadline, start)
            for case .send(let bytes, _) in node.onTimer(now: now) { return (bytes, now) }
        }
        return nil
    }

    /// The sightings of a node that receives a beacon from another one's address.
    static func hear(
        _ node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> [PeerSighting] {
        node.onDatagram(bytes, from: address(number, port: 21_000), interfaceIndex: 2, now: now)
            .compactMap(\.sighting)
    }

    /// Lets node `number` hear the other, and returns its next beacon, the first that may echo the other.
    static func answer(
        of node: inout Presence, to other: inout Presence, _ number: Int, from start: MonotonicTime = .zero
    ) -> (bytes: [UInt8], at: MonotonicTime)? {
        guard let (bytes, now) = nextBeacon(&other, from: start) else { return nil }
        _ = hear(&node, bytes, from: number, at: now)
        return nextBeacon(&node, from: now)
    }
}

extension PresenceAction {
    var sighting: PeerSighting? {
        if case .sighted(let sighting) = self { sighting } else { nil }
    }
}
