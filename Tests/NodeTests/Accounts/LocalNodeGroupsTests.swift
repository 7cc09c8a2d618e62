import Chat
import Ledger
import NodeCore
import ProcessHarness
import SyncState
import TestScale
import Testing

@testable import LeaderboardShare
@testable import Node

/// Groups of a home without its network: the memberships of the account's devices decide which ones are open.
@Suite struct LocalNodeGroupsTests {
    private static let wall = WallTime(milliseconds: 1_750_000_000_000)
    private static let founder = Ed25519.KeyPair(seed: Secret(bytes: [UInt8](repeating: 1, count: 32)))

    private let folder: TemporaryFolder
    private let clock = ManualClock(now: .zero, wall: Self.wall)
    private let node: LocalNode
    private let account: NodeAccount

    init() throws {
        folder = try TemporaryFolder()
        node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil, clock: clock, environment: Environment([:]))
        account = node.accounts[0]
    }

    private func founded() throws -> GroupZone {
        try GroupZone.found(
            title: "Family", person: PersonID(Self.founder.publicKey),
            database: { _ in try Database(path: ":memory:") },
            deviceSecret: Secret(bytes: [UInt8](repeating: 2, count: 32)), random: SystemRandom(), wall: Self.wall)
    }

    /// Joins a group of two, as another device of this account was let in, and let this one in.
    ///
    /// - Parameter hasRecords: whether the group's records are here.
    @discardableResult
    private func joined(_ founded: GroupZone? = nil, hasRecords: Bool = true) throws -> GroupMembership {
        let founder = try founded ?? self.founded()
        let phone = Secret(bytes: [UInt8](repeating: 3, count: 32))
        let person = try #require(try account.zone.inGroups.persons.unused())
        var random: any RandomSource = SystemRandom()
        let attempt = JoinAttempt(
            PendingJoin(token: try founder.invitations.invite(), person: person, tag: Bytes16(1, 1), since: Self.wall),
            deviceSecret: phone, random: &random)
        let keys = try #require(
            GroupKeys(
                genesis: founder.keys.genesis, root: founder.keys.firstRoot.secret, person: person,
                firstLane: attempt.lane))
        _ = try founder.invitations.admit([try #require(attempt.enters.first)], wall: Self.wall)
        try founder.commit()
        let other = try GroupZone(
            database: Database(path: ":memory:"), keys: keys, deviceSecret: phone, firstTag: Bytes16(1, 1),
            random: SystemRandom())
        try give(founder, to: other)
        let membership = GroupMembership(other, after: nil, joinedAt: Self.wall, title: "Family")
        try account.zone.groups.put(membership)
        try node.commit()
        let group = try #require(account.groups.first)
        let lacking = try #require(group.zone.lacking)
        let entrance = try #require(try other.endorse(lacking.lane, sealKey: lacking.sealKey))
        try group.zone.enter(by: entrance)
        if hasRecords { try give(founder, to: group.zone) }
        try node.commit()
        #expect(group.zone.access == (hasRecords ? .member : .joining))
        return membership
    }

    private func give(_ one: GroupZone, to other: GroupZone) throws {
        try other.store.begin()
        _ = try other.membership.records.take(one.state.set.records.map(\.encoded))
        try one.store.forEachRecord { try other.store.put($0) }
        try other.commit()
    }

    @Test func aGroupThatWasLeftComesBackAsItStands() throws {
        var membership = try joined()
        let group = try #require(account.groups.first)
        try node.groups.leave(group)
        try node.commit()
        // The others do not know yet, so the store stays to tell them.
        #expect(account.groups.isEmpty && account.departing.count == 1 && Files.exists(group.path))
        // Another device of the account was let in again, as the same member.
        membership.state = .joined
        try account.zone.groups.put(membership)
        try node.commit()
        #expect(account.departing.isEmpty)
        #expect(account.groups.count == 1 && account.groups.first === group)
        #expect(group.isIn)
    }

    /// The device that let this one in has told the others, so they must also hear that it left.
    @Test(arguments: [false, true]) func whoLeavesBeforeTheRecordsCameTellsItOnceTheyAreHere(_ restarts: Bool) throws {
        let founder = try founded()
        try joined(founder, hasRecords: false)
        var group = try #require(account.groups.first)
        let member = group.zone.member
        try node.groups.leave(group)
        try node.commit()
        node.groups.endDepartures(account)
        #expect(account.groups.isEmpty && account.departing.count == 1 && founder.state.members[member] != nil)
        if restarts {
            // Resting databases let others in.
            try group.database.rest()
            group = try NodeGroup(group.membership, of: account, in: node.groups.place)
            account.departing = [group]
        }
        try give(founder, to: group.zone)
        // The store accepts nothing, so the departure stays owed.
        try group.database.execute("PRAGMA query_only = ON")
        node.groups.endDepartures(account)
        #expect(group.zone.access == .member && group.hasToTell && account.departing.count == 1)
        try group.database.execute("PRAGMA query_only = OFF")
        node.groups.endDepartures(account)
        #expect(group.zone.access == .left && account.departing.count == 1)
        try give(group.zone, to: founder)
        #expect(founder.state.members[member] == nil)
    }

    /// A stolen device of the founder dismissed this member; then its person removed that device.
    @Test func whoIsInAgainTellsTheOtherDevices() throws {
        let founder = try founded()
        let group = try joined(founder).group
        let zone = try #require(account.groups.first).zone
        let thief = try GroupZone(
            database: Database(path: ":memory:"), keys: founder.keys,
            deviceSecret: Secret(bytes: [UInt8](repeating: 4, count: 32)), random: SystemRandom())
        let lacking = try #require(thief.lacking)
        try thief.enter(by: try #require(try founder.endorse(lacking.lane, sealKey: lacking.sealKey)))
        try give(founder, to: thief)
        try thief.roster.remove(zone.member)
        for (giver, state) in [(thief, GroupMembership.State.removed), (founder, .joined)] {
            if giver === founder { try founder.roster.remove(device: thief.lane, by: Self.founder) }
            try give(giver, to: zone)
            try zone.work(now: .zero)
            try node.commit()
            #expect(account.zone.groups.membership(of: group)?.state == state)
            #expect(account.groups.first?.isServed == true && zone.zoneAccess.isOver == (state == .removed))
        }
        #expect(!zone.membership.hasReturned)
    }

    /// The copy goes only when the user says so.
    @Test func aGroupThatAnotherDeviceLeftStaysAsACopy() throws {
        var membership = try joined()
        let group = try #require(account.groups.first)
        for state in [GroupMembership.State.left, .dropped] {
            membership.state = state
            try account.zone.groups.put(membership)
            try node.commit()
            #expect(account.groups.first === group && account.departing.isEmpty && Files.exists(group.path))
            #expect(!group.isIn)
        }
        // The account joins again, and leaves again.
        membership.state = .joined
        try account.zone.groups.put(membership)
        try node.commit()
        #expect(account.groups.first === group && group.isIn)
        membership.state = .left
        try account.zone.groups.put(membership)
        try node.commit()
        try node.groups.leave(group)
        try node.commit()
        #expect(account.groups.isEmpty && account.departing.isEmpty && !Files.exists(group.path))
        #expect(account.zone.groups.membership(of: membership.group)?.state == .left)
    }

    /// The founder of a successor hears of this member only after the offer: before the close, or after it.
    @Test(arguments: [false, true]) func whoWasMissedIsOfferedATicket(_ isClosed: Bool) throws {
        let founder = try founded()
        try joined(founder)
        let old = try #require(account.groups.first)
        let new = try node.groups.succeed(old, title: nil)
        try node.commit()
        let choice = try #require(old.zone.successor.offers.first)
        try give(old.zone, to: founder)
        var random: any RandomSource = SystemRandom()
        let late = JoinAttempt(
            PendingJoin(
                token: try founder.invitations.invite(), person: PersonID(Bytes32(9, 9, 9, 9)), tag: Bytes16(1, 9),
                since: Self.wall), deviceSecret: Secret(bytes: [UInt8](repeating: 9, count: 32)), random: &random)
        _ = try founder.invitations.admit([try #require(late.enters.first)], wall: Self.wall)
        if isClosed { try founder.roster.close(with: choice) }
        try founder.commit()
        try give(founder, to: old.zone)
        #expect(old.zone.successor.missed(by: new.zone.zone).count == 1)
        // The phone may be the one to do it first.
        try node.commit()
        #expect(old.zone.successor.rank == 0 || old.zone.successor.missed(by: new.zone.zone).count == 1)
        clock.advance(by: Limits.followRank)
        try node.commit()
        #expect(old.zone.successor.missed(by: new.zone.zone).isEmpty)
        #expect(old.zone.successor.chosen == (isClosed ? choice : nil))
        // It happens once, however often it is checked.
        let invitations = new.zone.state.invitations.count
        try node.commit()
        #expect(new.zone.state.invitations.count == invitations)
    }

    /// Membership, permissions and admission change without any row changing.
    @Test func theFeedTellsOfRolesInvitationsMembersAndPauses() throws {
        let founder = try founded()
        try joined(founder)
        let group = try #require(account.groups.first)
        func told() throws -> Int {
            clock.advance(by: .seconds(1))
            try node.commit()
            clock.advance(by: .seconds(1))
            try node.commit()
            let entries = try account.zone.changes.read(after: 0, limit: 1_000)
            return entries.count { $0.group.kind == .group && $0.group.group == group.zone.zone }
        }
        var known = try told()
        let rows = group.zone.store.digest
        let member = group.zone.member
        let acts: [(what: String, act: () throws -> Void)] = [
            ("a role", { try founder.roster.set(.admin, of: member) }),
            ("an invitation", { _ = try founder.invitations.invite() }),
            ("its end", { try founder.invitations.revoke(try #require(founder.invitations.open.first?.record)) }),
            ("a pause", { try group.zone.pause(by: "you", wall: Self.wall) }),
            ("its end", { try group.zone.resume() }),
            ("a suspension", { try founder.roster.suspend(member) }),
        ]
        for (what, act) in acts {
            try act()
            try founder.commit()
            try give(founder, to: group.zone)
            let now = try told()
            #expect(now == known + 1, "\(what)")
            known = now
        }
        #expect(group.zone.store.digest == rows)
        #expect(try told() == known, "nothing changed")
    }

    @Test func theFeedTellsOfAJoinThatWaits() throws {
        let token = try founded().invitations.invite()
        func told() throws -> Int {
            clock.advance(by: .seconds(1))
            try node.commit()
            return try account.zone.changes.read(after: 0, limit: 1_000).count { $0.group.group == token.group }
        }
        _ = try node.groups.join(token, name: "Ben", account: account)
        #expect(try told() == 1)
        #expect(try node.groups.forgetJoin(of: token.group, account))
        #expect(try told() == 2)
    }

    @Test func aRefusalIsNoNewsOnceTheAccountIsIn() throws {
        let founder = try founded()
        let join = try node.groups.join(try founder.invitations.invite(), name: nil, account: account)
        join.isOver = true
        try node.commit()
        #expect(account.joins.count == 1)
        try joined(founder)
        #expect(account.joins.isEmpty)
        node.groups.loadJoins(account)
        #expect(account.joins.isEmpty)
    }

    /// The members may have let in the joiner before its node was killed.
    @Test func whoJoinsAgainIsTheSameAlsoAfterARestart() throws {
        let founder = try founded()
        let first = try node.groups.join(try founder.invitations.invite(), name: "Ben", account: account).attempt
        try node.commit()
        node.groups.loadJoins(account)
        let again = try node.groups.join(try founder.invitations.invite(), name: "Ben", account: account).attempt
        #expect(again.member == first.member && again.lane == first.lane)
        #expect(account.joins.count == 1)
    }

    @Test func whatIsSaidAgainOfALeftGroupOpensNothing() throws {
        var membership = try joined()
        let group = try #require(account.groups.first)
        try node.groups.leave(group)
        try node.commit()
        membership.state = .left
        try account.zone.groups.put(membership)
        try node.commit()
        #expect(account.groups.isEmpty && account.departing.count == 1 && account.departing.first === group)
    }

    /// A removed member gives nothing to the others, so the verdict does not count on it.
    @Test func whoIsNoMemberAnyMoreHoldsNothingForTheGroup() throws {
        let founder = try founded()
        try founder.enter(GameID(.zero), name: "Wordle", model: .lowerAttempts, maxAttempts: 6)
        try joined(founder)
        let zone = try #require(account.groups.first).zone
        var random: any RandomSource = SystemRandom()
        let mallory = JoinAttempt(
            PendingJoin(
                token: try founder.invitations.invite(), person: PersonID(Blake2b.hash32([7])), tag: Bytes16(1, 2),
                since: Self.wall), deviceSecret: Secret(bytes: [UInt8](repeating: 4, count: 32)), random: &random)
        _ = try founder.invitations.admit([try #require(mallory.enters.first)], wall: Self.wall)
        try founder.commit()
        try give(founder, to: zone)
        try zone.post(game: GameID(.zero), day: Day(Self.wall), score: 3, wall: Self.wall)
        try zone.commit()
        var holders = GroupHolders(zone)
        #expect(!holders.haveAll(of: zone))
        #expect(holders.note(level: mallory.lane, zone) && holders.haveAll(of: zone))
        try founder.roster.remove(mallory.member)
        try founder.commit()
        try give(founder, to: zone)
        #expect(zone.state.isDismissed(mallory.member) && !holders.haveAll(of: zone))
    }

    /// A founder of several groups in place of one offers tickets of each: the owner's Close says which is meant.
    @Test func theGroupThatTheOwnerNamedIsFollowed() throws {
        let founder = try founded()
        try joined(founder)
        let old = try #require(account.groups.first)
        try give(old.zone, to: founder)
        let others = try (0..<2).map { _ in try founded() }.sorted { $0.zone < $1.zone }
        for other in others {
            try founder.successor.offer([try other.invitations.invite()], to: [old.zone.member])
        }
        let named = try #require(others.last).zone
        try founder.roster.close(with: Close.Successor(group: named, founder: founder.member))
        try founder.commit()
        try give(founder, to: old.zone)
        #expect(old.zone.successor.offers.count == 2 && old.zone.successor.chosen?.group == named)
        try node.commit()
        let closed = try #require(account.groups.first { $0.zone.zone == old.zone.zone })
        #expect(try node.groups.follow(closed, to: closed.zone.successor.offers).group == named)
    }

    /// The owner agrees to one of them, or the user follows one, and no other takes its place.
    @Test func ofSeveralGroupsTheOneMeantMustBeNamed() throws {
        let founder = try founded()
        try joined(founder)
        let old = try #require(account.groups.first)
        try give(old.zone, to: founder)
        for _ in 0..<2 {
            try founder.successor.offer([try founded().invitations.invite()], to: [old.zone.member])
        }
        try founder.commit()
        try give(founder, to: old.zone)
        let offers = old.zone.successor.offers
        #expect(offers.count == 2)
        #expect(throws: NodeError.self) { try node.groups.follow(old, to: offers) }
        #expect(throws: NodeError.self) { try node.groups.close(old, with: offers) }
        #expect(try node.groups.follow(old, to: [offers[1]]).group == offers[1].group)
    }
}
