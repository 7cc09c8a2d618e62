import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Joining by token", .timeLimit(.minutes(30))) struct JoinAttemptTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node

    init() throws { anna = try net.found("anna", 1) }

    private func invite(_ people: Int = 1, hints: [SocketAddress] = []) throws -> GroupToken {
        try #require(anna.zone).invitations.invite(people: people, hints: hints)
    }

    /// Whether the joiner is a member by its own records, and holds what the owner holds.
    private func isIn(_ node: GroupNet.Node) -> Bool {
        node.zone?.state.members[node.member] != nil && net.isEqual([anna, node])
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
        #expect(ben.zone?.roster.title?.title == "Family")
        // The member that met the joiner introduces it to nobody: the next one comes in through the newcomer.
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

    @Test("Two who join with one token of two come in; a third hears that it is used up, and nothing is written")
    func usedUp() throws {
        let token = try invite(2)
        let (ben, cleo, dee) = (net.add("ben", 2), net.add("cleo", 3), net.add("dee", 4))
        net.join(ben, token)
        net.join(cleo, token)
        #expect(try net.run(for: .seconds(60), until: { isIn(ben) && isIn(cleo) }))
        try net.run(for: .seconds(5))
        // Another invitation keeps the door open, so that it hears why.
        _ = try invite(3)
        let before = anna.zone?.membership.records.names.count
        net.join(dee, token)
        try net.run(for: .seconds(60))
        #expect(refusal(dee) == .usedUp)
        #expect(anna.zone?.membership.records.names.count == before)
        guard case .refused? = dee.attempt?.state else {
            Issue.record("the owner's word is final")
            return
        }
    }

    @Test("While the owner is away any member lets in at once, and the owner confirms when it comes")
    func ownerAway() throws {
        let ben = net.add("ben", 2)
        net.join(ben, try invite())
        #expect(try net.run(for: .seconds(10), until: { isIn(ben) }))
        let token = try invite(2)
        try net.run(for: .seconds(5))
        anna.isAway = true
        let cleo = net.add("cleo", 3)
        net.join(cleo, token)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([ben, cleo]) }))
        #expect(cleo.zone?.state.isConfirmed(cleo.member) == false)
        anna.isAway = false
        #expect(
            try net.run(
                for: .seconds(180), until: { isIn(cleo) && cleo.zone?.state.isConfirmed(cleo.member) == true }))
    }

    @Test("A token of several tickets of which some are used: it goes through all, eight at a time")
    func someUsed() throws {
        let token = try invite(20)
        for number in 0..<19 {
            let node = net.add("early \(number)", UInt8(10 + number))
            net.join(node, token)
            #expect(try net.run(for: .seconds(120), until: { node.zone?.access == .member }))
            node.isAway = true
        }
        let last = net.add("last", 2)
        net.join(last, token)
        #expect(try net.run(for: .seconds(600), until: { isIn(last) }))
        #expect(anna.zone?.state.members.count == 21 && anna.zone?.invitations.open.isEmpty == true)
    }

    @Test("Revoked, expired, closed: the joiner hears which, once, from a member")
    func refusals() throws {
        let zone = try #require(anna.zone)
        let open = try invite()
        let short = try zone.invitations.invite(people: 2, expires: net.wall + .seconds(5))
        // This keeps the door open.
        _ = try invite(3)
        try zone.invitations.revoke(open.invite)
        try net.run(for: .seconds(10))
        let nodes = [net.add("ben", 2), net.add("cleo", 3), net.add("dee", 4)]
        net.join(nodes[0], open)
        net.join(nodes[1], short)
        try net.run(for: .seconds(10))
        let last = try invite()
        try zone.roster.close()
        net.join(nodes[2], last)
        try net.run(for: .seconds(10))
        #expect(nodes.map(refusal) == [.revoked, .expired, .closed])
        #expect(zone.state.members.count == 1)
    }

    @Test("A join goes on after a restart in the middle, as the same member")
    func restart() throws {
        let token = try invite()
        let attempt = GroupBench.attempt("ben", 2, with: token)
        let zone = try #require(anna.zone)
        // The answer is lost.
        let knock = try #require(attempt.opened(GroupBench.meeting(1)))
        #expect(try zone.door.received(knock, in: GroupBench.meeting(1)).message != nil)
        #expect(zone.state.members[attempt.member] == .member)
        var random: any RandomSource = SeededRandom(seed: 77)
        let again = JoinAttempt(
            try PendingJoin(encoded: attempt.pending.encoded), deviceSecret: GroupBench.device(2), random: &random)
        #expect(again.member == attempt.member && again.handle == attempt.handle)
        let second = try #require(again.opened(GroupBench.meeting(2)))
        let answer = try #require(try zone.door.received(second, in: GroupBench.meeting(2)).message)
        _ = try again.received(answer, in: GroupBench.meeting(2))
        guard case .welcomed(let welcome) = again.state else {
            Issue.record("not welcomed")
            return
        }
        let joined = try GroupZone.join(
            welcome, database: Database(path: ":memory:"), deviceSecret: GroupBench.device(2),
            random: SeededRandom(seed: 3))
        #expect(joined.member == attempt.member && zone.state.members.count == 2)
    }

    @Test("A knock is worth nothing on another session")
    func replayed() throws {
        let zone = try #require(anna.zone)
        let attempt = GroupBench.attempt("ben", 2, with: try invite())
        let knock = try #require(attempt.opened(GroupBench.meeting(1)))
        #expect(try zone.door.received(knock, in: GroupBench.meeting(2)).message == nil)
        #expect(zone.state.members.count == 1)
        #expect(try zone.door.received(knock, in: GroupBench.meeting(1)).message != nil)
        #expect(zone.state.members.count == 2)
    }

    @Test("A pending join is read as it was written, and nothing else")
    func pendingJoin() throws {
        let pending = PendingJoin(
            token: try invite(5), person: GroupBench.person("ben"), tag: GroupBench.tag(2), since: net.wall)
        let read = try PendingJoin(encoded: pending.encoded)
        #expect(read.token.text == pending.token.text && read.since == net.wall)
        #expect(read.person == pending.person && read.tag == pending.tag && read.encoded == pending.encoded)
        for length in 0..<pending.encoded.count {
            #expect(throws: (any Error).self) { try PendingJoin(encoded: Array(pending.encoded.prefix(length))) }
        }
        #expect(throws: (any Error).self) { try PendingJoin(encoded: pending.encoded + [0]) }
    }
}
