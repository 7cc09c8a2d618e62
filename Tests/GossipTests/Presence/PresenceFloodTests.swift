import NodeCore
import Testing

@testable import Gossip

@Suite("Presence under a flood")
struct PresenceFloodTests {
    private typealias Fixture = PresenceFixture

    @Test("Strangers cost a bounded number of hashes, and a known member is still heard")
    func strangers() throws {
        let places = (0..<64).map { number in
            PresencePlace(
                place: Fixture.place(number), discoveryKeys: (0..<17).map { Fixture.key(number &+ 3 * $0) },
                digest: Fixture.digest(1))
        }
        var member = Fixture.node(1, places: [places[0]])
        var node = Fixture.node(2, places: places)
        let (hello, start) = try #require(Fixture.nextBeacon(&member))
        #expect(isRecognised(by: &node, hello, from: 1, at: start))

        var random: any RandomSource = SeededRandom(seed: 3)
        let perSecond = Limits.commonHashesPerSecond / node.hashesPerDatagram
        for index in 0..<2_000 {
            // The flood lasts two seconds, each datagram from its own address.
            let address = Fixture.address(1_000 + index)
            _ = node.onDatagram(
                nobodysBeacon(from: address, &random), from: address, interfaceIndex: 2,
                now: start + .milliseconds(index))
        }
        #expect(node.statistics.strangers <= 4 * perSecond)
        #expect(node.statistics.overBudget == 2_000 - node.statistics.strangers)
        #expect(node.statistics.overBudget > 0)

        while let (bytes, now) = Fixture.nextBeacon(&member), now < start + .seconds(600) {
            #expect(isRecognised(by: &node, bytes, from: 1, at: max(now, start + .seconds(2))))
        }
    }

    /// Ids are not secret, and a key may be known to many, or to a device that was removed.
    @Test("Who has a key and speaks under another's id neither silences that one nor keeps it from being echoed")
    func anothersID() throws {
        let places = [Fixture.presencePlace(1), Fixture.presencePlace(2)]
        var left = Fixture.node(1, places: places)
        var right = Fixture.node(2, places: places)
        let (first, firstAt) = try #require(Fixture.answer(of: &left, to: &right, 2))
        let id = try BeaconCodec.decode(first).header.id
        var random: any RandomSource = SeededRandom(seed: 9)
        func speak(_ counter: UInt64) {
            let forged = BeaconCodec.encode(
                Beacon.Header(id: id, counter: counter, port: 66), host: Fixture.address(66),
                zones: [(Fixture.key(2), Fixture.digest(0))], random: &random)
            _ = Fixture.hear(&right, forged, from: 66, at: firstAt)
        }
        speak(.max - 1)
        #expect(Fixture.hear(&right, first, from: 1, at: firstAt).map(\.place) == places.map(\.place))
        speak(.max)
        let (answer, answeredAt) = try #require(Fixture.nextBeacon(&right, from: firstAt))
        #expect(Fixture.hear(&left, answer, from: 2, at: answeredAt).map(\.place) == places.map(\.place))
    }

    @Test("One address alone cannot use up everybody's budget")
    func oneSource() throws {
        let places = (0..<64).map { number in
            PresencePlace(
                place: Fixture.place(number), discoveryKeys: (0..<17).map { Fixture.key(number &+ 3 * $0) },
                digest: Fixture.digest(1))
        }
        var node = Fixture.node(1, places: places)
        var random: any RandomSource = SeededRandom(seed: 3)
        for index in 0..<2_000 {
            _ = node.onDatagram(
                nobodysBeacon(from: Fixture.address(7), &random), from: Fixture.address(7), interfaceIndex: 2,
                now: .zero + .milliseconds(index))
        }
        #expect(node.statistics.overBudget > 1_000)
        // Another node is heard in the middle of it.
        var newcomer = Fixture.node(2, places: [places[0]], now: .zero + .seconds(2))
        let (bytes, at) = try #require(Fixture.nextBeacon(&newcomer))
        #expect(isRecognised(by: &node, bytes, from: 2, at: at))
    }

