import Chat
import LeaderboardShare
import NodeCore
import ProcessHarness
import SyncState
import Testing

@testable import Node

/// Groups of a home without its network: what the account's devices say of their memberships decides what is open.
@Suite struct LocalNodeGroupsTests {
    private static let wall = WallTime(milliseconds: 1_750_000_000_000)

    private let folder: TemporaryFolder
    private let node: LocalNode
    private let account: NodeAccount

    init() throws {
        folder = try TemporaryFolder()
        node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil,
            clock: ManualClock(now: .zero, wall: Self.wall), environment: Environment([:]))
        account = node.accounts[0]
    }

    /// A group of two that this account is let into, with all its records.
    private func joined() throws -> GroupMembership {
        let founder = try GroupZone.found(
            title: "Family", database: { _ in try Database(path: ":memory:") },
            memberSeed: Secret(bytes: [UInt8](repeating: 1, count: 32)),
            deviceSecret: Secret(bytes: [UInt8](repeating: 2, count: 32)), random: SystemRandom(), wall: Self.wall)
        let token = try founder.invite()
        let seed = account.zone.keys.memberSeed(context: founder.zone.storage, removals: 0)
        let member = MemberID(Ed25519.KeyPair(seed: seed).publicKey)
        _ = try founder.admit(token.admission(of: member), issuer: token.issuer, wall: Self.wall)
        try founder.commit()
        let membership = GroupMembership(
            group: founder.zone, context: founder.zone.storage, state: .joined, joinedAt: Self.wall, title: "Family",
            roots: founder.membershipRoots)
        try account.zone.groups.put(membership)
        try node.commit()
        let group = try #require(account.groups.first)
        try founder.store.forEachRecord { try group.zone.store.put($0) }
        try node.commit()
        #expect(group.zone.access == .member)
        return membership
    }

    @Test func aGroupThatWasLeftComesBackAsItStands() throws {
        var membership = try joined()
        let group = try #require(account.groups.first)
        try node.groups.leave(group)
        try node.commit()
        // The others do not know yet: the store stays, to tell them.
        #expect(account.groups.isEmpty && account.departing.count == 1 && Files.exists(group.path))
        // Another device of the account was let in again, with the same key.
        membership.state = .joined
        try account.zone.groups.put(membership)
        try node.commit()
        #expect(account.departing.isEmpty)
        #expect(account.groups.count == 1 && account.groups.first === group)
        #expect(group.isIn)
    }

    /// Only where the user says so goes the copy.
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
        // In again, and left again.
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
}
