import NodeCore
import Testing

@testable import Gossip

@Suite("Presence")
struct PresenceTests {
    private typealias Fixture = PresenceFixture

    private func hear(
        _ node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> [PeerSighting] { Fixture.hear(&node, bytes, from: number, at: now) }

    @Test("A member that has heard us is seen with its address, in sync or not")
    func sighting() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace(1, digest: 5), Fixture.presencePlace(2, digest: 5)])
        var right = Fixture.node(2, places: [Fixture.presencePlace(2, digest: 5), Fixture.presencePlace(1, digest: 6)])
        let (first, start) = try #require(Fixture.nextBeacon(&left))
        #expect(hear(&right, first, from: 1, at: start).isEmpty)
        #expect(right.statistics.recognised == 1)
        let (bytes, now) = try #require(Fixture.answer(of: &left, to: &right, 2, from: start))
        let sightings = hear(&right, bytes, from: 1, at: now)
        #expect(sightings.map(\.place) == [Fixture.place(1), Fixture.place(2)])
        #expect(sightings.map(\.isInSync) == [false, true])
        #expect(sightings.allSatisfy { $0.address == Fixture.address(1, port: 4_001) && $0.isNewID })

        right.onDigest(Fixture.digest(5), place: Fixture.place(1), isLocal: false, now: now)
        let (second, later) = try #require(Fixture.nextBeacon(&left))
        let again = hear(&right, second, from: 1, at: later)
        #expect(again.map(\.isInSync) == [true, true])
        #expect(again.allSatisfy { !$0.isNewID })
        #expect(right.statistics.recognised == 3)
    }

    @Test("Of two that hear each other exactly one dials second")
    func tie() throws {
        for seed in 1...20 {
            var left = Fixture.node(seed, places: [Fixture.presencePlace()])
            var right = Fixture.node(seed + 100, places: [Fixture.presencePlace()])
            let (fromLeft, leftAt) = try #require(Fixture.answer(of: &left, to: &right, seed + 100))
            let atRight = try #require(hear(&right, fromLeft, from: seed, at: leftAt).first)
            let (fromRight, rightAt) = try #require(Fixture.nextBeacon(&right, from: leftAt))
            let atLeft = try #require(hear(&left, fromRight, from: seed + 100, at: rightAt).first)
            #expect(atRight.dialsSecond != atLeft.dialsSecond)
            // The lower id dials.
            let (ofLeft, ofRight) = (try BeaconCodec.decode(fromLeft), try BeaconCodec.decode(fromRight))
            #expect(atRight.dialsSecond == (ofLeft.header.id < ofRight.header.id))
        }
    }

    @Test("Two that meet for the first time see each other within two seconds; after a change of an id one does")
    func promptEcho() throws {
        for seed in 1...20 {
            var nodes = [seed, seed + 100].map { Fixture.node($0, places: [Fixture.presencePlace()]) }
            var seen: [[(at: MonotonicTime, isNewID: Bool)]] = [[], []]
            let woken = MonotonicTime.zero + .seconds(300)
            var isWoken = false
            while let next = nodes.indices.min(by: { nodes[$0].deadline ?? .zero < nodes[$1].deadline ?? .zero }),
                let now = nodes[next].deadline, !isWoken || now < woken + .seconds(5)
            {
                if !isWoken, now >= woken {
                    isWoken = true
                    nodes[0].onWake(now: woken)
                    continue
                }
                for case .send(let bytes, _) in nodes[next].onTimer(now: now) {
                    let number = next == 0 ? seed : seed + 100
                    for sighting in hear(&nodes[1 - next], bytes, from: number, at: now) {
                        seen[1 - next].append((now, sighting.isNewID))
                    }
                }
            }
            for list in seen {
                let first = try #require(list.first)
                #expect(first.at < .zero + .seconds(2) && first.isNewID)
            }
            let again = try #require(seen[1].first { $0.at >= woken })
            #expect(again.at < woken + .seconds(2) && again.isNewID)
            #expect(seen[1].count { $0.isNewID } == 2)
            #expect(nodes[1].known.values.count { !$0.echoKeys.isEmpty } == 1, "the earlier id is echoed no more")
        }
    }

    @Test("A recorded beacon makes nobody dial: from another address, twice, late, or after a restart")
    func replay() throws {
        let places = [Fixture.presencePlace()]
        var left = Fixture.node(1, places: places)
        var right = Fixture.node(2, places: places)
        let (first, firstAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
        let (second, secondAt) = try #require(Fixture.nextBeacon(&left))
        let (third, thirdAt) = try #require(Fixture.nextBeacon(&left))
        // From another address it looks like any stranger's.
        #expect(hear(&right, first, from: 66, at: firstAt).isEmpty)
        #expect(right.statistics.strangers == 1)
        #expect(hear(&right, second, from: 1, at: secondAt).count == 1)
        #expect(hear(&right, second, from: 1, at: secondAt).isEmpty)
        #expect(hear(&right, first, from: 1, at: secondAt).isEmpty)
        #expect(right.statistics.stale == 2)
        #expect(right.statistics.recognised == 1)
        // A restarted node recognises it as a member's, but as an echo of somebody else.
        var restarted = Fixture.node(22, places: places, now: secondAt)
        for bytes in [first, second, third] {
            #expect(hear(&restarted, bytes, from: 1, at: thirdAt).isEmpty)
        }
        #expect(restarted.statistics.recognised == 3)
        // The same holds for this node under its next id, though it has never heard this beacon.
        right.onWake(now: thirdAt)
        #expect(hear(&right, third, from: 1, at: thirdAt).isEmpty)
        #expect(right.statistics.recognised == 2)
    }

    @Test("Nor does a recorded beacon of an id that its node has changed since")
    func replayOfAnEarlierID() throws {
        let places = [Fixture.presencePlace()]
        var left = Fixture.node(1, places: places)
        var right = Fixture.node(2, places: places)
        let (earlier, earlierAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
        #expect(hear(&right, earlier, from: 1, at: earlierAt).count == 1)
        left.onWake(now: earlierAt)
        let (later, laterAt) = try #require(Fixture.nextBeacon(&left, from: earlierAt))
        #expect(hear(&right, later, from: 1, at: laterAt).count == 1)
        #expect(hear(&right, earlier, from: 1, at: laterAt).isEmpty)
        #expect(right.statistics.stale == 1)
    }

    @Test("An echo is valid in its beacon only")
    func copiedEcho() throws {
        let key = Fixture.key(1)
        var right = Fixture.node(2, places: [Fixture.presencePlace()])
        let (spoken, now) = try #require(Fixture.nextBeacon(&right))
        let heard = try BeaconCodec.decode(spoken).header.id
        var random: any RandomSource = SeededRandom(seed: 9)
        let sender: BeaconID = random.identifier()
        let other: BeaconID = random.identifier()
        func header(_ counter: UInt64, port: UInt16 = 4_001, id: BeaconID? = nil) -> Beacon.Header {
            Beacon.Header(id: id ?? sender, counter: counter, port: port)
        }
        // An attacker would paste a recorded echo next to a member's tag like this.
        func beacon(_ header: Beacon.Header, echo: Beacon.Header, echoHost: Int = 1) -> [UInt8] {
            var bytes = BeaconCodec.encode(
                header, host: Fixture.address(1), zones: [(key, Fixture.digest(0))], random: &random)
            let pasted = BeaconCodec.echo(of: heard, in: echo, host: Fixture.address(echoHost), key: key)
            let tag = [UInt8](
                bigEndianBytesOf: BeaconCodec.tag(header, host: Fixture.address(1), key: key), count: 8)
            for start in stride(from: BeaconCodec.headerBytes, to: bytes.count, by: 16)
            where Array(bytes[start..<start + 8]) != tag {
                bytes.replaceSubrange(
                    start..<start + 16,
                    with: [UInt8](bigEndianBytesOf: pasted.tag, count: 8)
                        + [UInt8](bigEndianBytesOf: pasted.check, count: 8))
                break
            }
            return bytes
        }
        #expect(hear(&right, beacon(header(2), echo: header(1)), from: 1, at: now).isEmpty)
        #expect(hear(&right, beacon(header(3), echo: header(3, port: 4_002)), from: 1, at: now).isEmpty)
        #expect(hear(&right, beacon(header(4), echo: header(4, id: other)), from: 1, at: now).isEmpty)
        #expect(hear(&right, beacon(header(5), echo: header(5), echoHost: 3), from: 1, at: now).isEmpty)
        #expect(right.statistics.recognised == 4)
        #expect(hear(&right, beacon(header(6), echo: header(6)), from: 1, at: now).count == 1)
    }

    @Test("Of a zone with later keys on one side, the side that recognises nothing dials who echoes it")
    func higherVersion() throws {
        let newer = PresencePlace(place: Fixture.place(1), discoveryKeys: [Fixture.key(9)], digest: Fixture.digest(1))
        let keys = [Fixture.key(7), Fixture.key(8), Fixture.key(9)]
        let older = PresencePlace(place: Fixture.place(1), discoveryKeys: keys, digest: Fixture.digest(1))
        var left = Fixture.node(1, places: [newer])
        var right = Fixture.node(2, places: [older])
        // A device that slept through a rotation recognises the later key.
        let (first, start) = try #require(Fixture.nextBeacon(&left))
        #expect(hear(&right, first, from: 1, at: start).isEmpty)
        #expect(right.statistics.recognised == 1)
        let (echo, echoAt) = try #require(Fixture.nextBeacon(&right, from: start))
        let sightings = hear(&left, echo, from: 2, at: echoAt)
        #expect(sightings.map(\.key) == [0])
        #expect(sightings.map(\.isInSync) == [false])
        #expect(sightings.map(\.dialsSecond) == [false])
        // It is not recognised itself, and so hears no echo.
        for _ in 0..<3 {
            let (bytes, now) = try #require(Fixture.nextBeacon(&left, from: echoAt))
            #expect(hear(&right, bytes, from: 1, at: now).isEmpty)
        }
    }

    @Test("Both name the key under which one recognises the other")
    func sharedLaterKey() throws {
        let keys = [Fixture.key(7), Fixture.key(8)]
        let newer = PresencePlace(
            place: Fixture.place(1), discoveryKeys: keys.reversed(), digest: Fixture.digest(1))
        let older = PresencePlace(place: Fixture.place(1), discoveryKeys: keys, digest: Fixture.digest(1))
        var left = Fixture.node(1, places: [newer])
        var right = Fixture.node(2, places: [older])
        let (fromLeft, leftAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
        let atRight = try #require(hear(&right, fromLeft, from: 1, at: leftAt).first)
        let (fromRight, rightAt) = try #require(Fixture.nextBeacon(&right, from: leftAt))
        let atLeft = try #require(hear(&left, fromRight, from: 2, at: rightAt).first)
        #expect(atRight.key == 1 && atLeft.key == 1)
        #expect(atRight.isInSync && atLeft.isInSync)
        #expect(atRight.dialsSecond != atLeft.dialsSecond)
    }

    @Test("A stranger who copies a tag under a higher counter does not silence the id's owner")
    func forgedCounter() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace()])
        var right = Fixture.node(2, places: [Fixture.presencePlace()])
        let (first, firstAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
        var forged = first
        forged[17] ^= 0x80  // The counter's highest byte.
        #expect(hear(&right, forged, from: 1, at: firstAt).isEmpty)
        #expect(hear(&right, first, from: 1, at: firstAt).count == 1)
    }

    /// Pairing devices find each other by a key that everybody knows.
    @Test("A false claim to an id, with a public key, does not silence the id's owner", arguments: [false, true])
    func claimedID(isKnown: Bool) throws {
        let pairing = PresencePlace(
            place: PairingPlace.id, discoveryKeys: [PairingKeys.discovery], digest: PairingKeys.digest(.gives),
            isPublic: true)
        var left = Fixture.node(1, places: [Fixture.presencePlace()])
        var right = Fixture.node(2, places: [Fixture.presencePlace(), pairing])
        let (first, firstAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
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

    @Test("Keys that do not last are spoken for ten minutes after a start, a wake-up or a change of network")
    func lastingKeys() throws {
        let (newest, first) = (Fixture.key(1), Fixture.key(2))
        var node = Fixture.node(
            1,
            places: [
                PresencePlace(
                    place: Fixture.place(1), discoveryKeys: [newest, first], digest: Fixture.digest(1), spokenKeys: 2,
                    lastingKeys: 1)
            ])
        func spoken(_ node: inout Presence, from start: MonotonicTime) throws -> [Bool] {
            let beacon = try BeaconCodec.decode(#require(Fixture.nextBeacon(&node, from: start)).bytes)
            return [newest, first].map { key in
                let tag = BeaconCodec.tag(beacon.header, host: Fixture.address(1), key: key)
                return !beacon.checks(tag: tag).isEmpty
            }
        }
        #expect(try spoken(&node, from: .zero) == [true, true])
        let later = MonotonicTime.zero + .seconds(601)
        #expect(try spoken(&node, from: later) == [true, false])
        node.onWake(now: later)
        #expect(try spoken(&node, from: later) == [true, true])
        let last = later + .seconds(601)
        #expect(try spoken(&node, from: last) == [true, false])
        node.onLinks([], now: last)
        node.onLinks([Fixture.link(1)], now: last)
        #expect(try spoken(&node, from: last) == [true, true])
    }

    @Test("A member's beacon of another version is noted, and makes nobody dial", arguments: [1, 3, 15] as [UInt8])
    func otherVersion(version: UInt8) throws {
        var node = Fixture.node(2, places: [Fixture.presencePlace()])
        let (spoken, now) = try #require(Fixture.nextBeacon(&node))
        let heard = try BeaconCodec.decode(spoken).header.id
        var random: any RandomSource = SeededRandom(seed: 9)
        let header = Beacon.Header(id: random.identifier(), counter: 1, port: 4_001)
        func beacon(_ version: UInt8, _ key: Secret) -> [UInt8] {
            BeaconCodec.encode(
                header, host: Fixture.address(1), zones: [(key, Fixture.digest(7))], echoes: [(key, heard)],
                version: version, random: &random)
        }
        let noted = node.onDatagram(
            beacon(version, Fixture.key(1)), from: Fixture.address(1, port: 9), interfaceIndex: 2, now: now)
        #expect(noted == [.otherVersion(UInt16(version), Fixture.place(1), Fixture.address(1, port: 4_001))])
        #expect(node.statistics.recognised == 0 && node.known.isEmpty)
        // A stranger's beacon means nothing.
        let strange = node.onDatagram(
            beacon(version, Fixture.key(9)), from: Fixture.address(1, port: 9), interfaceIndex: 2, now: now)
        #expect(strange.isEmpty)
        // The same device was updated: what was noted does not stand in its way.
        let updated = beacon(BeaconCodec.version, Fixture.key(1))
        #expect(hear(&node, updated, from: 1, at: now).count == 1)
    }

    @Test("A node of another place, or under another key than ours, sees a stranger")
    func strangers() throws {
        var left = Fixture.node(1, places: [Fixture.presencePlace(1)])
        var right = Fixture.node(2, places: [Fixture.presencePlace(2)])
        let (bytes, now) = try #require(Fixture.nextBeacon(&left))
        #expect(hear(&right, bytes, from: 1, at: now).isEmpty)
        #expect(right.statistics.strangers == 1)
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
                #expect(hear(&right, bytes, from: 1, at: now).allSatisfy { !$0.isInSync })
            }
            for case .send(let bytes, _) in right.onTimer(now: now) {
                sent += 1
                #expect(hear(&left, bytes, from: 2, at: now).allSatisfy { !$0.isInSync })
            }
        }
        #expect(min(left.statistics.recognised, right.statistics.recognised) > 50)
        // Without the growing pause between resets it would be 7,000 or more.
        #expect(sent < 1_500)
    }

    @Test("More than 64 places are named in turn, and echoed in turn")
    func manyZones() throws {
        let places = (0..<100).map { Fixture.presencePlace(UInt8($0), digest: 1) }
        var left = Fixture.node(1, places: places)
        var right = Fixture.node(2, places: places)
        var seen: Set<PlaceID> = []
        var now = MonotonicTime.zero
        for _ in 0..<80 {
            let (fromRight, rightAt) = try #require(Fixture.nextBeacon(&right, from: now))
            _ = hear(&left, fromRight, from: 2, at: rightAt)
            let (fromLeft, leftAt) = try #require(Fixture.nextBeacon(&left, from: rightAt))
            seen.formUnion(hear(&right, fromLeft, from: 1, at: leftAt).map(\.place))
            now = leftAt
        }
        #expect(seen.count == 100)
    }
}
