import NodeCore
import SyncState
import Testing

@testable import Gossip

/// HELLO is signed for one end of one session, with all that it says. Somebody who holds the zone's session key and no
/// lane's cannot use what a node says itself, nor change it.
@Suite struct SyncReflectionTests {
    private static let id = SessionID(1)
    private static let next = SessionID(2)

    /// What a victim said first on a session.
    private func hello(of victim: SyncBench, _ id: SessionID = id) throws -> Hello {
        try #require(
            victim.takeOutbox(id).lazy.compactMap { if case .hello(let hello) = $0 { hello } else { nil } }.first)
    }

    private func changes(of hello: Hello) -> [Hello] {
        var (instance, digest, port) = (hello, hello, hello)
        instance.instance = InstanceID(Bytes16(1, 2))
        digest.digest = ZoneDigest(Bytes16(1, 2))
        port.port ^= 1
        return [instance, digest, port]
    }

    @Test(arguments: [false, true])
    func whatANodeSaidItselfOpensNothing(isInitiator: Bool) throws {
        for number in 0...3 {
            let victim = try SyncBench(1)
            let digest = victim.store.digest
            try victim.open(Self.id, isInitiator: isInitiator)
            let said = try hello(of: victim)
            try victim.take(.hello(([said] + changes(of: said))[number]), on: Self.id)
            #expect(victim.isViolation(Self.id), "change \(number): \(String(describing: victim.closed[Self.id]))")
            #expect(victim.sync.peers.isEmpty)
            #expect(victim.sync.freshStarts.isEmpty)
            #expect(victim.store.digest == digest)
        }
    }

    @Test func allThatHelloSaysIsSigned() throws {
        for number in 0..<3 {
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

    @Test func aNodeThatMeetsItselfKnowsIt() throws {
        let node = try SyncBench(1)
        try node.open(Self.id, isInitiator: true)
        try node.open(Self.next)
        let (dialled, accepted) = (try hello(of: node), try hello(of: node, Self.next))
        try node.take(.hello(dialled), on: Self.next)
        try node.take(.hello(accepted), on: Self.id)
        #expect(node.closed == [Self.id: .isSelf, Self.next: .isSelf])
        #expect(node.sync.freshStarts.isEmpty)
    }

    // MARK: One lane, two sessions

    @Test func aPeerThatWasStartedAgainIsMetInItsLatestRun() throws {
        let victim = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(victim, Self.id)
        try peer.greet(victim, Self.next)
        #expect(victim.closed == [Self.id: .duplicate])
        #expect(victim.sync.peers.map(\.session) == [Self.next])
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

    /// Nobody without the lane's key ends a session of that lane.
    @Test func anotherKeyEndsNobodysSession() throws {
        let victim = try SyncBench(1)
        var (peer, thief) = (ScriptedPeer(9), ScriptedPeer(10))
        try peer.greet(victim, Self.id)
        try victim.open(Self.next)
        var hello = thief.hello()
        hello.lane = peer.lane
        try victim.take(.hello(hello), on: Self.next)
        #expect(victim.isViolation(Self.next))
        #expect(victim.sync.peers.map(\.session) == [Self.id])
    }

    /// An address at which somebody gives back what is said is tried again: a device may be there tomorrow.
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
