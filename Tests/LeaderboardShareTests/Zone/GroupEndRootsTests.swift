import LeaderboardShare
import Ledger
import NodeCore
import SyncState
import Testing

/// The owner's phone makes a root that ben and cleo get; anna, the owner at another device, does not.
@Suite("Group zones: roots that not all have when a group ends", .timeLimit(.minutes(30)))
struct GroupEndRootsTests {
    private let anna: GroupBench
    private let phone: GroupBench
    /// Another device of the owner.
    private let tablet: GroupBench
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 2)
        phone = try anna.another(8)
        tablet = try anna.another(9)
        ben = try anna.admit("ben", 2, with: token)
        cleo = try anna.admit("cleo", 3, with: token)
        try ben.post(2)
        for bench in [phone, tablet, ben] { try bench.meet(anna) }
        _ = try phone.zone.membership.makeRoot()
        try phone.turn()
        for bench in [ben, cleo] { try phone.meet(bench) }
        // Anna cannot read this.
        try ben.post(2, day: 20_001)
        try ben.meet(cleo)
        // With these, ben's rows are not above everything that the end names.
        try anna.post(nil)
        try anna.post(nil, day: 20_001)
    }

    private func remove(_ device: GroupBench) throws {
        try anna.zone.roster.remove(device: device.zone.lane, by: GroupBench.key("anna"))
        try anna.turn()
    }

    /// Ben hears of the removal, and writes under anna's root; anna sees only that.
    private func removePhoneAndHear() throws {
        try remove(phone)
        try ben.take(anna.ledger)
        try ben.post(2, day: 20_002)
        #expect(try anna.take([], ben.rows()) == [.notYet])
        #expect([anna, ben].map { $0.points([ben.member]) } == [[10], [15]])
        #expect([anna, ben].map(\.roots) == [2, 3])
    }

    private func close(_ device: GroupBench) throws {
        try device.zone.roster.close()
        try device.turn()
    }

    private func expect(_ points: Int, on benches: [GroupBench]) throws {
        for bench in benches + [try ben.reopened()] {
            #expect(bench.isEqual(to: benches[0]) && bench.points([ben.member]) == [points])
        }
    }

    @Test("What is under a root of a removed device counts for nobody, though others could read it")
    func closed() throws {
        try removePhoneAndHear()
        try close(anna)
        #expect(try ben.meet(anna) && cleo.meet(ben))
        try expect(10, on: [anna, ben, cleo])
    }

    @Test("Nor does it if its device is removed after the end")
    func removedAfterwards() throws {
        try close(anna)
        try ben.take(anna.ledger)
        #expect(try ben.rows().count { $0.lane == ben.zone.lane } == 2)
        try remove(phone)
        #expect(try ben.meet(anna) && cleo.meet(ben))
        try expect(5, on: [anna, ben, cleo])
    }

    @Test("It comes back if another device of the owner's has the root, and goes on from it")
    func rescued() throws {
        try phone.meet(tablet)
        try removePhoneAndHear()
        try close(anna)
        #expect(try ben.meet(anna) && cleo.meet(ben))
        try expect(10, on: [anna, ben, cleo])
        try tablet.meet(anna)
        for _ in 0..<2 {
            for bench in [anna, ben, cleo] { try tablet.meet(bench) }
        }
        try expect(15, on: [anna, ben, cleo, tablet])
    }

    @Test("It comes back with the group, if the device that closed it is shut out")
    func openAgain() throws {
        try removePhoneAndHear()
        try tablet.take(anna.ledger)
        try close(tablet)
        #expect(try ben.meet(tablet) && cleo.meet(ben))
        #expect(cleo.zone.access == .closed)
        try remove(tablet)
        for _ in 0..<4 { try anna.meet(ben) }
        try cleo.meet(ben)
        #expect([anna, ben, cleo].allSatisfy { $0.zone.access == .member })
        try expect(15, on: [anna, ben, cleo])
    }
}
