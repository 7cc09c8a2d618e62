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
        token = try #require(anna.zone).invite()
        ben = net.add("ben", 2)
        cleo = net.add("cleo", 3)
        net.join(ben, token)
        net.join(cleo, token)
        try net.run(for: .seconds(10))
        try #require(ben.zone).post(game: GroupBench.game, day: Day(number: 20_000), score: 2, wall: net.wall)
        try net.run(for: .seconds(10))
    }

    private func points(of node: GroupNet.Node, on other: GroupNet.Node) throws -> Int? {
        try other.zone?.standings.rows([node.member], period: .all, today: Day(number: 20_001)).first.map {
            Int($0.points)
        }
    }

    private func isIn(_ node: GroupNet.Node, for others: [GroupNet.Node]) -> Bool {
        others.allSatisfy { $0.zone?.state.members[node.member] != nil }
    }

    @Test("Who left is off the lists of all, and is in again with all that was there by another admission")
    func leavingAndComingBack() throws {
        #expect(try points(of: ben, on: cleo) == 5)
        try #require(ben.zone).leave()
        #expect(try net.run(for: .seconds(5), until: { !isIn(ben, for: [anna]) && !isIn(ben, for: [cleo]) }))
        for node in [anna, cleo] {
            #expect(node.zone?.state.left == [ben.member])
            #expect(try points(of: ben, on: node) == 0)
            #expect(node.zone?.memberList().count == 2)
            #expect(node.zone?.memberList(withRemoved: true).first { $0.id == ben.member }?.state == .left)
        }
        #expect(ben.zone?.access == .left)
        net.join(ben, token)
        #expect(try net.run(for: .seconds(60), until: { isIn(ben, for: [anna, ben, cleo]) }))
        #expect(ben.zone?.access == .member)
        #expect(try points(of: ben, on: cleo) == 5)
        // And once more, by the same key.
        try #require(ben.zone).leave()
        #expect(try net.run(for: .seconds(5), until: { !isIn(ben, for: [cleo]) }))
    }

    @Test("A device that has not heard of it is told by the members, and so is who waits for an echo")
    func theOtherDevice() throws {
        let phone = net.add("ben", 7)
        let zone = try GroupZone.open(
            token.group, roots: try #require(ben.zone).membershipRoots, database: Database(path: ":memory:"),
            memberSeed: phone.seed, deviceSecret: phone.device, random: SeededRandom(seed: 7))
        net.serve(zone, on: phone)
        #expect(try net.run(for: .seconds(60), until: { zone.access == .member }))
        phone.isAway = true
        try #require(ben.zone).leave()
        try net.run(for: .seconds(10))
        ben.isAway = true
        phone.isAway = false
        #expect(try net.run(for: .seconds(300), until: { zone.access == .left }))
        phone.isAway = true
        // The one that left comes to somebody who knows already.
        ben.isAway = false
        #expect(try net.run(for: .seconds(300), until: { ben.zone?.isKnownToHaveLeft == true || isEqual(ben, anna) }))
    }

    private func isEqual(_ one: GroupNet.Node, _ other: GroupNet.Node) -> Bool {
        one.zone?.store.digest == other.zone?.store.digest
    }

    @Test("The owner does not leave, and nobody leaves twice")
    func refusals() throws {
        #expect(throws: GroupError.notAllowed) { try #require(anna.zone).leave() }
        try #require(ben.zone).leave()
        #expect(throws: GroupError.departed) { try #require(ben.zone).leave() }
    }

    @Test("Nobody leaves for another, and a leave names no admission that came later")
    func onlyForOneself() throws {
        let zone = try #require(cleo.zone)
        let bens = zone.state.admissions(of: ben.member)
        #expect(bens.count == 1)
        try zone.write(.leave(bens), under: .zero)
        #expect(zone.state.members[ben.member] != nil)
        // It names nothing of cleo's own, so that cleo stays.
        #expect(zone.state.members[cleo.member] != nil)
    }

    @Test("A device that holds no record of the group hears of a removal, from genesis on")
    func aNewDeviceOfARemovedMember() throws {
        let roots = try #require(ben.zone).membershipRoots
        ben.isAway = true
        try #require(anna.zone).remove(ben.member)
        try net.run(for: .seconds(10))
        let phone = net.add("ben", 7)
        let zone = try GroupZone.open(
            token.group, roots: roots, database: Database(path: ":memory:"), memberSeed: phone.seed,
            deviceSecret: phone.device, random: SeededRandom(seed: 7))
        net.serve(zone, on: phone)
        #expect(try net.run(for: .seconds(300), until: { zone.access == .removed }))
        #expect(zone.ring.epochs.count == 1)
    }
}
