package import NodeCore

/// The other devices as people know them.
extension AccountZone {
    /// What a device says of itself; nil where its record is not here.
    package func deviceDescription(of lane: LaneID) throws -> DeviceDescription? {
        let name = DeviceDescription.slotName(of: lane)
        guard let record = try store.liveRegister(of: lane, slotName: name),
            case .device(let description) = try? open(record).content
        else { return nil }
        return description
    }
}
