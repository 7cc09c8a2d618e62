import NodeCore
import Testing

@testable import Gossip

@Suite("Dialer")
struct DialerTests {
    private typealias Fixture = PresenceFixture
    private static let place = Fixture.place(1)

    private func dialer() -> Dialer {
        var dialer = Dialer(random: SeededRandom(seed: 1))
        dialer.onPlaces([Self.place], now: .zero)
        return dialer
    }

    private func sighting(_ number: Int, inSync: Bool, newID: Bool = false, second: Bool = false) -> PeerSighting {
        PeerSighting(
            place: Self.place, key: 0, address: Fixture.address(number, port: 4_000), isInSync: inSync, isNewID: newID,
            dialsSecond: second)
    }

    /// Runs the timers until `end` and returns the attempts with their times; each fails if `fail`.
    private func attempts(
        _ dialer: inout Dialer, from start: MonotonicTime = .zero, until end: MonotonicTime, fail: Bool
    ) -> [(at: MonotonicTime, address: SocketAddress)] {
        var found: [(at: MonotonicTime, address: SocketAddress)] = []
        while let deadline = dialer.deadline, deadline <= end {
            let now = max(start, deadline)
            for case .dial(let place, let address, _) in dialer.onTimer(now: now) {
                found.append((now, address))
                if fail { dialer.onFailed(place: place, address: address, now: now) }
            }
        }
        return found
    }

    /// The keys of the attempts until `end`, each refused by the listener.
    private func refusedKeys(_ dialer: inout Dialer, from start: MonotonicTime = .zero, until end: MonotonicTime)
        -> [Int]
    {
        var keys: [Int] = []
        while let deadline = dialer.deadline, deadline <= end {
            let now = max(start, deadline)
            for case .dial(let place, let address, let key) in dialer.onTimer(now: now) {
                keys.append(key)
                dialer.onFailed(place: place, address: address, isRefused: true, now: now)
            }
        }
        return keys
    }

    @Test("A host is known once a device was seen there, whatever port it comes from, and no other")
    func knownHosts() {
        var dialer = dialer()
        #expect(!dialer.knows(host: Fixture.address(3, port: 51_000)))
        for number in [1, 3, 5] { dialer.onSighting(sighting(number, inSync: true), now: .zero) }
        for number in 0...6 {
            #expect(dialer.knows(host: Fixture.address(number, port: 51_000)) == [1, 3, 5].contains(number))
        }
        dialer.onPlaces([], now: .zero)
        #expect(!dialer.knows(host: Fixture.address(3, port: 51_000)))
    }

    @Test("A peer that refuses is tried with other keys in turn, and the own one in between")
    func otherKeys() {
        var dialer = dialer()
        dialer.onKeys(17, place: Self.place, now: .zero)
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        let keys = refusedKeys(&dialer, until: .zero + .seconds(3_600))
        #expect(keys.prefix(7) == [0, 1, 0, 2, 0, 3, 0])
        #expect(Set(keys) == Set(0...16))
    }

    @Test("A key that opened a session, or made a beacon's tag, is tried first")
    func knownKey() throws {
        var dialer = dialer()
        let address = Fixture.address(1, port: 4_000)
        dialer.onKeys(17, place: Self.place, now: .zero)
        dialer.onStatic([address], now: .zero)
        #expect(refusedKeys(&dialer, until: .zero + .seconds(2)) == [0, 1])
        // The next one is answered.
        var now = try #require(dialer.deadline)
        #expect(dialer.onTimer(now: now) == [.dial(place: Self.place, address: address, key: 0)])
        dialer.onFailed(place: Self.place, address: address, isRefused: true, now: now)
        now = try #require(dialer.deadline)
        #expect(dialer.onTimer(now: now) == [.dial(place: Self.place, address: address, key: 2)])
        open(&dialer, 1, at: now)
        dialer.onClosed(SessionID(1), place: Self.place, reason: .ended, now: now)
        #expect(refusedKeys(&dialer, from: now, until: now + .seconds(1)) == [2])

        dialer.onSighting(
            PeerSighting(
                place: Self.place, key: 5, address: address, isInSync: false, isNewID: true, dialsSecond: false),
            now: now + .seconds(2))
        #expect(refusedKeys(&dialer, until: now + .seconds(2.5)).first == 5)
        // The device's own version was raised: the keys are tried from the first again.
        dialer.onKeys(17, place: Self.place, now: now + .seconds(10))
        dialer.onNetworkChange(now: now + .seconds(10))
        #expect(refusedKeys(&dialer, from: now + .seconds(10), until: now + .seconds(10.5)).first == 0)
    }

