import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A device is removed by the person's words (docs/PROTOCOL.md, §5).
@Suite struct DeviceRemovalTests {
    private let laptop, phone, tablet: TestZone

    init() throws {
        // These are not in the family that all test zones know.
        (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        for (zone, name) in [(laptop, "laptop"), (phone, "phone"), (tablet, "tablet")] {
            try zone.zone.devices.describe(name: name, appVersion: "1", wall: .day(1))
        }
        for _ in 0..<2 {
            try laptop.settle(with: phone)
            try laptop.settle(with: tablet)
        }
    }

    private func facts(_ zone: TestZone, of writer: TestZone) throws -> Int {
        try zone.store.records(of: writer.zone.lane).filter { $0.kind == .immutable && $0.blob == nil }.count
    }

    private func standing(_ lane: LaneID, in zone: TestZone) -> LedgerState.LaneStanding {
        zone.zone.membership.state.standing(of: zone.zone.membership.key(of: lane))
    }

    @Test func whatWasHereStaysAndWhatComesLaterDoesNotCount() throws {
        try phone.writeFact("mine")
        try laptop.settle(with: phone)
        try laptop.settle(with: tablet)
        try phone.writeFact("kept back")
        try phone.zone.commit()
        try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        try laptop.zone.commit()
        // The tablet meets the thief first, and only then hears of the removal.
        try tablet.settle(with: phone)
        #expect(try facts(tablet, of: phone) == 2)
        try laptop.settle(with: tablet)
        try tablet.settle(with: phone)
        for zone in [laptop, tablet] {
            #expect(try facts(zone, of: phone) == 1)
            #expect(standing(phone.zone.lane, in: zone) == .removed)
            #expect(zone.zone.membership.epoch == 1)
        }
        #expect(laptop.store.digest == tablet.store.digest)
        #expect(phone.zone.membership.isOver && phone.zone.zoneAccess.isClosed)
        #expect(phone.zone.membership.epoch == 0)
    }

    @Test func itIsShownWhoHasHeard() throws {
        let lost = phone.zone.lane
        try laptop.zone.removal.remove(lost, by: TestZone.signer)
        try laptop.zone.commit()
        #expect(try laptop.zone.removal.unheard().contains(tablet.zone.lane))
        #expect(try laptop.zone.removal.heard(by: tablet.zone.lane).isEmpty)
        #expect(try laptop.zone.removal.heard(by: laptop.zone.lane) == [lost])
        try laptop.settle(with: tablet)
        #expect(try !laptop.zone.removal.unheard().contains(tablet.zone.lane))
        #expect(try laptop.zone.removal.heard(by: tablet.zone.lane) == [lost])
    }

    /// Two devices that remove each other while apart are both out, and so are the lists that kept each other's rows. A
    /// device with the same rows makes them count again, by the person's words.
    @Test func whatWaitsForListsOfARemovedRemoverCountsByAnotherRemoval() throws {
        let lanes = [laptop.zone.lane, phone.zone.lane]
        for zone in [laptop, phone] { try zone.writeFact("mine") }
        for _ in 0..<2 {
            for (one, other) in [(laptop, phone), (laptop, tablet), (phone, tablet)] { try one.settle(with: other) }
        }
        try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        try phone.zone.removal.remove(laptop.zone.lane, by: TestZone.signer)
        for zone in [laptop, phone] { try zone.zone.commit() }
        for zone in [laptop, phone, laptop] { try tablet.settle(with: zone) }
        #expect(lanes.allSatisfy { standing($0, in: tablet) == .removed })
        #expect(try facts(tablet, of: laptop) == 0 && facts(tablet, of: phone) == 0)
        #expect(try tablet.zone.removal.waiting() == lanes.sorted())
        // The first one's rows are also the lists of the other's.
        try tablet.zone.removal.remove(lanes[0], by: TestZone.signer)
        try tablet.zone.commit()
        #expect(throws: AccountError.alreadyRemoved) {
            try tablet.zone.removal.remove(lanes[0], by: TestZone.signer)
        }
        #expect(try facts(tablet, of: laptop) == 1 && facts(tablet, of: phone) == 1)
        #expect(try tablet.zone.removal.waiting().isEmpty)
        let late = try TestZone(device: 24)
        for _ in 0..<2 { try tablet.settle(with: late) }
        #expect(try facts(late, of: laptop) == 1 && facts(late, of: phone) == 1)
    }

