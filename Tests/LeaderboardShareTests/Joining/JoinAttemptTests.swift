import Gossip
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Joining by token", .timeLimit(.minutes(30))) struct JoinAttemptTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node

    init() throws { anna = try net.found("anna", 1) }

    private func invite(uses: UInt32 = Delegation.unlimited, hints: [SocketAddress] = []) throws -> GroupToken {
        try #require(anna.zone).invite(uses: uses, hints: hints)
    }

    /// The joiner is a member by its own records, and holds what the owner holds.
    private func isIn(_ node: GroupNet.Node) -> Bool {
        guard let zone = node.zone, zone.state.members[node.member] != nil else { return false }
        return zone.store.digest == anna.zone?.store.digest
    }

    private func refusal(_ node: GroupNet.Node) -> JoinRefusal? {
        switch node.attempt?.state {
        case .refused(let reason): reason
        case .waiting(let reason): reason
        default: nil
        }
    }

    @Test("With a member in reach: in, and the history here, within two seconds")
    func atOnce() throws {
        let zone = try #require(anna.zone)
        for day in 0..<100 {
            _ = try zone.post(game: GroupBench.game, day: Day(number: 19_000 + day), score: 3, wall: net.wall)
        }
        try net.run(for: .seconds(300))
        let ben = net.add("ben", 2)
        net.join(ben, try invite())
        #expect(try net.run(for: .seconds(2), until: { isIn(ben) }))
        #expect(try ben.zone?.scoreCount == 100)
        #expect(ben.zone?.state.title?.title == "Family")
        // Who met them first introduces them to nobody: the next one comes in through the newcomer.
        let cleo = net.add("cleo", 3)
        net.join(cleo, try invite())
        try net.run(for: .seconds(5))
        #expect(isIn(cleo) && isIn(ben))
    }

    @Test("With nobody there it waits, and is done when a member appears; addresses in the token are enough")
    func later() throws {
        let token = try invite()
        anna.isAway = true
        let ben = net.add("ben", 2)
        net.join(ben, token)
        try net.run(for: .seconds(3_600))
        guard case .waiting(nil)? = ben.attempt?.state else {
            Issue.record("not waiting")
            return
        }
        anna.isAway = false
        #expect(try net.run(for: .seconds(70), until: { isIn(ben) }))
        let hinted = net.add("cleo", 3)
        net.join(hinted, try invite(hints: [anna.address]))
        #expect(try net.run(for: .seconds(5), until: { isIn(hinted) }))
    }

    @Test("Two who join with one token of two uses come in; a third hears that it is used up, and nothing is written")
    func counted() throws {
        let token = try invite(uses: 2)
        let (ben, cleo, dee) = (net.add("ben", 2), net.add("cleo", 3), net.add("dee", 4))
        net.join(ben, token)
        net.join(cleo, token)
        #expect(try net.run(for: .seconds(5), until: { isIn(ben) && isIn(cleo) }))
        try net.run(for: .seconds(5))
        let before = anna.zone?.store.recordCount
        net.join(dee, token)
        try net.run(for: .seconds(60))
        #expect(refusal(dee) == .usedUp)
        #expect(anna.zone?.store.recordCount == before)
        // While the issuer is away the others say whom it waits for.
        let other = try invite(uses: 1)
        try net.run(for: .seconds(5))
        anna.isAway = true
        let eve = net.add("eve", 5)
        net.join(eve, other)
        try net.run(for: .seconds(60))
        #expect(refusal(eve) == .notTheIssuer)
        anna.isAway = false
        #expect(try net.run(for: .seconds(180), until: { isIn(eve) }))
    }

    @Test("Revoked, expired, closed: the joiner hears which, once, from a member")
    func refusals() throws {
        let zone = try #require(anna.zone)
        let (open, short) = (try invite(), try zone.invite(expiresSeconds: UInt64(net.wall.milliseconds / 1_000) + 5))
        let hash = try #require(zone.state.invitation(of: open.chain[0], by: open.issuer)?.hash)
        try zone.revoke(hash)
        try net.run(for: .seconds(10))
        let nodes = [net.add("ben", 2), net.add("cleo", 3), net.add("dee", 4)]
        net.join(nodes[0], open)
        net.join(nodes[1], short)
        try net.run(for: .seconds(10))
        let last = try invite()
        try zone.close()
        net.join(nodes[2], last)
        try net.run(for: .seconds(10))
        #expect(nodes.map(refusal) == [.revoked, .expired, .closed])
        #expect(zone.state.members.count == 1)
    }

    @Test("A key that was removed hears so, and its person comes back with another")
    func removedKey() throws {
        let ben = net.add("ben", 2)
        net.join(ben, try invite())
        #expect(try net.run(for: .seconds(5), until: { isIn(ben) }))
        try #require(anna.zone).remove(ben.member)
        ben.isAway = true
        let again = net.add("ben", 3)
        net.join(again, try invite())
        try net.run(for: .seconds(10))
        #expect(refusal(again) == .removedKey)
        let next = net.add("ben's next key", 4)
        net.join(next, try invite())
        #expect(try net.run(for: .seconds(10), until: { isIn(next) }))
        #expect(next.zone?.ring.epochs.count == 2 && next.zone?.lockedCount == 0)
    }

    @Test("Who has a token and is no member cannot welcome, and cannot refuse for the group")
    func impostors() throws {
        let token = try invite()
        try net.run(for: .seconds(5))
        anna.isAway = true
        let ben = net.add("ben", 2)
        net.join(ben, token)
        let attempt = try #require(ben.attempt)
        let hash = [UInt8](repeating: 9, count: 32)
        let meeting = RendezvousMeeting(handshakeHash: hash, address: ben.address)
        let mallory = Ed25519.KeyPair(seed: GroupBench.seed("mallory"))
        let vouchers = try #require(anna.zone?.state.proof(of: [anna.member]))
        let refused = JoinMessage.refused(
            JoinMessage.Refusal(
                reason: .revoked, member: MemberID(mallory.publicKey),
                signature: mallory.sign(JoinMessage.answerMessage(hash, .refused, reason: 2)), vouchers: vouchers))
        _ = try attempt.received(refused.encoded, in: meeting)
        let epoch = try #require(anna.zone?.ring.epochs[0])
        for member in [MemberID(mallory.publicKey), anna.member] {
            let welcome = JoinMessage.welcome(
                JoinMessage.Welcome(
                    member: member, signature: mallory.sign(JoinMessage.answerMessage(hash, .welcome)),
                    epochs: [epoch], vouchers: vouchers))
            _ = try attempt.received(welcome.encoded, in: meeting)
        }
        guard case .waiting(nil) = attempt.state else {
            Issue.record("an impostor was believed")
            return
        }
    }

    @Test("A knock is worth nothing on another session")
    func replayed() throws {
        let zone = try #require(anna.zone)
        let attempt = JoinAttempt(
            PendingJoin(token: try invite(), since: net.wall), memberSeed: GroupBench.seed("ben"))
        func meeting(_ number: UInt8) -> RendezvousMeeting {
            RendezvousMeeting(handshakeHash: [UInt8](repeating: number, count: 32), address: anna.address)
        }
        let knock = try #require(attempt.opened(meeting(1)))
        #expect(try zone.door.received(knock, in: meeting(2)).message == nil)
        #expect(zone.state.members.count == 1)
        #expect(try zone.door.received(knock, in: meeting(1)).message != nil)
        #expect(zone.state.members.count == 2)
    }

    @Test("A pending join is read as it was written")
    func pendingJoin() throws {
        let pending = PendingJoin(token: try invite(), removals: 3, since: net.wall)
        let read = try PendingJoin(encoded: pending.encoded)
        #expect(read.token.text == pending.token.text && read.removals == 3 && read.since == net.wall)
        #expect(read.withNextKey?.removals == 4)
        #expect(throws: (any Error).self) { try PendingJoin(encoded: Array(pending.encoded.dropLast())) }
    }
}
