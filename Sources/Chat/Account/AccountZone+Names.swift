package import NodeCore
import SyncState

/// The other devices as people know them.
extension AccountZone {
    /// What a device says of itself, under the name that it was given; nil where its record is not here.
    package func deviceDescription(of lane: LaneID) throws -> DeviceDescription? {
        let name = DeviceDescription.slotName(of: lane)
        guard let record = try store.liveRegister(of: lane, slotName: name),
            var description = try? open(record) as? DeviceDescription
        else { return nil }
        if let given = try givenNames.name(of: lane) { description.name = given.name }
        return description
    }
}
