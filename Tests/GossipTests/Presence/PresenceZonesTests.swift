import NodeCore
import Testing

@testable import Gossip

/// A beacon has room for 16 echoes and 64 entries in all; two devices of one account may share more zones.
@Suite("Presence: many zones")
struct PresenceZonesTests {
    private typealias Fixture = PresenceFixture

    private func hear(
        _ node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> [PeerSighting] { Fixture.hear(&node, bytes, from: number, at: now) }

    /// Two nodes that echo each other in all the zones that they share.
    private func siblings(
        _ zones: Int, and more: [PresencePlace] = []
    ) throws -> (left: Presence, right: Presence, now: MonotonicTime) {
        let places = (1...zones).map { Fixture.presencePlace(UInt8($0), digest: 1) }
        var (left, right) = (Fixture.node(1, places: places + more), Fixture.node(2, places: places))
        var now = MonotonicTime.zero
        for _ in 0..<8 {
            let (fromRight, rightAt) = try #require(Fixture.nextBeacon(&right, from: now))
            _ = hear(&left, fromRight, from: 2, at: rightAt)
            let (fromLeft, leftAt) = try #require(Fixture.nextBeacon(&left, from: rightAt))
            _ = hear(&right, fromLeft, from: 1, at: leftAt)
            now = leftAt
        }
        return (left, right, now)
    }

    private func pairing(_ role: PairingRole) -> PresencePlace {
        PresencePlace(
            place: PairingPlace.id, discoveryKeys: [PairingKeys.discovery], digest: PairingKeys.digest(role),
            isPublic: true)
    }

    @Test(
        "Who pairs is named and echoed in the next beacon, however many zones another device shares",
        arguments: [15, 16, 30, 100])
    func pairingAmongManyZones(zones: Int) throws {
        var (left, _, now) = try siblings(zones)
        left.onPlaces(left.places + [pairing(.gives)], now: now)
        for number in 3...5 {
            var taker = Fixture.node(number, places: [pairing(.takes)], now: now)
            let (bytes, at) = try #require(Fixture.answer(of: &left, to: &taker, number, from: now))
            let sightings = hear(&taker, bytes, from: 1, at: at)
            #expect(sightings.map(\.place) == [PairingPlace.id])
            #expect(try tags(bytes, key: PairingKeys.discovery) == 1)
            now = at
        }
    }

    private func tags(_ bytes: [UInt8], key: Secret) throws -> Int {
        let beacon = try BeaconCodec.decode(bytes)
        return beacon.checks(tag: BeaconCodec.tag(beacon.header, host: Fixture.address(1), key: key)).count
    }

    @Test("Who claims many ids with a public key leaves members half of the echoes")
    func claimsAmongManyZones() throws {
        var (left, right, now) = try siblings(30)
        left.onPlaces(left.places + [pairing(.gives)], now: now)
        var random: any RandomSource = SeededRandom(seed: 7)
        for number in 0..<100 {
            let host = Fixture.address(100 + number)
            let header = Beacon.Header(id: random.identifier(), counter: 1, port: 66)
            let bytes = BeaconCodec.encode(
                header, host: host, zones: [(PairingKeys.discovery, PairingKeys.digest(.takes))], random: &random)
            _ = hear(&left, bytes, from: 100 + number, at: now)
        }
        var seen: Set<PlaceID> = []
        for _ in 0..<4 {
            let (bytes, at) = try #require(Fixture.nextBeacon(&left, from: now))
            seen.formUnion(hear(&right, bytes, from: 1, at: at).map(\.place))
            now = at
        }
        #expect(seen.count == 30)
    }

    @Test("Who seeks members is echoed soon by one that has known it for long", arguments: [1, 30, 100])
    func seekerAmongManyZones(zones: Int) throws {
        func rendezvous(_ part: PresencePlace.Part, _ digest: Int) -> PresencePlace {
            PresencePlace(
                place: Fixture.place(200), discoveryKeys: [Fixture.key(200)], digest: Fixture.digest(digest),
                part: part)
        }
        var (left, right, now) = try siblings(zones, and: [rendezvous(.listens, 0)])
        right.onPlaces(right.places + [rendezvous(.speaks, 1)], now: now)
        let (bytes, at) = try #require(Fixture.answer(of: &left, to: &right, 2, from: now))
        #expect(at < now + .seconds(2))
        #expect(hear(&right, bytes, from: 1, at: at).map(\.place).contains(Fixture.place(200)))
    }

    @Test("A zone that two get besides many others is echoed in the next beacon", arguments: [15, 30])
    func newAmongManyZones(zones: Int) throws {
        for number in [0, UInt8(zones + 1)] {
            var (left, right, now) = try siblings(zones)
            left.onPlaces(left.places + [Fixture.presencePlace(number, digest: 1)], now: now)
            right.onPlaces(right.places + [Fixture.presencePlace(number, digest: 2)], now: now)
            let (bytes, at) = try #require(Fixture.answer(of: &left, to: &right, 2, from: now))
            #expect(hear(&right, bytes, from: 1, at: at).map(\.place).contains(Fixture.place(number)))
        }
    }

    @Test("A node that comes late does not keep those from being echoed that were long before")
    func latecomer() throws {
        var (left, right, now) = try siblings(30)
        for _ in 0..<100 { now = try #require(Fixture.nextBeacon(&left, from: now)).at }
        var late = Fixture.node(3, places: left.places, now: now)
        _ = hear(&left, try #require(Fixture.nextBeacon(&late, from: now)).bytes, from: 3, at: now)
        var (seen, seenLate): (Set<PlaceID>, Set<PlaceID>) = ([], [])
        for _ in 0..<4 {
            let (bytes, at) = try #require(Fixture.nextBeacon(&left, from: now))
            seen.formUnion(hear(&right, bytes, from: 1, at: at).map(\.place))
            seenLate.formUnion(hear(&late, bytes, from: 1, at: at).map(\.place))
            now = at
        }
        #expect(seen.count == 30 && seenLate.count == 30)
    }
}
