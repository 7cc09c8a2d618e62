import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite("Memberships of groups") struct GroupMembershipTests {
    private static func id(_ byte: UInt8) -> ZoneID { ZoneID(Bytes32(UInt64(byte), 0, 0, 0)) }

    private static func membership(
        _ group: ZoneID, _ state: GroupMembership.State = .joined, removals: UInt32 = 0, revision: UInt64 = 1,
        title: String = "Family"
    ) -> GroupMembership {
        GroupMembership(
            group: group, context: group.storage, removals: removals, revision: revision, state: state,
            joinedAt: WallTime(milliseconds: 1_750_000_000_000), title: title,
            roots: [.init(record: RecordHash(.zero), root: Secret(bytes: [UInt8](repeating: 9, count: 32)))])
    }

    @Test func encodingIsReadBack() throws {
        let one = Self.membership(Self.id(1), .removed, revision: 7)
        let read = try GroupMembership(encoded: one.encoded)
        #expect(read.encoded == one.encoded)
        #expect(read.state == .removed)
        #expect(read.roots.count == 1)
        for length in 0..<one.encoded.count {
            #expect(throws: (any Error).self) { try GroupMembership(encoded: Array(one.encoded.prefix(length))) }
        }
    }

    @Test("Of two of one key the higher revision counts, then the later state, on both sides alike")
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

    @Test("Whatever a device says of a removed key, late or again and again, the next key's membership counts")
    func theNextKeyCounts() throws {
        let laptop = try TestZone(device: 1)
        let phone = try TestZone(device: 2)
        try laptop.zone.groups.put(Self.membership(Self.id(1)))
        try give(laptop, to: phone)
        try laptop.zone.groups.put(Self.membership(Self.id(1), .removed))
        try laptop.zone.groups.put(Self.membership(Self.id(1), removals: 1))
        // The phone was away, and has more to say of the key that it knows than the laptop had.
        try phone.zone.groups.put(Self.membership(Self.id(1), title: "Renamed"))
        try phone.zone.groups.put(Self.membership(Self.id(1), .removed))
        try phone.zone.groups.put(Self.membership(Self.id(1), .left))
        try give(phone, to: laptop)
        try give(laptop, to: phone)
        for device in [laptop, phone] {
            let known = try #require(device.zone.groups.membership(of: Self.id(1)))
            #expect(known.state == .joined)
            #expect(known.removals == 1)
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
