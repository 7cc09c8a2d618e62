import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// The first messages of a session: its opener says HELLO, and until then the other end says nothing.
@Suite struct SyncDoorTests {
    private static let id = SessionID(1)

    private func isHello(_ message: Message?) -> Bool {
        if case .hello? = message { true } else { false }
    }

    @Test func theInitiatorSaysHelloAndNothingElse() throws {
        let node = try SyncBench(1)
        try node.accept("news", seed: 1)
        try node.open(Self.id, isInitiator: true)
        #expect(node.takeOutbox(Self.id).map { isHello($0) } == [true])
        try node.accept("more news", seed: 2)
        try node.pass(.seconds(9))
        #expect(node.takeOutbox(Self.id).isEmpty)
        #expect(node.closed.isEmpty)
        // The other end may have to check vouchers first.
        try node.pass(.seconds(1))
        #expect(node.closed[Self.id] == .silent)
    }

    @Test func theResponderSaysNothingBeforeHello() throws {
        let node = try SyncBench(1)
        try node.accept("news", seed: 1)
        try node.open(Self.id)
        try node.accept("more news", seed: 2)
        try node.pass(.milliseconds(2_900))
        #expect(node.takeOutbox(Self.id).isEmpty)
        var peer = ScriptedPeer(9)
        try node.take(.hello(peer.hello()), on: Self.id)
        #expect(isHello(node.takeOutbox(Self.id).first))
        #expect(node.sync.peers.count == 1)
    }

    /// A peer whose HELLO fails learns no digest, no lane and no membership.
    @Test func whoIsNotBelievedHearsNoHello() throws {
        var (peer, thief) = (ScriptedPeer(9), ScriptedPeer(10))
        var (unsigned, unproven, foreign) = (peer.hello(), peer.hello(), thief.hello())
        unsigned.deviceSignature = []
        unproven.proof = thief.device.signing.sign([1])
        foreign.body.lane = peer.lane
        for hello in [unsigned, unproven, foreign] {
            let node = try SyncBench(1)
            try node.open(Self.id)
            try node.take(.hello(hello), on: Self.id)
            #expect(node.takeOutbox(Self.id).map(\.encoded) == [Message.bye(.violation).encoded])
            #expect(node.isViolation(Self.id))
        }
    }

    /// Only the end that spoke first is asked for vouchers, or told that it does not belong here.
    @Test func aResponderIsNotAskedBeforeHello() throws {
        for message in [Message.who, .dismiss([1]), .vouch([1])] {
            let node = try SyncBench(1)
            try node.open(Self.id)
            try node.take(message, on: Self.id)
            #expect(node.isViolation(Self.id), "\(message)")
            #expect(node.takeOutbox(Self.id).map(\.encoded) == [Message.bye(.violation).encoded])
        }
    }

    /// Each end notes the other's versions, which `NodeMachine` shows.
    @Test(arguments: [false, true])
    func anotherVersionEndsTheSession(isInitiator: Bool) throws {
        let node = try SyncBench(1)
        let digest = node.store.digest
        try node.open(Self.id, isInitiator: isInitiator)
        _ = node.takeOutbox(Self.id)
        let before = node.sentBytes[Self.id] ?? 0
        try node.take([.foreignHello(versions: [1, 4, 2]), .ping], on: Self.id)
        #expect(node.closed[Self.id] == .otherVersion(4))
        // A responder has not named its versions yet, so it sends a HELLO of its versions alone.
        let versions = isInitiator ? [] : Message.foreignHello(versions: [3]).encoded
        let bye = Message.bye(.otherVersion).encoded
        #expect(node.takeOutbox(Self.id).map(\.encoded) == [bye])
        #expect((node.sentBytes[Self.id] ?? 0) - before == versions.count + bye.count)
        #expect(node.store.digest == digest && node.sync.peers.isEmpty)
    }

    /// A later program names the versions that it speaks, including ours.
    @Test func aPeerOfSeveralVersionsIsMet() throws {
        let node = try SyncBench(1)
        let peer = ScriptedPeer(9)
        try node.open(Self.id)
        let body = Hello.Body(
            lane: peer.lane, instance: InstanceID(Bytes16(1, 2)), digest: node.store.digest, port: 0,
            versions: [1, 2, 3, 4])
        let context = Hello.Context(side: .initiator, zone: node.zone.zone, handshakeHash: SyncBench.hash)
        let hello = Hello(body, in: context, device: peer.device.signing)
        try node.take(.hello(hello), on: Self.id)
        #expect(node.sync.peers.map(\.lane) == [peer.lane])
    }
}