    private func open(_ dialer: inout Dialer, _ number: Int, at now: MonotonicTime, synced: Bool = true) {
        _ = dialer.onOpened(
            SessionID(UInt64(number)), device: Fixture.device(UInt8(number)), place: Self.place,
            address: Fixture.address(number, port: 4_000))
        if synced { dialer.onSynced(true, session: SessionID(UInt64(number)), place: Self.place, now: now) }
    }

    @Test("A differing beacon is dialled at once, and by the end whose turn it is not only if no session comes about")
    func differs() throws {
        for second in [false, true] {
            var dialer = dialer()
            dialer.onSighting(sighting(1, inSync: false, second: second), now: .zero)
            let found = attempts(&dialer, until: .zero + .seconds(4), fail: false)
            let at = try #require(found.first?.at)
            #expect(found.count == 1)
            #expect(second ? at >= .zero + .seconds(2) : at <= .zero + .milliseconds(100))
            #expect(at <= .zero + .seconds(3))
        }
        var dialer = dialer()
        dialer.onSighting(sighting(1, inSync: false, second: true), now: .zero)
        dialer.onAccepted(
            SessionID(9), device: Fixture.device(1), place: Self.place, address: Fixture.address(1, port: 4_000),
            now: .zero + .seconds(1))
        #expect(attempts(&dialer, until: .zero + .seconds(10), fail: false).isEmpty)
    }

    @Test("Static and remembered addresses are dialled at start, and shown as such")
    func atStart() {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        dialer.onRemembered(
            [Fixture.address(2, port: 4_000), Fixture.address(1, port: 4_000)], place: Self.place, now: .zero)
        #expect(attempts(&dialer, until: .zero + .seconds(1), fail: false).count == 2)
        #expect(dialer.entries(place: Self.place).map(\.origin) == [.static, .remembered])
        dialer.onSighting(sighting(2, inSync: true), now: .zero)
        #expect(dialer.entries(place: Self.place).map(\.origin) == [.static, .beacon])
    }

