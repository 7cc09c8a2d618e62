import ChatTestKit
import Ledger
import NodeCore
import SyncState
import TestScale
import Testing

@testable import LeaderboardShare

/// All devices show the same, in whatever order rows and control records arrive, and whoever reads meanwhile.
@Suite("Group zones: any order of arrival", .timeLimit(.minutes(30))) struct GroupOrdersTests {
    private static let today = Int(Day(GroupBench.wall).number)
    private static let mini = GameID(Bytes16(1, 2))

    private func seen(_ zone: GroupZone) throws -> [String] {
        let members = zone.roster.members(withRemoved: true)
        let ids = members.map(\.id)
        let rows = try zone.standings.rows(ids, period: .all, today: Day(number: Self.today + 1))
        return members.map { "\($0.id.hex) \($0.name) \($0.role) \($0.state) \($0.isConfirmed) \($0.devices)" }
            + rows.map { "\($0.member.hex) \($0.points) \($0.played) \($0.wins) \($0.completed)" }
            + zone.catalogue.games.map { "\($0.name) \($0.model) \($0.maxAttempts)" }
            + (try ids.flatMap { id in
                try zone.results(of: id).map { "\(id.hex) \($0.score.day.number) \($0.score.score ?? 99)" }
            }) + ["\(try zone.scoreCount) \(try zone.voidScores) \(zone.invitations.open.count) \(zone.state.isClosed)"]
    }

    /// The history of a group: its owner's device, and one that was let in early and has met nobody since.
    private func life(_ random: inout SeededRandom) throws -> (owner: GroupBench, late: GroupBench) {
        let anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 4)
        let ben = try anna.admit("ben", 2, with: token)
        let cleo = try anna.admit("cleo", 3, with: token)
        let phone = try ben.another(4)
        try phone.meet(anna)
        let late = try GroupBench(anna.welcome("dee", 9, with: token), 9)
        let all = [anna, ben, cleo, phone]
        for _ in 0..<40 {
            let who = all[Int.random(in: 0..<4, using: &random)]
            let other = [ben, cleo][Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                _ = try? who.zone.post(
                    game: Bool.random(using: &random) ? GroupBench.game : Self.mini,
                    day: Day(number: Self.today - Int.random(in: 0...4, using: &random)),
                    score: UInt32.random(in: 1...6, using: &random),
                    isRemoved: Int.random(in: 0..<8, using: &random) == 0, wall: GroupBench.wall)
            case 8..<12: try anna.meet(who === anna ? ben : who)
            case 12: try? who.zone.roster.setName("N\(Int.random(in: 0..<3, using: &random))", wall: GroupBench.wall)
            case 13:
                let role = [Role.viewer, .member, .admin][Int.random(in: 0..<3, using: &random)]
                try? anna.zone.roster.set(role, of: other.member)
            case 14: try? anna.zone.roster.suspend(other.member)
            case 15: try? anna.zone.roster.unsuspend(other.member)
            case 16:
                _ = try? who.zone.enter(
                    Self.mini, name: "Mini", model: .lowerAttempts,
                    maxAttempts: UInt32.random(in: 3...7, using: &random))
            case 17 where Int.random(in: 0..<3, using: &random) == 0:
                _ = try? ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("ben"))
            case 18 where Int.random(in: 0..<4, using: &random) == 0:
                _ = try? anna.zone.roster.remove(cleo.member, keepsRows: Bool.random(using: &random))
            case 19 where Int.random(in: 0..<6, using: &random) == 0: try? anna.zone.roster.close()
            default: break
            }
            for bench in all { try bench.turn() }
        }
        for bench in all { try bench.meet(anna) }
        try anna.turn()
        return (anna, late)
    }

    @Test(
        "A device shows what the owner's does, also after a start",
        arguments: 0..<TestScale.of(usual: 12, proof: 60) as Range<UInt64>)
    func orders(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var (anna, late) = try life(&random)
        anna = try anna.reopened()
        let expected = try seen(anna.zone)
        #expect(try seen(anna.reopened().zone) == expected)
        var ledger = anna.ledger.shuffled(using: &random)
        var rows = try anna.rows().shuffled(using: &random)
        var idle = 0
        while !ledger.isEmpty || !rows.isEmpty, idle < 400 {
            idle += 1
            if Int.random(in: 0..<3, using: &random) == 0, !ledger.isEmpty {
                let part = Array(ledger.prefix(Int.random(in: 1...6, using: &random)))
                try late.take(part)
                let held = late.zone.state.set
                ledger = ledger.filter { !held.contains($0.hash) }.shuffled(using: &random)
            }
            for row in rows.prefix(Int.random(in: 0...3, using: &random)) { try late.take([], [row]) }
            let here = Set(try late.rows().map(\.hash))
            rows = rows.filter { !here.contains($0.hash) }.shuffled(using: &random)
            if idle > 150 { try late.take(anna.ledger, rows) }
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: _ = try late.zone.standings
            case 2: try late.zone.tidy()
            case 3: late = try late.reopened(random: 50 + UInt64(idle))
            case 4: _ = late.zone.takePosted()
            default: break
            }
        }
        for zone in [late.zone, try late.reopened(random: 600).zone] {
            for (one, other) in zip(try seen(zone), expected) where one != other {
                Issue.record("seed \(seed): \(one) for \(other)")
            }
            #expect(try seen(zone).count == expected.count)
        }
    }
}
