import NodeCore
import TestScale
import Testing
import Transport

@testable import Node

/// Peers given by name, whatever the name currently resolves to.
@Suite(.timeLimit(.minutes(30))) struct NamedPeersTests {
    private static let address = SocketAddress(ipv4: 0x0A00_0001, port: 4_711)
    private static let moved = SocketAddress(ipv4: 0x0A00_0002, port: 4_711)

    /// The resolver and its next answer.
    private final class Names: Sendable {
        let answer = Lock<[SocketAddress]>([])
        let asked = Lock(0)
    }

    @Test func aNameIsLookedUpUntilItIsThereAndWhenItMoves() throws {
        let (clock, names) = (ManualClock(now: .zero, wall: WallTime(milliseconds: 1)), Names())
        let loop = try EventLoop(clock: clock)
        let log = Log(output: Output(descriptor: 2), least: .error, clock: clock)
        var told: [[SocketAddress]] = []
        let peers = NamedPeers(
            ["10.0.0.9:1", "box.lan:4711", "nonsense"], loop: loop.handle, log: log,
            resolve: { peer in
                #expect(peer == HostPort(host: "box.lan", port: 4_711))
                names.asked.withLock { $0 += 1 }
                return names.answer.withLock { $0 }
            },
            now: clock.now(), didChange: { addresses, _ in told.append(addresses) })
        let literal = SocketAddress(ipv4: 0x0A00_0009, port: 1)
        #expect(told == [[literal]])

        /// Performs one look-up with the given answer.
        func look(_ answer: [SocketAddress]) throws {
            names.answer.withLock { $0 = answer }
            let due = try #require(peers.deadline)
            clock.advance(by: due - clock.now())
            peers.tick(clock.now())
            while peers.deadline == nil {
                try loop.turn(limit: .milliseconds(10))
                peers.tick(clock.now())
            }
        }
        try look([])
        #expect(told.count == 1)
        // It is looked up again, at growing intervals.
        var pauses: [Duration] = []
        for _ in 0..<8 {
            pauses.append(try #require(peers.deadline) - clock.now())
            try look([])
        }
        #expect(pauses == pauses.sorted() && pauses[0] < .seconds(5) && pauses[7] == Limits.nameLookPauseMost)
        try look([Self.address])
        #expect(told.last == [literal, Self.address])
        #expect(try #require(peers.deadline) - clock.now() == Limits.nameLookPauseMost)
        // The same answer is no news, and an unreachable resolver takes nothing away.
        try look([Self.address])
        try look([])
        #expect(told.count == 2)
        try look([Self.moved])
        #expect(told.last == [literal, Self.moved])
        // After a change of network, the name is looked up at once.
        peers.lookAgain(clock.now())
        #expect(peers.deadline == clock.now())
        #expect(names.asked.withLock { $0 } == 13)
    }

    @Test func addressesNeedNoLookUp() throws {
        let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1))
        let loop = try EventLoop(clock: clock)
        let log = Log(output: Output(descriptor: 2), least: .error, clock: clock)
        var told: [[SocketAddress]] = []
        let peers = NamedPeers(
            ["10.0.0.1:4711"], loop: loop.handle, log: log, now: clock.now(),
            didChange: { addresses, _ in told.append(addresses) })
        peers.tick(clock.now())
        #expect(told == [[Self.address]] && peers.deadline == nil)
    }
}