    /// The lanes before and after it by fresh starts are removed with it.
    @Test func aFreshStartDoesNotHelpIt() throws {
        let first = phone.zone.lane
        try phone.store.startAfresh(.clone)
        try phone.zone.commit()
        let second = phone.zone.lane
        try laptop.settle(with: phone)
        try laptop.zone.removal.remove(first, by: TestZone.signer)
        try laptop.zone.commit()
        for lane in [first, second] { #expect(standing(lane, in: laptop) == .removed) }
        // It starts afresh once more: the lane that lets it in is removed.
        try phone.store.startAfresh(.clone)
        try phone.zone.commit()
        try laptop.settle(with: phone)
        #expect(standing(phone.zone.lane, in: laptop) != .active)
        #expect(phone.zone.membership.epoch == 0)
    }

    /// A device that knew of its removal is over too: it says so, and does not wait for others.
    @Test func aFreshStartAfterItsRemovalIsOver() throws {
        try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        try laptop.zone.commit()
        try laptop.settle(with: phone)
        #expect(phone.zone.membership.isOver && !phone.zone.membership.hasLapsed)
        try phone.store.startAfresh(.guardMismatch)
        try phone.zone.commit()
        for zone in [phone, try phone.reopened()] {
            #expect(zone.zone.membership.isOver && zone.zone.membership.hasLapsed && zone.zone.zoneAccess.isClosed)
        }
    }

    /// Anyone with the words makes as many Removes as count, more than one message can carry.
    @Test func whoWasRemovedAHundredTimesIsToldAndStaysOut() throws {
        let removes = (1...100).map { number in
            TestZone.signer.remove([phone.zone.lane, LaneID(Bytes32(UInt64(number), 0, 0, 0))].sorted(), heads: [])
        }
        _ = try laptop.zone.membership.records.take(removes.map(\.encoded))
        try laptop.zone.commit()
        #expect(standing(phone.zone.lane, in: laptop) == .removed)
        guard case .dismissed(let why) = laptop.zone.membership.standing(of: phone.zone.lane) else {
            Issue.record("it is not told")
            return
        }
        try phone.zone.membership.take(dismissal: why)
        #expect(phone.zone.membership.isOver)
        // It also knows them all before it starts afresh.
        _ = try phone.zone.membership.records.take(removes.map(\.encoded))
        try phone.zone.commit()
        try phone.store.startAfresh(.guardMismatch)
        try phone.zone.commit()
        #expect(phone.zone.membership.isOver)
    }

    /// Beyond the bound, this removal would not count or would displace an earlier one.
    @Test func aRemovalBeyondTheBoundIsRefused() throws {
        let bound = LedgerBounds().removes
        let earlier = (0..<UInt64(bound)).map {
            TestZone.signer.remove([LaneID(Bytes32($0 + 1, 0, 0, 0))], heads: [])
        }
        let ledger = laptop.zone.membership.records
        _ = try ledger.take(earlier.map(\.encoded))
        try laptop.zone.commit()
        let (names, rows) = (ledger.names, try laptop.store.records(of: laptop.zone.lane).count)
        #expect(throws: AccountError.tooManyRemovals) {
            try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        }
        try laptop.zone.commit()
        #expect(ledger.names == names && standing(phone.zone.lane, in: laptop) == .active)
        #expect(try laptop.store.records(of: laptop.zone.lane).count == rows)
    }

    @Test func whatCannotBeRemovedIsSaid() throws {
        let stranger = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 9, count: 64)))
        #expect(throws: AccountError.otherAccount) { try laptop.zone.removal.remove(phone.zone.lane, by: stranger) }
        #expect(throws: DeviceError.thisDevice) {
            try laptop.zone.removal.remove(laptop.zone.lane, by: TestZone.signer)
        }
        #expect(throws: DeviceError.unknownDevice) {
            try laptop.zone.removal.remove(LaneID(Bytes32(1, 2, 3, 4)), by: TestZone.signer)
        }
        #expect(laptop.zone.membership.state.removals.isEmpty)
        try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        try laptop.zone.commit()
        #expect(throws: AccountError.alreadyRemoved) {
            try laptop.zone.removal.remove(phone.zone.lane, by: TestZone.signer)
        }
        try laptop.settle(with: phone)
        #expect(throws: AccountError.notAmongDevices) {
            try phone.zone.removal.remove(laptop.zone.lane, by: TestZone.signer)
        }
    }
}
