import NodeCore
import Testing

@testable import Gossip

@Suite("Presence")
struct PresenceTests {
    private typealias Fixture = PresenceFixture

    private func hear(
        _ node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> [PeerSighting] {
        node.onDatagram(bytes, from: Fixture.address(number, port: 21_000), interfaceIndex: 2, now: now)
            .compactMap(\.sighting)
    }

    @Test("A member is seen with its address, in sync or not")
    func sighting() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace(1, digest: 5), Fixture.presencePlace(2, digest: 5)])
        var right = Fixture.node(2, places: [Fixture.presencePlace(2, digest: 5), Fixture.presencePlace(1, digest: 6)])
        let (bytes, now) = try #require(Fixture.nextBeacon(&left))
        let sightings = hear(&right, bytes, from: 1, at: now)
        #expect(sightings.map(\.place) == [Fixture.place(1), Fixture.place(2)])
        #expect(sightings.map(\.isInSync) == [false, true])
        #expect(sightings.allSatisfy { $0.address == Fixture.address(1, port: 4_001) && $0.isNewID })

        right.onDigest(Fixture.digest(5), place: Fixture.place(1), isLocal: false, now: now)
        let (second, later) = try #require(Fixture.nextBeacon(&left))
        let again = hear(&right, second, from: 1, at: later)
        #expect(again.map(\.isInSync) == [true, true])
        #expect(again.allSatisfy { !$0.isNewID })
        #expect(right.statistics.recognised == 2)
    }

    @Test("Of two that hear each other exactly one dials second")
    func tie() throws {
        for seed in 1...20 {
            var left = Fixture.node(seed, places: [Fixture.presencePlace()])
            var right = Fixture.node(seed + 100, places: [Fixture.presencePlace()])
            let (fromLeft, leftAt) = try #require(Fixture.nextBeacon(&left))
            let (fromRight, rightAt) = try #require(Fixture.nextBeacon(&right))
            let atRight = try #require(hear(&right, fromLeft, from: seed, at: leftAt).first)
            let atLeft = try #require(hear(&left, fromRight, from: seed + 100, at: rightAt).first)
            #expect(atRight.dialsSecond != atLeft.dialsSecond)
        }
    }

    @Test("A replay from another address, a double and a lower counter are worth nothing")
    func replay() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace()])
        var right = Fixture.node(2, places: [Fixture.presencePlace()])
        let (first, firstAt) = try #require(Fixture.nextBeacon(&left))
        let (second, secondAt) = try #require(Fixture.nextBeacon(&left))
        #expect(hear(&right, first, from: 66, at: firstAt).isEmpty)
        #expect(right.statistics.strangers == 1)
        #expect(hear(&right, second, from: 1, at: secondAt).count == 1)
        #expect(hear(&right, second, from: 1, at: secondAt).isEmpty)
        #expect(hear(&right, first, from: 1, at: secondAt).isEmpty)
        #expect(right.statistics.stale == 2)
        #expect(right.statistics.recognised == 1)
    }

    @Test("A stranger who copies a tag under a higher counter does not silence the id's owner")
    func forgedCounter() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace()])
        var right = Fixture.node(2, places: [Fixture.presencePlace()])
        let (first, firstAt) = try #require(Fixture.nextBeacon(&left))
        var forged = first
        forged[17] ^= 0x80  // The counter's highest byte.
        #expect(hear(&right, forged, from: 1, at: firstAt).isEmpty)
        #expect(hear(&right, first, from: 1, at: firstAt).count == 1)
    }

    /// Devices that pair find each other by a key that everybody knows.
    @Test("Who claims an id with a public key does not silence the id's owner", arguments: [false, true])
    func claimedID(isKnown: Bool) throws {
        let pairing = PresencePlace(
            place: PairingPlace.id, discoveryKeys: [PairingKeys.discovery], digest: PairingKeys.digest(.gives),
            isPublic: true)
        var left = Fixture.node(1, places: [Fixture.presencePlace()])
        var right = Fixture.node(2, places: [Fixture.presencePlace(), pairing])
        let (first, firstAt) = try #require(Fixture.nextBeacon(&left))
        if isKnown { #expect(hear(&right, first, from: 1, at: firstAt).count == 1) }
        let claim = try BeaconCodec.decode(first).header
        for counter in [UInt64.max - 1, .max, .max] {
            let header = Beacon.Header(id: claim.id, counter: counter, port: 66)
            var random: any RandomSource = SeededRandom(seed: counter)
            let forged = BeaconCodec.encode(
                header, host: Fixture.address(66), zones: [(PairingKeys.discovery, PairingKeys.digest(.takes))],
                random: &random)
            _ = hear(&right, forged, from: 66, at: firstAt)
        }
        #expect(right.statistics.stale == 1)
        let (second, secondAt) = try #require(Fixture.nextBeacon(&left))
        let sightings = hear(&right, second, from: 1, at: secondAt)
        #expect(sightings.map(\.place) == [Fixture.place(1)])
        #expect(sightings.first?.isNewID == !isKnown)
    }

    @Test("A node of another place, or another key version we do not hold, sees a stranger")
    func strangers() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace(1)])
        var right = Fixture.node(2, places: [Fixture.presencePlace(2)])
        let (bytes, now) = try #require(Fixture.nextBeacon(&left))
        #expect(hear(&right, bytes, from: 1, at: now).isEmpty)
        #expect(right.statistics.strangers == 1)
    }

    @Test("A device that slept through a rotation recognises the higher version")
    func higherVersion() throws {
        let newer = PresencePlace(place: Fixture.place(1), discoveryKeys: [Fixture.key(9)], digest: Fixture.digest(1))
        let keys = [Fixture.key(7), Fixture.key(8), Fixture.key(9)]
        let older = PresencePlace(place: Fixture.place(1), discoveryKeys: keys, digest: Fixture.digest(1))
        var left = Fixture.node(1, places: [newer])
        var right = Fixture.node(2, places: [older])
        let (bytes, now) = try #require(Fixture.nextBeacon(&left))
        let sightings = hear(&right, bytes, from: 1, at: now)
        #expect(sightings.map(\.isInSync) == [true])
        #expect(sightings.map(\.key) == [2])
    }

    @Test("Own beacons that come back are counted and nothing else")
    func ownReturned() throws {
        var node = Fixture.node(1, places: [Fixture.presencePlace()])
        let (bytes, now) = try #require(Fixture.nextBeacon(&node))
        #expect(hear(&node, bytes, from: 1, at: now).isEmpty)
        #expect(node.linkStatistics[2]?.sent == 1)
        #expect(node.linkStatistics[2]?.ownReturned == 1)
        #expect(node.statistics == PresenceStatistics())
    }

    @Test("The id changes after a quarter of an hour and with the network; the counter rises within it")
    func rotation() throws {
        var node = Fixture.node(1, places: [Fixture.presencePlace()])
        var ids: [BeaconID] = []
        var last: Beacon.Header?
        while let (bytes, now) = Fixture.nextBeacon(&node), now < .zero + .seconds(3_600) {
            let header = try BeaconCodec.decode(bytes).header
            if header.id == last?.id {
                #expect(header.counter > last?.counter ?? 0)
            } else {
                #expect(!ids.contains(header.id))
                ids.append(header.id)
            }
            last = header
        }
        #expect(ids.count == 4)
        node.onWake(now: .zero + .seconds(3_601))
        let (bytes, _) = try #require(Fixture.nextBeacon(&node))
        let woken = try BeaconCodec.decode(bytes).header.id
        #expect(!ids.contains(woken))
    }

    @Test("Without a port, a place or a link nothing is due")
    func nothingToSay() {
        var node = Presence(now: .zero, random: SeededRandom(seed: 1))
        #expect(node.deadline == nil)
        node.onPlaces([Fixture.presencePlace()], now: .zero)
        node.onLinks([Fixture.link(1)], now: .zero)
        #expect(node.deadline == nil)
        node.onListening(port: 1)
        #expect(node.deadline != nil)
        node.onLinks([], now: .zero)
        #expect(node.deadline == nil)
        node.onLinks([Fixture.link(1)], now: .zero)
        node.onPlaces([], now: .zero)
        #expect(node.deadline == nil)
        let actions = node.onTimer(now: .zero + .seconds(9))
        #expect(actions.isEmpty)
    }

    @Test("A difference that lasts does not keep the node talking")
    func lastingDifference() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace(1, digest: 1)])
        var right = Fixture.node(2, places: [Fixture.presencePlace(1, digest: 2)])
        var sent = 0
        let end = MonotonicTime.zero + .seconds(3_600)
        while let now = [left.deadline, right.deadline].compactMap({ $0 }).min(), now < end {
            for case .send(let bytes, _) in left.onTimer(now: now) {
                sent += 1
                #expect(hear(&right, bytes, from: 1, at: now).map(\.isInSync) == [false])
            }
            for case .send(let bytes, _) in right.onTimer(now: now) {
                sent += 1
                #expect(hear(&left, bytes, from: 2, at: now).map(\.isInSync) == [false])
            }
        }
        // Without the growing pause between resets: 7,000 and more.
        #expect(sent < 1_500)
    }

    @Test("More than 64 places are named in turn")
    func manyZones() throws {
        let places = (0..<100).map { Fixture.presencePlace(UInt8($0), digest: 1) }
        var left = Fixture.node(1, places: places)
        var right = Fixture.node(2, places: places)
        var seen: Set<PlaceID> = []
        for _ in 0..<10 {
            let (bytes, now) = try #require(Fixture.nextBeacon(&left))
            let sightings = hear(&right, bytes, from: 1, at: now)
            #expect(sightings.count == 64)
            seen.formUnion(sightings.map(\.place))
        }
        #expect(seen.count == 100)
    }
}