    @Test("Noise and repetitions use up nobody's budget, and a device is heard from the address that floods")
    func cheapDatagrams() throws {
        var node = Fixture.node(1, places: [Fixture.presencePlace()])
        var newcomer = Fixture.node(2, places: [Fixture.presencePlace()])
        let (first, start) = try #require(Fixture.nextBeacon(&newcomer))
        #expect(isRecognised(by: &node, first, from: 2, at: start))
        var random: any RandomSource = SeededRandom(seed: 3)
        // This is one second of a flood that names the device's address as its source.
        for _ in 0..<100_000 {
            _ = Fixture.hear(&node, first, from: 2, at: start)
            _ = Fixture.hear(&node, random.bytes(BeaconCodec.lengths[0]), from: 2, at: start)
        }
        for _ in 0..<10_000 {
            _ = Fixture.hear(&node, nobodysBeacon(from: Fixture.address(2), &random), from: 2, at: start)
        }
        let (second, at) = try #require(Fixture.nextBeacon(&newcomer))
        #expect(isRecognised(by: &node, second, from: 2, at: min(at, start + .milliseconds(1))))
    }

    @Test("Inventing addresses makes no member forgotten")
    func inventedAddresses() throws {
        var budget = DatagramBudget(now: .zero)
        let member = Fixture.address(1)
        budget.recognised(member, now: .zero)
        // The whole common budget is used in the names of more addresses than are remembered.
        for number in 0..<2 * Limits.knownSources {
            _ = budget.admit(
                Fixture.address(2 + number), hashes: Limits.commonHashesPerSecond / Limits.knownSources, now: .zero)
        }
        let stranger = budget.admit(Fixture.address(9_000), hashes: Limits.memberHashesPerSecond, now: .zero)
        #expect(!stranger)
        let isHeard = budget.admit(member, hashes: Limits.memberHashesPerSecond, now: .zero)
        #expect(isHeard)
    }

    @Test("Members with ever new ids fill no table")
    func manyIDs() throws {
        var node = Fixture.node(1, places: [Fixture.presencePlace()])
        for index in 0..<1_000 {
            let now = MonotonicTime.zero + .milliseconds(100 * index)
            var member = Fixture.node(index + 2, places: [Fixture.presencePlace()], now: now)
            let (bytes, at) = try #require(Fixture.nextBeacon(&member))
            #expect(isRecognised(by: &node, bytes, from: index + 2, at: at))
            #expect(node.known.count <= Limits.knownBeacons)
        }
    }

    @Test("A bucket refills at its rate and never beyond its burst")
    func bucket() {
        var bucket = TokenBucket(burst: 10, perSecond: 4, now: .zero)
        let atOnce = (0..<11).map { _ in bucket.take(1, now: .zero) }.count { $0 }
        #expect(atOnce == 10)
        var now = MonotonicTime.zero
        var taken = 0
        for _ in 0..<1_000 {
            now += .milliseconds(10)
            if bucket.take(1, now: now) { taken += 1 }
        }
        #expect(taken == 40)
        let late = now + .seconds(1_000_000_000)
        let afterLong = (0..<100).map { _ in bucket.take(1, now: late) }.count { $0 }
        #expect(afterLong == 10)
        let whole = bucket.take(1_000_000, now: late + .seconds(10))
        #expect(whole)
    }

    /// A beacon that a stranger can make: everything is right except the tags.
    private func nobodysBeacon(from address: SocketAddress, _ random: inout any RandomSource) -> [UInt8] {
        let header = Beacon.Header(id: random.identifier(), counter: 1, port: 4_000)
        return BeaconCodec.encode(header, host: address, zones: [], random: &random)
    }

    private func isRecognised(
        by node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> Bool {
        let before = node.statistics.recognised
        _ = Fixture.hear(&node, bytes, from: number, at: now)
        return node.statistics.recognised == before + 1
    }
}
