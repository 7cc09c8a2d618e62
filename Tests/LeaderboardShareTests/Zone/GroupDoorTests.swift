import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip
@testable import LeaderboardShare

/// Somebody with a root's key who is not a member, such as one who was removed.
@Suite("A group's door", .timeLimit(.minutes(30))) struct GroupDoorTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node
    private let session = SessionID(1_000)

    init() throws {
        anna = try net.found("anna", 1)
        try net.run(for: .seconds(1))
    }

    /// Says HELLO on a session that it or the node opened; returns the node's replies.
    private func knock(dialled isDialled: Bool = false) throws -> [Message] {
        let hash = [UInt8](repeating: 9, count: 32)
        let zone = try #require(anna.zone)
        let device = GroupBench.key("mallory's device")
        var random = SeededRandom(seed: 3)
        let body = Hello.Body(
            lane: LaneID(device.publicKey), instance: random.identifier(), digest: random.identifier(), port: 0)
        let context = Hello.Context(
            side: Hello.Side(isInitiator: !isDialled), zone: zone.zone, handshakeHash: hash)
        let hello = Hello(body, in: context, device: device)
        _ = anna.machine.onOpened(
            session, place: zone.handle, isInitiator: isDialled, handshakeHash: hash,
            address: SocketAddress(ipv4: 0x0A00_0009, port: 50_000), now: net.now)
        anna.machine.onMessage(Message.hello(hello).encoded, session: session, now: net.now)
        return try said().messages
    }

    private func say(_ message: Message) {
        anna.machine.onMessage(message.encoded, session: session, now: net.now)
    }

    /// The node's messages, and whether it closed the session.
    private func said(after time: Duration = .zero) throws -> (messages: [Message], isClosed: Bool) {
        anna.machine.endTurn(now: net.now + time, wall: net.wall + time)
        anna.machine.produce(on: session, budgetBytes: 65_536, now: net.now + time)
        var messages: [Message] = []
        var isClosed = false
        for action in anna.machine.takeActions() {
            switch action {
            case .send(session, let bytes, _): messages.append(try Message(decoding: bytes))
            case .close(session, _): isClosed = true
            default: break
            }
        }
        return (messages, isClosed)
    }

    private func isAsked(_ messages: [Message]) -> Bool {
        messages.contains { if case .who = $0 { true } else { false } }
    }

    @Test("A stranger's words are kept as bytes until it is known, and not many of them")
    func held() throws {
        #expect(isAsked(try knock()))
        let rows = Message.rows([[UInt8]](repeating: [0], count: 1_000))
        for _ in 0..<60 { say(rows) }
        #expect(try !said().isClosed)
        let vector = Message.find([TxID](repeating: .zero, count: 1_500))
        for _ in 0..<10 { say(vector) }
        #expect(try said().isClosed)
    }

    @Test(
        "Who opened the session and is unknown hears one question, and has three seconds for its vouchers",
        arguments: [nil, [], [1, 2, 3]] as [[UInt8]?])
    func vouchers(answer: [UInt8]?) throws {
        let asked = try knock()
        #expect(asked.map(\.encoded) == [Message.who.encoded])
        if let answer {
            say(.vouch(answer))
        } else {
            #expect(try !said(after: .milliseconds(2_900)).isClosed)
        }
        let (messages, isClosed) = try said(after: answer == nil ? .seconds(3) : .zero)
        #expect(isClosed)
        #expect(messages.allSatisfy { if case .bye = $0 { true } else { false } })
        #expect(anna.zone?.state.members.count == 1)
    }

    @Test("A member that the other end does not know shows its vouchers, whoever opened the session")
    func unknownMember() throws {
        for isDialled in [false, true] {
            let anna = try GroupBench(founder: "anna", 1)
            let token = try anna.zone.invitations.invite(people: 3)
            let ben = try anna.admit("ben", 2, with: token)
            let cleo = try anna.admit("cleo", 3, with: token)
            #expect(ben.state.members[cleo.member] == nil && cleo.state.members[ben.member] != nil)
            #expect(try isDialled ? ben.meet(cleo) : cleo.meet(ben))
            #expect(ben.state.members[cleo.member] != nil)
        }
    }

    @Test("A dismissal ends the session, and one that shows nothing changes nothing", arguments: [false, true])
    func dismissal(isDialled: Bool) throws {
        #expect(isAsked(try knock(dialled: isDialled)))
        say(.dismiss([1]))
        // It hands in what the person signed, and is released.
        say(.bye(.notMember))
        #expect(try said().isClosed)
        #expect(anna.zone?.access == .member)
    }

    @Test("A message of more rows than a page has is none of the protocol")
    func rows() throws {
        #expect(isAsked(try knock()))
        say(.rows([[UInt8]](repeating: [0], count: SyncState.Limits.pageRows + 1)))
        #expect(try said().isClosed)
    }
}
