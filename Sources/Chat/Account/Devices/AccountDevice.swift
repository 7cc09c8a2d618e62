package import NodeCore
import SyncState

/// A device of the account, as seen from this one.
package struct AccountDevice: Hashable, Sendable {
    /// Its current lane, then those it wrote before it started afresh, as far as they were seen.
    package let lanes: [LaneID]
    /// Its own description, with a given name if it has one; nil if none was seen yet.
    package let description: DeviceDescription?
    package let isThisDevice: Bool
    package let isConnected: Bool
    /// Its last sign of life: by its own clock, or by this one's while it is connected.
    package let lastSeenAt: WallTime?

    package var id: LaneID? { lanes.first }
}

extension AccountDevice {
    /// A device that does not belong to the account any more.
    package init(gone lane: LaneID, description: DeviceDescription?) {
        self.init(
            lanes: [lane], description: description, isThisDevice: false, isConnected: false, lastSeenAt: nil)
    }
}

/// Why a device cannot be forgotten.
package enum DeviceError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownDevice
    case thisDevice
    case nameTooLong
    /// A time of removal that has not come.
    case inTheFuture
    /// It came into the account only then, as this device learned.
    case enteredAt(WallTime)
    /// This device came into the account only then, and cannot tell what had come before.
    case onlyHereSince(WallTime)

    package var description: String {
        switch self {
        case .unknownDevice: "there is no such device in this account"
        case .thisDevice: "that is this device, and only another one of the account can do that to it"
        case .nameTooLong: "a device's name has 1 to \(Limits.deviceNameBytes) bytes"
        case .inTheFuture: "that time has not come yet"
        case .enteredAt: "that device entered the account after that time"
        case .onlyHereSince: "this device entered the account after that time: ask an older one"
        }
    }
}

/// The fields of a `Device` record: `[name, app version, last seen, predecessor]`.
package struct DeviceDescription: Hashable, Sendable {
    package var name: String
    package var appVersion: String
    package var lastSeenAt: WallTime
    /// The lane that this device wrote before it started afresh.
    package var predecessor: LaneID?

    package static func slotName(of lane: LaneID) -> String { "device.\(lane.hex)" }
}

extension DeviceDescription: AccountRecord {
    package static var metaType: MetaType { .device }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: lane).utf8) }

    package var encoded: [UInt8] {
        CBORWriter.array(name, appVersion, lastSeenAt, predecessor)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 4)
        name = try reader.readText(max: Limits.deviceNameBytes)
        appVersion = try reader.readText(max: Limits.deviceNameBytes)
        lastSeenAt = try reader.readTime()
        predecessor = try reader.readNullIfPresent() ? nil : try reader.read(LaneID.self)
        try reader.finish()
    }
}
