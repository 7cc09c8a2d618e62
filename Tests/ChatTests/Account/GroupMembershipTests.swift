import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite("Memberships of groups") struct GroupMembershipTests {
    private static func genesis(_ byte: UInt8) -> LedgerRecord {
        let founder = Ed25519.KeyPair(seed: Secret(bytes: [UInt8](repeating: byte, count: 32)))
        let group = GroupGenesis(
            person: PersonID(Bytes32(UInt64(byte), 0, 0, 1)), firstLane: LaneID(founder.publicKey), memberLimit: 500,
            root: ZoneRoot.commitment(to: Secret(bytes: [UInt8](repeating: 9, count: 32))))
        return LedgerRecord(
            zone: .zero, signer: founder.publicKey, prev: .zero, act: .genesis(.group(group)), sign: founder.sign)
    }

    /// The groups, in order of their bytes.
    private static let groups: [LedgerRecord] = [genesis(1), genesis(2)].sorted { $0.hash < $1.hash }

    static func id(_ number: Int) -> ZoneID { groups[number - 1].home }

    static func membership(
        _ group: ZoneID, _ state: GroupMembership.State = .joined, after earlier: GroupMembership? = nil,
        person: UInt64 = 1, revision: UInt64 = 1, title: String = "Family"
    ) -> GroupMembership {
        GroupMembership(
            genesis: groups.first { $0.home == group } ?? groups[0],
            root: Secret(bytes: [UInt8](repeating: 9, count: 32)),
            member: GroupMembership.Member(
                person: PersonID(Bytes32(7, person, 0, 0)), firstLane: LaneID(Bytes32(8, person, 0, 0))),
            after: earlier, revision: revision, state: state, joinedAt: WallTime(milliseconds: 1_750_000_000_000),
            title: title)
    }

    @Test func encodingIsReadBack() throws {
        let one = Self.membership(Self.id(1), .removed, revision: 7)
        let read = try GroupMembership(encoded: one.encoded)
        #expect(read.encoded == one.encoded)
        #expect(read.state == .removed)
        #expect(read.member == one.member && read.group == Self.id(1))
        for length in 0..<one.encoded.count {
            #expect(throws: (any Error).self) { try GroupMembership(encoded: Array(one.encoded.prefix(length))) }
        }
    }

    @Test("Of two of one member the higher revision counts, then the later state, on both sides alike")
    func order() {
        let joined = Self.membership(Self.id(1))
        let left = Self.membership(Self.id(1), .left)
        let again = Self.membership(Self.id(1), .joined, revision: 2)
        #expect(left.supersedes(joined))
        #expect(!joined.supersedes(left))
        #expect(again.supersedes(left))
        let renamed = Self.membership(Self.id(1), title: "Other")
        #expect(renamed.supersedes(joined) != joined.supersedes(renamed))
    }

    @Test("An account's new member counts, whatever a device says of the former one, late or again and again")
    func theNextMemberCounts() throws {
        let laptop = try TestZone(device: 1)
        let phone = try TestZone(device: 2)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try give(laptop, to: phone)
        try laptop.zone.groups.put(Self.membership(Self.id(1), .removed))
        let removed = try #require(laptop.zone.groups.membership(of: Self.id(1)))
        try laptop.zone.groups.put(Self.membership(Self.id(1), after: removed, person: 2))
        // The phone was away, and says more about the member it knows than the laptop did.
        try phone.zone.groups.put(Self.membership(Self.id(1), title: "Renamed"))
        try phone.zone.groups.put(Self.membership(Self.id(1), .removed))
        try phone.zone.groups.put(Self.membership(Self.id(1), .left))
        try give(phone, to: laptop)
        try give(laptop, to: phone)
        for device in [laptop, phone] {
            let known = try #require(device.zone.groups.membership(of: Self.id(1)))
            #expect(known.state == .joined)
            #expect(known.returns == 1 && known.former == [removed.member])
        }
    }

    private func give(_ one: TestZone, to other: TestZone) throws {
        try one.zone.commit()
        try other.learnLedger(of: one)
        try one.store.forEachRecord { try other.store.put($0) }
        try other.zone.commit()
    }

    @Test("One device joins, the other is in; one leaves, the other is out; a forgotten device's word stays")
    func twoDevices() throws {
        let laptop = try TestZone(device: 1)
        let phone = try TestZone(device: 2)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try laptop.zone.groups.put(Self.membership(Self.id(2)))
        try give(laptop, to: phone)
        #expect(phone.zone.groups.all.map(\.group) == [Self.id(1), Self.id(2)])
        #expect(phone.zone.groups.membership(of: Self.id(1))?.state == .joined)
        #expect(phone.zone.groups.takeChanged().map(\.group) == [Self.id(1), Self.id(2)])
        try phone.zone.groups.put(Self.membership(Self.id(1), .left))
        #expect(phone.zone.groups.takeChanged().map(\.state) == [.left])
        #expect(phone.zone.groups.takeChanged().isEmpty)
        try give(phone, to: laptop)
        #expect(laptop.zone.groups.membership(of: Self.id(1))?.state == .left)
        #expect(laptop.zone.groups.membership(of: Self.id(1))?.revision == 2)
        try laptop.zone.devices.forget(phone.zone.lane, wall: .day(1))
        try laptop.zone.commit()
        let again = try laptop.reopened()
        #expect(again.zone.groups.membership(of: Self.id(1))?.state == .left)
        let tablet = try TestZone(device: 3)
        try give(again, to: tablet)
        #expect(tablet.zone.groups.membership(of: Self.id(1))?.state == .left)
        #expect(tablet.zone.groups.membership(of: Self.id(2))?.state == .joined)
    }

    @Test func aRollBackForgets() throws {
        let laptop = try TestZone(device: 1)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try laptop.zone.rollback()
        #expect(laptop.zone.groups.all.isEmpty)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try laptop.zone.commit()
        try laptop.zone.rollback()
        #expect(laptop.zone.groups.all.map(\.group) == [Self.id(1)])
    }

    @Test func aFreshStartCarriesItOver() throws {
        let laptop = try TestZone(device: 1)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try laptop.zone.commit()
        try laptop.store.startAfresh(.clone)
        try laptop.zone.commit()
        let phone = try TestZone(device: 2)
        try give(laptop, to: phone)
        #expect(phone.zone.groups.all.map(\.group) == [Self.id(1)])
    }
}
