import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: leaving", .timeLimit(.minutes(30))) struct GroupZoneLeavingTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node
    private let token: GroupToken

    init() throws {
        anna = try net.found("anna", 1)
        token = try #require(anna.zone).invitations.invite(people: 4)
        ben = net.add("ben", 2)
        cleo = net.add("cleo", 3)
        net.join(ben, token)
        net.join(cleo, token)
        try net.run(for: .seconds(10))
        try #require(ben.zone).post(game: GroupBench.game, day: Day(number: 20_000), score: 2, wall: net.wall)
        try net.run(for: .seconds(10))
    }

    private func points(of member: MemberID, on other: GroupNet.Node) throws -> Int? {
        try other.zone?.standings.rows([member], period: .all, today: Day(number: 20_001)).first.map {
            Int($0.points)
        }
    }

    private func isIn(_ member: MemberID, for others: [GroupNet.Node]) -> Bool {
        others.allSatisfy { $0.zone?.state.members[member] != nil }
    }

    @Test("A member that left is off the lists of all, and comes back as somebody else by another ticket")
    func leavingAndComingBack() throws {
        #expect(try points(of: ben.member, on: cleo) == 5)
        try #require(ben.zone).roster.leave()
        #expect(
            try net.run(for: .seconds(5), until: { !isIn(ben.member, for: [anna]) && !isIn(ben.member, for: [cleo]) }))
        for node in [anna, cleo] {
            let roster = try #require(node.zone).roster
            #expect(node.zone?.state.left == [ben.member])
            #expect(try points(of: ben.member, on: node) == 0)
            #expect(roster.members().count == 2)
            let former = roster.members(withRemoved: true).first { $0.id == ben.member }
            #expect(former?.state == .left && former?.role == .member)
        }
        #expect(ben.zone?.access == .left)
        let again = net.add("ben's next person", 8)
        net.join(again, token)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, cleo, again]) }))
        #expect(isIn(again.member, for: [anna, cleo]) && !isIn(ben.member, for: [anna]))
    }

    @Test("The one that left knocks in vain as the same person, and uses up no ticket")
    func knocksAgain() throws {
        try #require(ben.zone).roster.leave()
        try net.run(for: .seconds(10))
        let zone = try #require(anna.zone)
        let before = zone.membership.records.names.count
        let attempt = GroupBench.attempt(ben.name, ben.number, with: token)
        let knock = try #require(attempt.opened(GroupBench.meeting()))
        let answer = try #require(try zone.door.received(knock, in: GroupBench.meeting()).message)
        guard case .refused(let refusal) = try JoinMessage(encoded: answer) else {
            Issue.record("let in")
            return
        }
        #expect(refusal.reason == .notValid)
        #expect(zone.membership.records.names.count == before)
        #expect(zone.invitations.open.first?.used.count == 2)
    }

    @Test("A device that has not heard of it is told by the members")
    func theOtherDevice() throws {
        let phone = try net.another(7, of: ben)
        #expect(try net.run(for: .seconds(60), until: { phone.zone?.access == .member }))
        phone.isAway = true
        try #require(ben.zone).roster.leave()
        try net.run(for: .seconds(10))
        ben.isAway = true
        phone.isAway = false
        #expect(try net.run(for: .seconds(300), until: { phone.zone?.access == .left }))
    }

    @Test("A member that left while nobody was there says so when somebody is")
    func leavesAlone() throws {
        net.alone([ben])
        try #require(ben.zone).roster.leave()
        try net.run(for: .seconds(60))
        net.alone([ben, cleo])
        #expect(try net.run(for: .seconds(300), until: { !isIn(ben.member, for: [cleo]) }))
    }

    @Test("A device that started afresh and left says so, though nobody knows its new lane")
    func leavesAfresh() throws {
        net.alone([ben])
        let zone = try #require(ben.zone)
        try zone.store.startAfresh(.clone)
        try zone.commit()
        try zone.roster.leave()
        try net.run(for: .seconds(60))
        net.alone([ben, cleo])
        #expect(try net.run(for: .seconds(300), until: { !isIn(ben.member, for: [cleo]) && zone.hasTold }))
    }

    @Test("The owner does not leave, and nobody leaves twice")
    func refusals() throws {
        #expect(throws: GroupError.notAllowed) { try #require(anna.zone).roster.leave() }
        try #require(ben.zone).roster.leave()
        #expect(throws: GroupError.departed) { try #require(ben.zone).roster.leave() }
    }

    @Test("An admin that leaves ends its invitations first; those it let in stay")
    func admins() throws {
        try #require(anna.zone).roster.set(.admin, of: ben.member)
        try net.run(for: .seconds(10))
        let theirs = try #require(ben.zone).invitations.invite(people: 2)
        net.alone([ben])
        let dee = net.add("dee", 4)
        net.join(dee, theirs)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([ben, dee]) }))
        try #require(ben.zone).roster.leave()
        #expect(ben.zone?.invitations.open.contains { $0.record == theirs.invite } == false)
        net.alone([anna, ben, cleo, dee])
        #expect(try net.run(for: .seconds(300), until: { net.isEqual([anna, cleo, dee]) }))
        #expect(isIn(dee.member, for: [anna, cleo]) && !isIn(ben.member, for: [anna, cleo]))
    }
}
