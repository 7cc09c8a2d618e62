import ChatTestKit
import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Former members ask again", .timeLimit(.minutes(30))) struct GroupAskingTests {
    private static let day: Duration = .seconds(86_400)
    private let net = GroupNet()
    private let anna: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node

    init() throws {
        anna = try net.found("anna", 1)
        let token = try #require(anna.zone).invitations.invite(people: 8)
        ben = net.add("ben", 2)
        cleo = net.add("cleo", 3)
        net.join(ben, token)
        net.join(cleo, token)
        try net.run(for: .seconds(10))
        #expect(net.isEqual([anna, ben, cleo]))
    }

    @Test(
        "Whom a thief dismissed is in again by itself, soon after the owner's person removed the stolen device",
        arguments: [.zero, day - .seconds(600)] as [Duration])
    func thief(away: Duration) throws {
        let tablet = try net.another(7, of: anna)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, ben, cleo, tablet]) }))
        net.alone([ben, tablet])
        try #require(tablet.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        net.alone([anna, cleo])
        try #require(anna.zone).roster.remove(
            device: #require(tablet.zone).lane, by: GroupBench.key("anna"))
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, cleo]) }))
        // With nobody there, nobody has a reason to dial; it asks again after as long as it has been out.
        net.alone([ben])
        #expect(try !net.run(for: away, until: { ben.zone?.access != .removed }))
        net.alone([anna, ben, cleo])
        let asked = away + .seconds(900)
        #expect(try net.run(for: asked, until: { net.isEqual([anna, ben, cleo]) }))
        let zone = try #require(ben.zone)
        #expect(zone.membership.hasReturned && !zone.zoneAccess.isOver)
        let day = Day(number: 20_000)
        try zone.post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        #expect(try zone.standings.rows([ben.member], period: .all, today: day).first?.played == 1)
        #expect(
            try net.run(
                for: .seconds(60),
                until: {
                    (try? cleo.zone?.score(of: ben.member, day: day, game: GroupBench.game)?.score) == 2
                }))
    }

    @Test("A member dismissed for good asks ever less, at last once a day, for ninety days, and then is silent")
    func dismissed() throws {
        try #require(anna.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        net.alone([ben])
        var asked = 0
        while try asked < 100 && net.run(for: Self.day + .seconds(1), until: { !ben.machine.doors.isEmpty }) {
            asked += 1
            #expect(try net.run(for: .seconds(125), until: { ben.machine.doors.isEmpty }))
        }
        // It asks nine times before it has been out for two days, then daily, each some milliseconds late.
        #expect((96...97).contains(asked))
        let contacts = net.contacts
        try net.run(for: Self.day * 3)
        #expect(net.contacts == contacts)
        #expect(ben.machine.doors.isEmpty && ben.zone?.access == .removed)
    }

    @Test("Who is answered by a stolen device asks on, and hears of its removal from whoever comes then")
    func answeredByThief() throws {
        let tablet = try net.another(7, of: anna)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, ben, cleo, tablet]) }))
        net.alone([ben, tablet])
        try #require(tablet.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        net.alone([anna])
        try #require(anna.zone).roster.remove(
            device: #require(tablet.zone).lane, by: GroupBench.key("anna"))
        try net.run(for: .seconds(10))
        net.alone([ben, tablet])
        #expect(try net.run(for: .seconds(700), until: { !ben.machine.doors.isEmpty }))
        let contacts = net.contacts
        try net.run(for: .seconds(60))
        #expect(net.contacts > contacts && ben.zone?.access == .removed)
        net.alone([anna, ben, tablet])
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, ben]) }))
        #expect(try #require(ben.zone).membership.hasReturned)
    }

    @Test("An asking ends after two minutes, whoever answers, and a restart does not repeat it")
    func once() throws {
        try #require(anna.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        net.alone([ben])
        #expect(try net.run(for: Self.day + .seconds(60), until: { !ben.machine.doors.isEmpty }))
        net.alone([anna, ben, cleo])
        #expect(try net.run(for: .seconds(125), until: { ben.machine.doors.isEmpty }))
        #expect(try #require(ben.zone).hasTold)
        let again = try restarted(ben, at: net.wall)
        #expect(again.zoneAccess.isClosed)
        again.store.setTime(now: net.now, wall: net.wall + Self.day)
        try again.work(now: net.now)
        #expect(!again.zoneAccess.isClosed && again.zoneAccess.isOver)
    }

    @Test("Who is told to asks at once, however long it would have waited; who left by itself does not")
    func told() throws {
        try #require(anna.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        let again = try restarted(ben, at: net.wall)
        again.membership.askSoon()
        #expect(again.zoneAccess.isClosed)
        try again.work(now: net.now)
        #expect(!again.zoneAccess.isClosed)
        try again.work(now: net.now + .seconds(125))
        #expect(again.zoneAccess.isClosed)
        try again.work(now: net.now + .seconds(130))
        #expect(again.zoneAccess.isClosed)
        // A member that belongs here asks nobody, now or later.
        let member = try #require(anna.zone)
        member.membership.askSoon()
        try member.work(now: net.now)
        #expect(!member.membership.isAsking)
        try #require(cleo.zone).roster.leave()
        #expect(try net.run(for: .seconds(60), until: { cleo.zone?.membership.hasEnded == true }))
        let left = try restarted(cleo, at: net.wall)
        left.membership.askSoon()
        try left.work(now: net.now)
        #expect(left.zoneAccess.isClosed)
    }

    @Test("A clock that was years ahead and is put right keeps nobody from asking")
    func clockSetBack() throws {
        try #require(anna.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        #expect(try restarted(ben, at: net.wall).zoneAccess.isClosed)
        let wall = net.wall - Self.day * 400
        let again = try restarted(ben, at: wall)
        #expect(!again.zoneAccess.isClosed && again.membership.overSince == wall)
        // From then on it asks as usual: after ten minutes, and then after as long again.
        var asked = 0
        for minute in 1...90 {
            again.store.setTime(now: net.now + .seconds(60 * minute), wall: wall + .seconds(60 * minute))
            let before = again.membership.isAsking
            try again.work(now: net.now + .seconds(60 * minute))
            if !before, again.membership.isAsking { asked += 1 }
        }
        #expect(asked == 4)
    }

    @Test("A clock that is years ahead for a while ends nobody's asking")
    func clockAheadForAWhile() throws {
        try #require(anna.zone).roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        let again = try restarted(ben, at: net.wall + Self.day * 400)
        #expect(!again.zoneAccess.isClosed)
        for (after, asks) in [(125, true), (250, false), (900, true)] {
            let passed = Duration.seconds(after)
            again.store.setTime(now: net.now + passed, wall: net.wall + passed)
            try again.work(now: net.now + passed)
            #expect(again.zoneAccess.isClosed != asks, "after \(after) s")
        }
    }

    @Test("An owner that went back in time has what it posted from whom it dismissed then, once that one asks")
    func whoForgotADismissal() throws {
        net.alone([anna, ben])
        let day = Day(number: 20_000)
        let zone = try #require(anna.zone)
        let before = try zone.store.database.snapshot()
        try zone.post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, ben]) }))
        try zone.roster.remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { ben.zone?.access == .removed }))
        anna.machine.remove(zone.handle, now: net.now)
        let old = try GroupZone(
            database: Database(snapshot: before), keys: zone.keys, deviceSecret: anna.device,
            random: SeededRandom(seed: 8))
        net.serve(old, on: anna)
        func isBack() -> Bool { (try? old.score(of: anna.member, day: day, game: GroupBench.game)?.score) == 2 }
        #expect(try !net.run(for: .seconds(300), until: isBack))
        #expect(try net.run(for: .seconds(900), until: isBack))
        #expect(ben.zone?.access == .removed)
    }

    private func restarted(_ node: GroupNet.Node, at wall: WallTime) throws -> GroupZone {
        let zone = try #require(node.zone)
        let again = try GroupZone(
            database: Database(snapshot: zone.store.database.snapshot()), keys: zone.keys, deviceSecret: node.device,
            random: SeededRandom(seed: 8))
        again.store.setTime(now: net.now, wall: wall)
        try again.work(now: net.now)
        return again
    }

    @Test("A lane that left is silent once somebody knows it")
    func left() throws {
        net.alone([ben])
        try #require(ben.zone).roster.leave()
        try net.run(for: .seconds(60))
        #expect(!ben.machine.doors.isEmpty)
        net.alone([ben, cleo])
        #expect(try net.run(for: .seconds(300), until: { ben.machine.doors.isEmpty }))
        #expect(ben.zone?.access == .left && cleo.zone?.state.left == [ben.member])
        net.alone([ben])
        let contacts = net.contacts
        try net.run(for: .seconds(3_600))
        #expect(net.contacts == contacts)
    }

    @Test("A device that its person removed does not ask: that is for ever")
    func removed() throws {
        let phone = try net.another(7, of: ben)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([anna, ben, cleo, phone]) }))
        try #require(ben.zone).roster.remove(device: #require(phone.zone).lane, by: GroupBench.key("ben"))
        #expect(try net.run(for: .seconds(60), until: { phone.zone?.access == .removed }))
        net.alone([phone])
        let contacts = net.contacts
        try net.run(for: Self.day * 3)
        #expect(net.contacts == contacts)
    }
}