    @Test("A failing address backs off alone, from one second doubling to sixty")
    func backOff() throws {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        let times = attempts(&dialer, until: .zero + .seconds(900), fail: true).map(\.at)
        var expected = Duration.seconds(1)
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later - earlier >= expected / 2 && later - earlier <= expected)
            expected = min(expected * 2, .seconds(60))
        }
        #expect(times.count > 15 && times.count < 40)
        // Another address is not delayed.
        let now = try #require(times.last)
        dialer.onSighting(sighting(2, inSync: false), now: now)
        let other = attempts(&dialer, until: now + .milliseconds(400), fail: true)
        #expect(other.map(\.address) == [Fixture.address(2, port: 4_000)])
    }

    @Test("A session that compared resets the back-off; one that broke does not")
    func resetOnSuccess() {
        for synced in [true, false] {
            var dialer = dialer()
            dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
            _ = attempts(&dialer, until: .zero + .seconds(200), fail: true)
            let now = dialer.deadline ?? .zero
            #expect(dialer.onTimer(now: now).count == 1)
            open(&dialer, 1, at: now, synced: synced)
            let reason = synced ? CloseReason.ended : .fault
            dialer.onClosed(SessionID(1), place: Self.place, reason: reason, now: now)
            let wait = (dialer.deadline ?? .distantFuture) - now
            #expect(synced ? wait <= .seconds(1) : wait >= .seconds(30))
        }
    }

    @Test("A new id is worth a try at once; a known one is not")
    func newID() {
        for isNew in [true, false] {
            var dialer = dialer()
            dialer.onSighting(sighting(1, inSync: false, newID: true), now: .zero)
            _ = attempts(&dialer, until: .zero + .seconds(300), fail: true)
            let now = MonotonicTime.zero + .seconds(300)
            dialer.onSighting(sighting(1, inSync: false, newID: isNew), now: now)
            let soon = attempts(&dialer, until: now + .milliseconds(400), fail: true)
            #expect(soon.count == (isNew ? 1 : 0) || !isNew && soon.count <= 1)
        }
    }

    @Test("Eight standing sessions are made; more only to those that differ, and above twelve they are given back")
    func standing() {
        var dialer = dialer()
        for number in 1...20 { dialer.onSighting(sighting(number, inSync: true), now: .zero) }
        var now = MonotonicTime.zero + .seconds(3)
        let first = attempts(&dialer, until: now, fail: false)
        #expect(first.count == 8)
        for attempt in first {
            guard let ip = attempt.address.ipv4 else { continue }
            open(&dialer, Int(ip & 0xff), at: now)
        }
        #expect(attempts(&dialer, until: now + .seconds(100), fail: false).isEmpty)

        let idle = dialer.entries(place: Self.place).filter { $0.state == .idle }.prefix(5)
        for entry in idle {
            let number = Int((entry.address.ipv4 ?? 0) & 0xff)
            dialer.onSighting(sighting(number, inSync: false), now: now)
            #expect(attempts(&dialer, until: now + .seconds(1), fail: false).count == 1)
            open(&dialer, number, at: now)
        }
        now += Limits.surplusLinger
        let closing = dialer.onTimer(now: now)
        #expect(closing.count == 1)
        guard case .close(Self.place, let session)? = closing.first else {
            Issue.record("a session is closed")
            return
        }
        dialer.onClosed(session, place: Self.place, reason: .ended, now: now)
        #expect(attempts(&dialer, until: now + .seconds(100), fail: false).isEmpty)
    }

    @Test("A device that has dialled us is not dialled, whatever its addresses")
    func accepted() {
        var dialer = dialer()
        let address = Fixture.address(1, port: 4_000)
        dialer.onAccepted(
            SessionID(9), device: Fixture.device(1), place: Self.place, address: address, now: .zero)
        dialer.onSighting(sighting(1, inSync: false), now: .zero)
        #expect(attempts(&dialer, until: .zero + .seconds(100), fail: false).isEmpty)
        #expect(dialer.origin(of: SessionID(9), place: Self.place) == .beacon)
        dialer.onClosed(SessionID(9), place: Self.place, reason: .ended, now: .zero + .seconds(100))
        let closedAt = MonotonicTime.zero + .seconds(100)
        #expect(attempts(&dialer, from: closedAt, until: closedAt + .seconds(2), fail: false).count == 1)
    }

    @Test("A busy peer is left alone until it said, and no longer than an hour")
    func busy() {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        #expect(attempts(&dialer, until: .zero + .seconds(1), fail: false).count == 1)
        let until = MonotonicTime.zero + .seconds(40)
        dialer.onBusy(place: Self.place, address: Fixture.address(1, port: 4_000), until: until, now: .zero)
        #expect(dialer.deadline == until)
        dialer.onSighting(sighting(1, inSync: false, newID: true), now: .zero + .seconds(5))
        #expect(dialer.deadline == until)
        #expect(attempts(&dialer, until: until, fail: false).count == 1)
        dialer.onBusy(place: Self.place, address: Fixture.address(1, port: 4_000), until: .distantFuture, now: until)
        #expect(dialer.deadline == until + .seconds(3_600))
    }

    @Test("Wanted blobs make peers that agree worth a session")
    func wanting() {
        var dialer = dialer()
        for number in 1...20 { dialer.onSighting(sighting(number, inSync: true), now: .zero) }
        let first = attempts(&dialer, until: .zero + .seconds(3), fail: false)
        for attempt in first { open(&dialer, Int((attempt.address.ipv4 ?? 0) & 0xff), at: .zero + .seconds(3)) }
        dialer.onWanting(true, place: Self.place)
        #expect(attempts(&dialer, until: .zero + .seconds(10), fail: false).count == 8)
    }

    @Test("Paused places, ourselves and unknown places are not dialled")
    func notDialled() {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        dialer.onPaused(true, place: Self.place)
        #expect(dialer.deadline == nil)
        dialer.onPaused(false, place: Self.place)
        #expect(attempts(&dialer, until: .zero + .seconds(1), fail: false).count == 1)
        dialer.onSelf(place: Self.place, address: Fixture.address(1, port: 4_000))
        #expect(dialer.deadline == nil)
        dialer.onNetworkChange(now: .zero + .seconds(5))
        #expect(dialer.deadline == .zero + .seconds(5))
        dialer.onPlaces([Fixture.place(2)], now: .zero + .seconds(5))
        dialer.onSighting(sighting(3, inSync: false), now: .zero + .seconds(5))
        #expect(dialer.entries(place: Self.place).isEmpty)
    }

    @Test("Addresses of a place are bounded; those of the user stay")
    func bounded() {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(60_000, port: 1)], now: .zero)
        for number in 1...1_000 {
            dialer.onSighting(sighting(number, inSync: true), now: .zero + .milliseconds(number))
        }
        let entries = dialer.entries(place: Self.place)
        #expect(entries.count == Limits.addressesPerZone)
        #expect(entries.contains { $0.origin == .static })
        #expect(entries.contains { $0.address == Fixture.address(1_000, port: 4_000) })
    }

    @Test("A lost report frees the place")
    func lostReport() {
        var dialer = dialer()
        dialer.onStatic([Fixture.address(1, port: 4_000)], now: .zero)
        let times = attempts(&dialer, until: .zero + .seconds(100), fail: false).map(\.at)
        #expect(times.count >= 3 && times.count <= 4)
    }
}
