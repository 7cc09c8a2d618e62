import NodeCore
import SyncState
import Testing

@testable import Gossip

/// HELLO is signed for one end of one session, with its whole content. A holder of the zone's session key without a
/// lane's key can neither reuse a node's own words nor change them.
@Suite struct SyncReflectionTests {
    private static let id = SessionID(1)
    private static let next = SessionID(2)

    /// The victim's HELLO on a session.
    private func hello(of victim: SyncBench, _ id: SessionID = id) throws -> Hello {
        try #require(
            victim.takeOutbox(id).lazy.compactMap { if case .hello(let hello) = $0 { hello } else { nil } }.first)
    }

    private func changes(of hello: Hello) -> [Hello] {
        var (instance, digest, port, versions) = (hello, hello, hello, hello)
        instance.body.instance = InstanceID(Bytes16(1, 2))
        digest.body.digest = ZoneDigest(Bytes16(1, 2))
        port.body.port ^= 1
        versions.body.versions.append(3)
        return [instance, digest, port, versions]
    }

    @Test func whatANodeSaidItselfOpensNothing() throws {
        for number in 0...4 {
            let victim = try SyncBench(1)
            let digest = victim.store.digest
            try victim.open(Self.id, isInitiator: true)
            let said = try hello(of: victim)
            try victim.take(.hello(([said] + changes(of: said))[number]), on: Self.id)
            #expect(victim.isViolation(Self.id), "change \(number): \(String(describing: victim.closed[Self.id]))")
            #expect(victim.sync.peers.isEmpty)
            #expect(victim.sync.freshStarts.isEmpty)
            #expect(victim.store.digest == digest)
        }
    }

    @Test func allThatHelloSaysIsSigned() throws {
        for number in 0..<4 {
            let victim = try SyncBench(1)
            var peer = ScriptedPeer(9)
            try victim.open(Self.id)
            try victim.take(.hello(changes(of: peer.hello())[number]), on: Self.id)
            #expect(victim.isViolation(Self.id), "change \(number)")
            #expect(victim.sync.peers.isEmpty)
        }
    }

    @Test func helloIsSignedForOneEnd() throws {
        for isInitiator in [false, true] {
            let victim = try SyncBench(1)
            var peer = ScriptedPeer(9)
            try victim.open(Self.id, isInitiator: isInitiator)
            try victim.take(.hello(peer.hello(Hello.Side(isInitiator: isInitiator))), on: Self.id)
            #expect(victim.isViolation(Self.id))
        }
    }

    /// Holders of the keys of two zones, such as a person's device, meet the same devices in both.
    @Test func helloIsSignedForOneZone() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try victim.open(Self.id)
        try victim.take(.hello(peer.hello(zone: ZoneID(Bytes32(1, 2, 3, 4)))), on: Self.id)
        #expect(victim.isViolation(Self.id))
        #expect(victim.sync.peers.isEmpty)
    }

    @Test func helloIsSignedForOneSession() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let hello = peer.hello()
        try victim.open(Self.id)
        try victim.take(.hello(hello), on: Self.id)
        #expect(victim.sync.peers.count == 1)
        victim.sync.opened(
            Self.next, isInitiator: false, handshakeHash: [UInt8](repeating: 4, count: 32), now: victim.now)
        try victim.take(.hello(hello), on: Self.next)
        #expect(victim.isViolation(Self.next))
        #expect(victim.sync.peers.map(\.session) == [Self.id])
    }

    @Test func aNodeThatMeetsItselfKnowsIt() throws {
        let node = try SyncBench(1)
        try node.open(Self.id, isInitiator: true)
        try node.open(Self.next)
        try node.take(.hello(hello(of: node)), on: Self.next)
        // It identifies itself, so that the other end need not take its word for who it is.
        try node.take(.hello(hello(of: node, Self.next)), on: Self.id)
        #expect(node.closed == [Self.id: .isSelf, Self.next: .isSelf])
        #expect(node.sync.freshStarts.isEmpty)
    }

    // MARK: One lane, two sessions

    /// The earlier run ends by its silence. It may also be a copy of the device, which is no reason to end either.
    @Test func anotherRunOfADeviceIsNoDuplicate() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.id)
        try peer.greet(victim, Self.next)
        #expect(victim.closed.isEmpty)
        #expect(victim.sync.peers.map(\.session) == [Self.id, Self.next])
        try victim.pass(Limits.pingAfter)
        try victim.take(.ping, on: Self.next)
        try victim.pass(Limits.silenceBound - Limits.pingAfter)
        #expect(victim.closed == [Self.id: .silent])
    }

    /// When new runs keep coming, the oldest ends, so one device does not take all places.
    @Test func theRunsOfADeviceAreBounded() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        for number in 1...10 as ClosedRange<UInt64> { try peer.greet(victim, SessionID(number)) }
        #expect(victim.sync.peers.map(\.session.number) == Array((11 - UInt64(Limits.runsOfDevice))...10))
        #expect(victim.closed[SessionID(1)] == .tooManySessions)
    }

    @Test func ofTwoSessionsWithOneRunTheFirstStays() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let hello = peer.hello()
        for id in [Self.id, Self.next] {
            try victim.open(id)
            try victim.take(.hello(hello), on: id)
        }
        #expect(victim.closed == [Self.next: .duplicate])
    }

    /// Nobody without the lane's key can end a session of that lane.
    @Test func anotherKeyEndsNobodysSession() throws {
        let victim = try SyncBench(1)
        var (peer, thief) = (ScriptedPeer(9), ScriptedPeer(10))
        try peer.greet(victim, Self.id)
        try victim.open(Self.next)
        var hello = thief.hello()
        hello.body.lane = peer.lane
        try victim.take(.hello(hello), on: Self.next)
        #expect(victim.isViolation(Self.next))
        #expect(victim.sync.peers.map(\.session) == [Self.id])
    }

    /// An address at which somebody reflects messages is tried again, since a device may be there tomorrow.
    @Test func theAddressIsNotTakenForTheNodesOwn() throws {
        let bench = try StateBench()
        try bench.open()
        let said = bench.machine.takeActions().compactMap { action -> [UInt8]? in
            if case .send(bench.session, let bytes, _) = action { bytes } else { nil }
        }
        bench.machine.onMessage(try #require(said.first), session: bench.session, now: bench.now)
        try bench.pass(.zero)
        #expect(try bench.dials(within: .seconds(120)) == 1)
    }
}
