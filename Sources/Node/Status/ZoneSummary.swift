import NodeCore
import SyncState

/// Whether all devices of an account hold everything, in one sentence.
struct ZoneSummary {
    package let devices: [DeviceReport]
    /// When the account's data last changed; nil if unknown.
    let changedAt: WallTime?
    /// What the node is doing.
    package let report: ZoneReport
    /// Whether this device misses nothing it knows of, and what it misses.
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
        guard devices.count > 1 else { return "no other device was met yet: nothing else is known to hold a copy" }
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
            + "not known to: \(names)" + (more > 0 ? " and \(more) more" : "")
    }
}
