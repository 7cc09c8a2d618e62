import ChatTestKit
import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: the devices of a member", .timeLimit(.minutes(30))) struct GroupDevicesTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invitations.invite(people: 4)
        ben = try anna.admit("ben", 2, with: token)
    }

    @Test("A device that nobody let in belongs to nobody, until one of its member does")
    func endorsed() throws {
        let phone = try GroupBench(ben.zone.keys, 4)
        #expect(phone.zone.access == .joining && phone.zone.lacking?.lane == phone.zone.lane)
        try phone.meet(anna)
        #expect(anna.closed[SessionID(7)] == .notMember && phone.zone.store.recordCount == 0)
        #expect(throws: GroupError.joining) { try phone.zone.checkPost() }
        // Another member's device cannot.
        try anna.endorse(phone)
        #expect(phone.zone.lacking != nil)
        #expect(try ben.endorse(phone))
        #expect(phone.zone.lacking == nil)
        // None of its own devices is there, so it shows what let it in.
        #expect(try phone.meet(anna))
        #expect(phone.zone.access == .member)
        try phone.post(2)
        try phone.meet(anna)
        #expect(anna.points([ben.member]) == [5])
        #expect(anna.zone.roster.members().first { $0.id == ben.member }?.devices == 2)
        #expect(try phone.reopened().zone.access == .member)
    }

    @Test("An endorsement is for one lane, and of a device that stands itself")
    func endorsements() throws {
        let (phone, other) = (try GroupBench(ben.zone.keys, 4), try GroupBench(ben.zone.keys, 5))
        let (lane, sealKey) = try #require(phone.zone.lacking)
        #expect(try other.zone.endorse(lane, sealKey: sealKey) == nil)
        let endorsement = try #require(try ben.zone.endorse(lane, sealKey: sealKey))
        try other.zone.enter(by: endorsement)
        #expect(other.zone.lacking != nil)
        try phone.zone.enter(by: endorsement)
        try phone.turn()
        // It waits for the group's records, also across a restart.
        let again = try phone.reopened()
        #expect(again.zone.lacking == nil && again.zone.access == .joining)
        #expect(try again.meet(anna))
        #expect(again.zone.access == .member)
        // A lane that stands needs nobody to let it in.
        try ben.meet(anna)
        #expect(try ben.zone.endorse(lane, sealKey: sealKey) == nil)
    }

    @Test("A new device gets the newest root from the owner's, and reads what was written under all")
    func roots() throws {
        let cleo = try anna.admit("cleo", 3, with: token)
        try anna.zone.roster.remove(cleo.member)
        try anna.turn()
        try ben.meet(anna)
        try ben.post(2)
        try ben.meet(anna)
        let phone = try GroupBench(ben.zone.keys, 4)
        try ben.endorse(phone)
        try phone.meet(anna)
        #expect(try phone.meet(anna))
        #expect(phone.roots == 2 && phone.points([ben.member]) == [5])
    }

    @Test("The person removes a stolen device: what was seen of it stays, what it writes later counts nowhere")
    func stolen() throws {
        let phone = try ben.another(4)
        try phone.post(2)
        try phone.meet(ben)
        try ben.post(3, day: 20_001)
        try ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        #expect(try ben.meet(anna))
        try phone.post(1, day: 19_000)
        #expect(try anna.take(phone.ledger, phone.rows()) == [.removed])
        for bench in [anna, ben] {
            #expect(bench.points([ben.member]) == [9])
            #expect(bench.state.standing(of: LaneKey(phone.zone.lane, of: ben.member)) == .removed)
            #expect(bench.zone.roster.members().first { $0.id == ben.member }?.devices == 1)
        }
        // The owner's device makes a root that it does not get, and it hears why.
        try anna.turn()
        #expect(anna.roots == 2)
        #expect(try ben.meet(anna))
        #expect(ben.roots == 2)
        try phone.meet(anna)
        #expect(phone.zone.access == .removed && phone.roots == 1)
        #expect(phone.zone.lacking == nil)
        #expect(ben.zone.access == .member)
    }

    @Test("A removed device's results count once the chain to its last row is whole, in whatever order rows come")
    func resultsOfRemovedDevice() throws {
        let posts = (19_990..<19_996).map { (score: UInt32(2), day: $0) }
        let (rows, others) = try ben.removedDevice(4, named: "ben", after: posts, tell: anna)
        // The row that the Remove names comes last, first, and in the middle.
        let orders = [rows, rows.reversed(), Array(rows[5...] + rows[..<5]), Array(rows[3...] + rows[..<3])]
        let token = try anna.zone.invitations.invite(people: orders.count)
        for (number, order) in zip(UInt8(5)..., orders) {
            let late = try GroupBench(anna.welcome("dee \(number)", number, with: token), number)
            try late.take(anna.ledger, others)
            for row in order {
                #expect(try late.take([], [row]).isEmpty)
                // The board is read after each row.
                let counted = late.points([ben.member])
                #expect(try late.kept(ben.member) * 5 == counted[0])
                #expect(try late.reopened().points([ben.member]) == counted)
            }
            #expect(late.points([ben.member]) == [30])
        }
    }

    @Test("Members who remove devices of their own cost the group a root a day; whom the owner removes, one at once")
    func removalsOfOwnDevices() throws {
        let cleo = try anna.admit("cleo", 3, with: token)
        let phones = try (4...6).map { try ben.another($0) }
        func remove(_ phone: GroupBench) throws {
            try ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("ben"))
            try ben.turn()
            try ben.meet(anna)
        }
        try remove(phones[0])
        #expect(anna.roots == 2)
        try remove(phones[1])
        #expect(anna.roots == 2)
        // A lane that comes meanwhile gets the existing root.
        let tablet = try ben.another(7)
        try tablet.meet(anna)
        #expect(try tablet.meet(anna) && tablet.roots == 2)
        try anna.pass(.seconds(20 * 3_600))
        #expect(anna.roots == 2)
        try anna.pass(.seconds(5 * 3_600))
        #expect(anna.roots == 3)
        try remove(phones[2])
        #expect(anna.roots == 3)
        try anna.zone.roster.remove(cleo.member)
        try anna.turn()
        #expect(anna.roots == 4)
        #expect(!anna.state.isRotationDue(held: anna.zone.membership.ring.held), "it covers the device, too")
    }

    @Test("Beacons name the first root for 90 days after a rotation, later only after a change of network")
    func firstRootSpoken() throws {
        let keys = { anna.zone.membership.placeKeys }
        #expect(keys().spoken == 1 && keys().lasting == 1)
        let phone = try ben.another(4)
        try ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        try ben.meet(anna)
        #expect(keys().spoken == 2 && keys().lasting == 2)
        try anna.pass(.seconds(89 * 86_400))
        #expect(keys().lasting == 2)
        try anna.pass(.seconds(2 * 86_400))
        #expect(keys().spoken == 2 && keys().lasting == 1)
        let again = try anna.reopened()
        try again.pass(.seconds(91 * 86_400))
        #expect(again.zone.membership.placeKeys.lasting == 1)
    }

    @Test("With the time since when it was gone, what came later does not stay; who joined later cannot tell")
    func stolenSince() throws {
        let phone = try ben.another(4)
        try phone.post(2)
        try phone.meet(ben)
        try ben.pass(.seconds(60))
        let since = ben.zone.store.wall
        let tablet = try ben.another(5)
        try phone.post(1, day: 20_001)
        // The thief has a device that the stolen one let in.
        let thief = try phone.another(6)
        try thief.post(1, day: 20_002)
        for bench in [thief, phone] { try bench.meet(anna) }
        for bench in [ben, tablet] { try bench.meet(anna) }
        #expect(anna.points([ben.member]) == [17])
        let person = GroupBench.key("ben")
        let early = GroupBench.wall
        #expect(try !tablet.zone.roster.remove(device: phone.zone.lane, since: early, by: person))
        #expect(try ben.zone.roster.remove(device: phone.zone.lane, since: since, by: person))
        try ben.turn()
        #expect(try ben.meet(anna))
        for bench in [anna, ben] {
            #expect(bench.points([ben.member]) == [5])
            #expect(bench.state.standing(of: LaneKey(thief.zone.lane, of: ben.member)) == .lapsed)
        }
        // The thief's are here, aside, and are nobody's own.
        #expect(try OwnResults(of: ben.zone).all.map(\.score.score) == [2])
    }

    @Test("With the first lane gone the others stay, and one that it had let in by itself")
    func firstLaneRemoved() throws {
        let phone = try ben.another(4)
        try phone.meet(anna)
        try phone.zone.roster.remove(device: ben.zone.lane, by: GroupBench.key("ben"))
        try phone.turn()
        try phone.post(2)
        #expect(try phone.meet(anna))
        #expect(anna.state.members[ben.member] == .member && phone.zone.access == .member)
        #expect(anna.points([ben.member]) == [5])
        let tablet = try phone.another(5)
        #expect(try tablet.meet(anna))
        // A lane that the removed one lets in afterwards belongs to nobody.
        let thief = try GroupBench(ben.zone.keys, 6)
        try ben.endorse(thief)
        try thief.meet(anna)
        #expect(anna.closed[SessionID(7)] == .notMember)
    }

    @Test("Whoever leaves tells another member: that another device of its own knows is not enough")
    func leaving() throws {
        let tablet = try ben.another(4)
        try tablet.meet(anna)
        try ben.meet(tablet)
        try ben.zone.roster.leave()
        try ben.turn()
        for _ in 0..<2 { try ben.meet(tablet) }
        for bench in [ben, tablet] {
            #expect(bench.zone.access == .left && !bench.zone.hasTold && !bench.zone.membership.hasEnded)
        }
        try tablet.meet(anna)
        #expect(tablet.zone.hasTold && anna.state.left == [ben.member])
        try ben.meet(anna)
        #expect(ben.zone.hasTold)
    }

    @Test("A device that met nobody before its member left believes that by what let it in")
    func letInBeforeLeaving() throws {
        let tablet = try GroupBench(ben.zone.keys, 4)
        try ben.endorse(tablet)
        try ben.zone.roster.leave()
        try ben.turn()
        try ben.meet(anna)
        try tablet.meet(anna)
        for bench in [tablet, try tablet.reopened()] {
            #expect(bench.zone.access == .left && bench.zone.hasTold && bench.zone.lacking == nil)
        }
    }

    @Test("A device that met nobody before its confirmed member was dismissed is told so")
    func letInBeforeDismissal() throws {
        let tablet = try GroupBench(ben.zone.keys, 4)
        try ben.endorse(tablet)
        try anna.zone.roster.set(.viewer, of: ben.member)
        try anna.turn()
        try anna.zone.roster.remove(ben.member)
        try anna.turn()
        try tablet.meet(anna)
        #expect(tablet.zone.access == .removed)
    }

    @Test("A root that the owner's device forgot with its home comes back by a member who has it")
    func forgottenRoot() throws {
        let cleo = try anna.admit("cleo", 3, with: token)
        let before = try anna.database.snapshot()
        try anna.zone.roster.remove(cleo.member)
        try anna.post(4)
        try ben.meet(anna)
        try ben.post(2)
        #expect(ben.roots == 2)
        let again = try anna.reopened(before)
        for _ in 0..<4 { try again.meet(ben) }
        // It has the earlier root, and its own after it heard of the dismissal.
        #expect(again.zone.lane != anna.zone.lane && again.roots == 3)
        #expect(again.isEqual(to: ben) && again.points([ben.member]) == [5])
    }

    @Test("A root that the owner's device forgot comes back also while another has it that never comes again")
    func forgottenByOne() throws {
        let before = try anna.database.snapshot()
        _ = try anna.zone.membership.makeRoot()
        try anna.post(4)
        try anna.meet(ben)
        // The former run of this device continues in its own lane, and seals the root to the others.
        let lost = try anna.reopened()
        try lost.zone.store.startAfresh(.clone)
        try lost.turn()
        try lost.meet(ben)
        try ben.post(2)
        let again = try anna.reopened(before, random: 51)
        for _ in 0..<4 { try again.meet(ben) }
        #expect(Set([anna, lost, again].map(\.zone.lane)).count == 3)
        #expect(ben.state.standing(of: lost.key) == .active && again.roots == ben.roots)
        #expect(again.isEqual(to: ben) && again.points([ben.member]) == [5])
    }

    @Test("A root that only a removed device of the owner made comes back by a member who wrote under it")
    func rootOfARemovedDevice() throws {
        let phone = try anna.another(4)
        let cleo = try anna.admit("cleo", 3, with: token)
        try phone.meet(anna)
        try phone.zone.roster.remove(cleo.member)
        try phone.turn()
        try phone.meet(ben)
        try ben.post(2)
        try anna.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("anna"))
        try anna.turn()
        for _ in 0..<4 { try anna.meet(ben) }
        #expect(anna.isEqual(to: ben) && anna.points([ben.member]) == [5])
        #expect(anna.state.members[cleo.member] == .member, "the phone was stolen when it dismissed her")
        let late = try anna.zone.invitations.invite()
        #expect(try anna.admit("dee", 5, with: late).points([ben.member]) == [5])
    }

    @Test("Nobody removes a device with whose copy its own lane has the beginning in common")
    func removedCopy() throws {
        let copy = try ben.reopened()
        for _ in 0..<2 {
            try ben.post(3, day: 20_001)
            try copy.post(4, day: 20_002)
            try copy.meet(ben)
        }
        #expect(copy.zone.lane != ben.zone.lane)
        #expect(throws: GroupError.notAllowed) {
            try copy.zone.roster.remove(device: ben.zone.lane, by: GroupBench.key("ben"))
        }
    }

    @Test("A device that was removed before anybody heard of it is told so")
    func unheard() throws {
        let tablet = try GroupBench(ben.zone.keys, 4)
        try ben.endorse(tablet)
        try ben.zone.roster.remove(device: tablet.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        try ben.meet(anna)
        try tablet.meet(anna)
        #expect(tablet.zone.access == .removed)
    }

    @Test("Only the person's own signature removes a device")
    func forgedRemoval() throws {
        let phone = try ben.another(4)
        try phone.meet(anna)
        let before = anna.state.standingLanes
        try ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("mallory"))
        #expect(try anna.zone.membership.records.take(ben.ledger.map(\.encoded)).isForged)
        #expect(anna.state.standingLanes == before)
    }

    @Test("A stolen device of an admin: its person's removal ends the invitations, whose tokens it knows")
    func stolenInvitations() throws {
        try anna.zone.roster.set(.admin, of: ben.member)
        try anna.turn()
        try anna.meet(ben)
        let phone = try ben.another(4)
        let known = try phone.zone.invitations.invite()
        try phone.turn()
        try phone.meet(ben)
        try ben.zone.roster.remove(device: phone.zone.lane, by: GroupBench.key("ben"))
        try ben.turn()
        try ben.meet(anna)
        #expect(try anna.refusal(of: "dee", 5, with: known) == .revoked)
    }

    @Test("Of a member's lanes sixteen have a place, the first among them; the others write in vain")
    func places() throws {
        var phones: [GroupBench] = []
        for number in 10..<30 {
            let phone = try GroupBench(ben.zone.keys, UInt8(number))
            try ben.endorse(phone)
            _ = try anna.zone.membership.standing(of: phone.zone.lane, shown: phone.zone.vouchers)
            phones.append(phone)
        }
        #expect(anna.state.lanes(of: ben.member).count == 16)
        #expect(anna.state.standing(of: ben.key) == .active)
        let outside = phones.filter { anna.state.standing(of: $0.key) != .active }
        #expect(outside.count == 5)
    }
}
