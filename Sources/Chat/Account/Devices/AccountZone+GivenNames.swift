package import NodeCore
import SyncState

/// What devices are called by others of the account (docs/PROTOCOL.md, §4.4).
extension AccountZone {
    /// Calls a device of the account so, on all devices; it need not be in reach.
    ///
    /// - Throws: `DeviceError`.
    package func rename(_ id: LaneID, to name: String, wall: WallTime) throws {
        guard (1...Limits.deviceNameBytes).contains(name.utf8.count) else { throw DeviceError.nameTooLong }
        guard let device = try device(of: id, wall: wall)?.id else { throw DeviceError.unknownDevice }
        try store.begin()
        try give(name, to: device)
    }

    /// One revision above all that are known.
    func give(_ name: String, to device: LaneID) throws {
        let known = try givenNames.name(of: device)
        guard known?.name != name else { return }
        let revision = min((known?.revision ?? 0) + 1, Limits.givenNameRevision)
        try write(GivenName(device: device, name: name, revision: revision), of: device)
    }

    func write(_ given: GivenName, of device: LaneID) throws {
        let given = GivenName(device: device, name: given.name, revision: given.revision)
        try store.write(
            RecordMeta(type: .givenName, fields: given.encoded), slotName: given.slotName, kind: .register)
    }

    func takeIn(_ given: GivenName, lane: LaneID) throws {
        try givenNames.put(given, lane: lane)
        changes.note(.device(given.device))
        if given.device == self.lane { store.mustSettle = true }
    }

    /// What this device was called by another one it says, too: so the name stays when the other one is gone.
    func keepGivenName() throws {
        guard let given = try givenNames.name(of: lane) else { return }
        if try givenNames.name(of: lane, by: lane) != given { try write(given, of: lane) }
    }
}
