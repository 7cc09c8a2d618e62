package import NodeCore

/// A device of the account, as this one sees it.
package struct AccountDevice: Hashable, Sendable {
    /// The lane that it writes, then those it wrote before it started afresh, as far as they were seen.
    package let lanes: [LaneID]
    /// What it says of itself, under the name that it was given; nil where that was not seen yet.
    package let description: DeviceDescription?
    package let isThisDevice: Bool
    package let isConnected: Bool
    /// When it gave the last sign of life: by its own clock, or by this one's while it is there.
    package let lastSeenAt: WallTime?
    /// The time of the newest message up to which it holds all that is known here, as far as it told. Nil where nothing
    /// is known.
    package let holdsUpTo: WallTime?

    package var id: LaneID? { lanes.first }
}

/// Why a device cannot be forgotten.
package enum DeviceError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownDevice
    case thisDevice
    case nameTooLong

    package var description: String {
        switch self {
        case .unknownDevice: "there is no such device in this account"
        case .thisDevice: "this device cannot forget itself"
        case .nameTooLong: "a device's name has 1 to \(Limits.deviceNameBytes) bytes"
        }
    }
}
