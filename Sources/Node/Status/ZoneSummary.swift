import Gossip
import NodeCore
import SyncState

/// Says in one sentence whether all devices of an account hold everything.
struct ZoneSummary {
    package let devices: [DeviceReport]
    /// The time of the last change to the account's data; nil if unknown.
    let changedAt: WallTime?
    /// The current sync state.
    package let report: ZoneReport
    /// True if nothing that this device knows of is missing here; and the missing content.
    package let isComplete: Bool
    package let wanted: BlobSum
    /// Number of messages accepted here that this device has sent to nobody yet.
    package var queued = 0

    /// A device holds everything if it did after the last change.
    private func isWhole(_ device: DeviceReport) -> Bool {
        if device.isThis { return isComplete }
        if device.isLevel { return true }
        guard let changedAt, let upTo = device.holdsUpTo else { return false }
        return upTo >= changedAt
    }

    package var text: String {
        guard report.state != ZoneState.over.name else {
            return "what the other devices hold is not known here any more"
        }
        guard devices.count > 1 else { return "no other device has connected yet: this is the only known copy" }
        guard isComplete else {
            return "this device still lacks \(Wording.messages(wanted))"
        }
        guard queued == 0 else {
            let others = devices.count == 2 ? "other device" : "other devices"
            return "\(Wording.count(queued, "message")) still to be sent to the \(others)"
        }
        let lacking = devices.filter { !isWhole($0) }
        guard !lacking.isEmpty else {
            return devices.count == 2
                ? "both devices hold everything" : "all \(devices.count) devices hold everything"
        }
        let names = lacking.prefix(Limits.namedDevices).map(\.shownName).joined(separator: ", ")
        let more = lacking.count - Limits.namedDevices
        return "\(devices.count - lacking.count) of \(devices.count) devices hold everything; "
            + names + (more > 0 ? " and \(more) more" : "") + ": unknown"
    }
}
