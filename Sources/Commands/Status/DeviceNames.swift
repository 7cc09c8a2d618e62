import Chat
import Node
import NodeCore
import SyncState

/// The devices of an account by name, for sentences.
struct DeviceNames {
    private let zone: AccountZone
    private let devices: [DeviceReport]

    init(_ reporter: ZoneReporter) throws {
        zone = reporter.account.zone
        devices = try reporter.account.devices(
            reporter.network?.served(reporter.account), clock: reporter.clock)
    }

    /// Retired ones have no record to be named by any more.
    package func name(of lane: LaneID) -> String {
        if lane == zone.lane { return "this device" }
        return devices.first { $0.lane == lane }?.shownName ?? "device \(lane.shortHex), which is gone"
    }

    /// The other devices that are known to hold what was here by then.
    func holding(since time: WallTime?) -> [String] {
        guard let time else { return [] }
        return devices.filter { !$0.isThis && $0.holdsUpTo.map { $0 >= time } == true }.map(\.shownName)
    }
}
