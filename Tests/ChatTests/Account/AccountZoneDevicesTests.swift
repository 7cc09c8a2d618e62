import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct AccountZoneDevicesTests {
    private func device(_ number: UInt8, _ name: String, wall: WallTime = .day(0)) throws -> TestZone {
        let zone = try TestZone(device: number)
        zone.store.setTime(now: .zero, wall: wall)
        try zone.zone.devices.describe(name: name, appVersion: "1.0", wall: wall)
        try zone.zone.commit()
        return zone
    }

    @Test func theListNamesEachDeviceOnce() throws {
        let (phone, laptop) = (try device(1, "phone"), try device(2, "laptop"))
        let left = phone.zone.lane
        try phone.meet(laptop)
        try phone.store.startAfresh(.guardMismatch)
        try phone.zone.commit()
        try phone.meet(laptop)
        let seen = try laptop.zone.devices.all(wall: .day(1))
        #expect(seen.map(\.description?.name) == ["laptop", "phone"])
        #expect(seen.map(\.lanes) == [[laptop.zone.lane], [phone.zone.lane, left]])
        #expect(seen.map(\.isThisDevice) == [true, false])
        #expect(seen[0].lastSeenAt == .day(1) && seen[1].lastSeenAt == .day(0))
        // The chain survives a new version of the app.
        try phone.zone.devices.describe(name: "phone", appVersion: "2.0", wall: .day(2))
        try phone.meet(laptop)
        #expect(try laptop.zone.devices.device(of: left, wall: .day(2))?.lanes == [phone.zone.lane, left])
        #expect(try laptop.zone.devices.name(of: left) == "phone")
    }

    @Test func aDeviceThatIsForgottenIsGoneUntilItComesBack() throws {
        let (phone, laptop) = (try device(1, "phone"), try device(2, "laptop"))
        try phone.archive(.sample(1, score: 1))
        _ = try phone.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(0))
        try phone.zone.reads.publishReads()
        try phone.meet(laptop)
        let old = phone.zone.lane
        #expect(throws: DeviceError.thisDevice) { try laptop.zone.devices.forget(laptop.zone.lane, wall: .day(1)) }
        let stranger = LaneID(Bytes32(9, 9, 9, 9))
        #expect(throws: DeviceError.unknownDevice) { try laptop.zone.devices.forget(stranger, wall: .day(1)) }
        #expect(try laptop.zone.devices.forget(old, wall: .day(1)).description?.name == "phone")
        try laptop.zone.commit()
        #expect(try laptop.zone.devices.all(wall: .day(1)).count == 1)
        #expect(try laptop.zone.chat.message(ChatMessage.sample(1).txid)?.isRead == true)
        #expect(laptop.zone.devices.forgotten.contains(old))
        let again = try laptop.reopened()
        #expect(again.zone.devices.forgotten.contains(old))
        // Nobody is shut out: the device is back when it writes again.
        try phone.meet(laptop)
        #expect(try laptop.zone.devices.all(wall: .day(1)).count == 1)
        try phone.zone.devices.describe(name: "phone", appVersion: "2.0", wall: .day(2))
        try phone.meet(laptop)
        #expect(phone.zone.lane == old && !laptop.zone.devices.forgotten.contains(old))
        for zone in [laptop, phone] { #expect(try zone.zone.devices.all(wall: .day(1)).count == 2) }
    }

    /// Until then an account waits for it.
    @Test func aDeviceThatNeverCameCanBeForgotten() throws {
        let zone = try device(2, "laptop").zone
        let unmet = try #require(
            zone.membership.state.standingLanes.map(\.lane).first { $0 != zone.lane && zone.devices.isPresent($0) })
        #expect(try zone.devices.all(wall: .day(1)).count == 1)
        #expect(try zone.devices.forget(unmet, wall: .day(1)).description == nil)
        try zone.commit()
        #expect(!zone.devices.isPresent(unmet))
        // Forgetting it again is allowed.
        #expect(try zone.devices.forget(unmet, wall: .day(1)).lanes == [unmet])
    }

    /// This happens when a backup is restored while the device keeps running.
    @Test func whoIsAliveAndForgottenSaysSo() throws {
        let (phone, laptop) = (try device(1, "phone"), try device(2, "laptop"))
        try phone.meet(laptop)
        try phone.zone.devices.showSignOfLife(now: .zero)
        try laptop.zone.devices.forget(phone.zone.lane, wall: .day(1))
        try laptop.zone.commit()
        try phone.meet(laptop)
        #expect(!phone.zone.devices.isPresent(phone.zone.lane))
        for second in [1, 59, 61, 62, 120] {
            try phone.zone.devices.showSignOfLife(now: .zero + .seconds(second))
            try phone.zone.commit()
            #expect(phone.zone.devices.isPresent(phone.zone.lane) == (second > 60))
        }
        try phone.meet(laptop)
        #expect(laptop.zone.devices.isPresent(phone.zone.lane))
    }

    @Test func aSignOfLifeIsWrittenOnceAnHour() throws {
        let phone = try device(1, "phone", wall: .day(0, 0))
        _ = phone.store.takeWritten()
        var written = 0
        for minute in 0..<(3 * 60 + 30) {
            phone.store.setTime(now: .zero, wall: .day(0, Int64(minute) * 60_000))
            try phone.zone.devices.showSignOfLife(now: .zero + .seconds(minute * 60))
            if minute % 17 == 0 {
                try phone.zone.devices.describe(name: "phone", appVersion: "1.0", wall: phone.store.wall)
            }
            try phone.zone.commit()
            written += phone.store.takeWritten().count
        }
        #expect(written == 3)
        #expect(phone.zone.devices.description?.lastSeenAt == .day(0, 3 * 3_600_000))
        // After a start it waits for the rest of the hour, whatever the new clock shows.
        let again = try phone.reopened()
        again.store.setTime(now: .zero, wall: .day(0, 3 * 3_600_000 + 1_800_000))
        try again.zone.devices.showSignOfLife(now: .zero)
        #expect(again.zone.devices.signOfLifeDeadline == .zero + .seconds(1_800))
        // A time from a clock that was ahead is corrected.
        again.store.setTime(now: .zero, wall: .day(-400))
        try again.zone.devices.rename("pocket", wall: .day(5))
        let last = try again.reopened()
        last.store.setTime(now: .zero, wall: .day(1))
        try last.zone.devices.showSignOfLife(now: .zero)
        #expect(last.zone.devices.signOfLifeDeadline == .zero)
    }
}
