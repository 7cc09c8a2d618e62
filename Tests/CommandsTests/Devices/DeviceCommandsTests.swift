import Chat
import ChatTestKit
import Node
import NodeCore
import SyncState
import Testing

@testable import Commands

/// How a command finds the device that its user names.
@Suite struct DeviceCommandsTests {
    private let laptop: TestZone
    private let old: TestZone
    private let new: TestZone

    init() throws {
        (laptop, old, new) = (try TestZone(device: 1), try TestZone(device: 2), try TestZone(device: 3))
        for (zone, name) in [(laptop, "laptop"), (old, "phone"), (new, "phone")] {
            try zone.zone.devices.describe(name: name, appVersion: "1", wall: .day(1))
        }
        try laptop.meet(old)
        try laptop.meet(new)
    }

    private func found(_ text: String) throws -> LaneID? {
        try AccountDevice.found(text, in: laptop.zone, wall: .day(1)).id
    }

    @Test func aNameOrTheBeginningOfAnIDNamesADevice() throws {
        let id = new.zone.lane
        #expect(try found("laptop") == laptop.zone.lane)
        #expect(try found(id.hex) == id && found(String(id.hex.prefix(4)).uppercased()) == id)
        for unknown in ["tablet", String(id.hex.prefix(3)), "00000000"] {
            let error = #expect(throws: NodeError.self) { try found(unknown) }
            #expect(error?.code == .notFound)
        }
        // It is ambiguous which phone is meant.
        let error = #expect(throws: NodeError.self) { try found("phone") }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("phone (\(id.hex.prefix(8)))") == true)
    }

    /// A new phone may have the name of a removed one.
    @Test func aPresentDeviceComesBeforeARemovedOneOfItsName() throws {
        try laptop.zone.removal.remove(old.zone.lane, by: TestZone.signer)
        try laptop.zone.commit()
        #expect(try found("phone") == new.zone.lane)
        #expect(try found(old.zone.lane.hex) == old.zone.lane)
        try laptop.zone.removal.remove(new.zone.lane, by: TestZone.signer)
        try laptop.zone.commit()
        let error = #expect(throws: NodeError.self) { try found("phone") }
        #expect(error?.code == .usage)
    }
}
