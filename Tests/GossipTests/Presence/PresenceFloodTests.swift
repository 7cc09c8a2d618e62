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

        var random = SeededRandom(seed: 3)
        let perSecond = Limits.strangerHashesPerSecond / node.hashesPerDatagram
        for index in 0..<5_000 {
            // Ten seconds, each datagram from an address of its own.
            let now = start + .milliseconds(2 * index)
            let bytes = random.bytes(BeaconCodec.lengths[index % 3])
            _ = node.onDatagram(
                bytes, from: Fixture.address(1_000 + index), interfaceIndex: 2, now: now)
        }
        // A random version byte is refused after one hash, so nearly all that were admitted count as malformed.
        let examined = node.statistics.strangers + node.statistics.malformed
        #expect(examined <= 12 * perSecond)
        #expect(node.statistics.overBudget == 5_000 - examined)

        while let (bytes, now) = Fixture.nextBeacon(&member), now < start + .seconds(600) {
            #expect(isRecognised(by: &node, bytes, from: 1, at: max(now, start + .seconds(10))))
        }
    }

    @Test("One address alone cannot use up everybody's budget")
    func oneSource() {
        var node = Fixture.node(1, places: [Fixture.presencePlace()])
        var random = SeededRandom(seed: 3)
        for index in 0..<10_000 {
            let now = MonotonicTime.zero + .milliseconds(index)
            let bytes = random.bytes(BeaconCodec.lengths[0])
            _ = node.onDatagram(bytes, from: Fixture.address(7), interfaceIndex: 2, now: now)
        }
        let most = Limits.sourceDatagramsBurst + 10 * Limits.sourceDatagramsPerSecond
        #expect(node.statistics.strangers + node.statistics.malformed <= most + 1)
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

    private func isRecognised(
        by node: inout Presence, _ bytes: [UInt8], from number: Int, at now: MonotonicTime
    ) -> Bool {
        let before = node.statistics.recognised
        _ = Fixture.hear(&node, bytes, from: number, at: now)
        return node.statistics.recognised == before + 1
    }
}
