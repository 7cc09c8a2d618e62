import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Two devices of an owner", .timeLimit(.minutes(30))) struct GroupMergingTests {
    private let net = GroupNet()
    /// The owner's devices.
    private let one: GroupNet.Node
    private let two: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node
    private let dee: GroupNet.Node

    init() throws {
        one = try net.found("anna", 1)
        let token = try #require(one.zone).invitations.invite(people: 3)
        two = try net.another(2, of: one)
        (ben, cleo, dee) = (net.add("ben", 3), net.add("cleo", 4), net.add("dee", 5))
        for node in [ben, cleo, dee] { net.join(node, token) }
        try net.run(for: .seconds(60))
    }

    private var all: [GroupNet.Node] { [one, two, ben, cleo, dee] }

    @Test("Each removes somebody or makes roots of its own; they meet, and all who remain end under one root")
    func roots() throws {
        #expect(net.isEqual(all))
        let finn = net.add("finn", 6)
        // A root is made twice on each side, so that the sides have only the first in common.
        net.alone([one, ben])
        try #require(one.zone).roster.remove(dee.member)
        try net.run(for: .seconds(30))
        _ = try #require(one.zone).membership.makeRoot()
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([one, ben]) && held(ben) == 3 }))
        net.alone([two, cleo])
        for _ in 0..<2 {
            _ = try #require(two.zone).membership.makeRoot()
            try net.run(for: .seconds(30))
        }
        // Some members also joined on one side only.
        net.alone([two, cleo, finn])
        net.join(finn, try #require(two.zone).invitations.invite())
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([two, cleo, finn]) }))
        net.alone([one, two])
        #expect(try net.run(for: .seconds(300), until: { net.isEqual([one, two]) }))
        let rest = [one, two, ben, cleo, finn]
        net.alone(rest)
        #expect(
            try net.run(
                for: .seconds(600),
                until: { net.isEqual(rest) && Set(rest.map { $0.zone?.membership.root.rotate }).count == 1 }))
        let zone = try #require(one.zone)
        #expect(!zone.state.isRotationDue(held: zone.membership.ring.held) && zone.state.dismissed == [dee.member])
        #expect(zone.state.members.count == 4)
    }

    private func held(_ node: GroupNet.Node) -> Int? { node.zone?.membership.ring.held.count }

    @Test("Records that one device saw of a member stay only if the removal names them; the other can add its heads")
    func names() throws {
        net.alone([two, ben])
        let day = Day(number: 20_000)
        try #require(ben.zone).post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([two, ben]) }))
        net.alone([one, cleo])
        try #require(one.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([one, cleo]) }))
        // The other device also removes it, with what it knows, before it hears of the removal.
        net.alone([two])
        try #require(two.zone).roster.remove(ben.member)
        net.alone([one, two, cleo])
        #expect(try net.run(for: .seconds(600), until: { net.isEqual([one, two, cleo]) }))
        for node in [one, two, cleo] {
            #expect(try node.zone?.score(of: ben.member, day: day, game: GroupBench.game)?.score == 2)
        }
    }
}
