import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct GivenNamesTests {
    private let phone, laptop, tablet: TestZone

    init() throws {
        func device(_ number: UInt8, _ name: String) throws -> TestZone {
            let zone = try TestZone(device: number)
            zone.store.setTime(now: .zero, wall: .day(0))
            try zone.zone.devices.describe(name: name, appVersion: "1.0", wall: .day(0))
            try zone.zone.commit()
            return zone
        }
        (phone, laptop, tablet) = (try device(1, "phone"), try device(2, "laptop"), try device(3, "tablet"))
        try phone.meet(laptop)
        try laptop.meet(tablet)
    }

    private func names(_ zone: TestZone) throws -> [String] {
        try zone.zone.devices.all(wall: .day(1)).compactMap(\.description?.name).sorted()
    }

    @Test func aDeviceThatIsAwayIsCalledSoByAll() throws {
        let id = phone.zone.lane
        try laptop.zone.devices.rename(id, to: "pocket", wall: .day(1))
        try laptop.meet(tablet)
        for zone in [laptop, tablet] { #expect(try names(zone) == ["laptop", "pocket", "tablet"]) }
        #expect(try tablet.zone.devices.name(of: id) == "pocket")
        #expect(try tablet.zone.devices.description(of: id)?.name == "pocket")
        #expect(try names(phone) == ["laptop", "phone"])
        // The name stays when the device that gave it is gone.
        try phone.meet(tablet)
        try tablet.zone.devices.forget(laptop.zone.lane, wall: .day(1))
        try tablet.meet(phone)
        let newcomer = try TestZone(device: 4)
        try newcomer.meet(tablet)
        for zone in [phone, tablet, newcomer] { #expect(try names(zone) == ["pocket", "tablet"]) }
        #expect(try names(try tablet.reopened()) == ["pocket", "tablet"])
        // After a fresh start it is the same device.
        try phone.store.startAfresh(.guardMismatch)
        try phone.zone.commit()
        try phone.meet(tablet)
        for zone in [phone, tablet] { #expect(try names(zone) == ["pocket", "tablet"]) }
    }

    @Test func itsOwnNewNameComesAfterwards() throws {
        try laptop.zone.devices.rename(phone.zone.lane, to: "pocket", wall: .day(1))
        try laptop.meet(phone)
        try phone.zone.devices.rename("mine", wall: .day(1))
        try phone.meet(laptop)
        try laptop.meet(tablet)
        for zone in [phone, laptop, tablet] { #expect(try names(zone) == ["laptop", "mine", "tablet"]) }
    }

    @Test func ofTwoAtOnceAllTakeTheSame() throws {
        try laptop.zone.devices.rename(phone.zone.lane, to: "a", wall: .day(1))
        try tablet.zone.devices.rename(phone.zone.lane, to: "b", wall: .day(9))
        try laptop.meet(phone)
        try phone.meet(tablet)
        try tablet.meet(laptop)
        try laptop.meet(phone)
        for zone in [phone, laptop, tablet] { #expect(try names(zone) == ["b", "laptop", "tablet"]) }
        #expect(phone.store.digest == laptop.store.digest && phone.store.digest == tablet.store.digest)
    }

    @Test func whatIsNoNameIsRefused() throws {
        let id = phone.zone.lane
        let given = GivenName(device: id, name: "pocket", revision: 3)
        #expect(try GivenName(encoded: given.encoded) == given)
        for bad in [
            GivenName(device: id, name: "", revision: 1), GivenName(device: id, name: "x", revision: 0),
            GivenName(device: id, name: "x", revision: .max),
            GivenName(device: id, name: String(repeating: "x", count: 129), revision: 1),
        ] {
            #expect(throws: CBORError.self) { try GivenName(encoded: bad.encoded) }
        }
        #expect(throws: DeviceError.unknownDevice) {
            try laptop.zone.devices.rename(LaneID(Bytes32(9, 9, 9, 9)), to: "x", wall: .day(1))
        }
        #expect(throws: DeviceError.nameTooLong) { try laptop.zone.devices.rename(id, to: "", wall: .day(1)) }
    }
}
