import NodeCore

/// Starting afresh in a new lane (docs/PROTOCOL.md, §10).
extension ZoneStore {
    /// Part of every commit that may have changed our lane or lost a register: starts afresh if this device's lane was
    /// forked, then lets values follow from the registers that are held.
    func settle() throws {
        mustSettle = false
        let own = self.own
        if own.isForked || own.highest > own.reached { try startAfresh(.forked) }
        try content?.settleValues()
        mustSettle = false
    }

    /// Takes a new device key, which the old one lets in, and rewrites the live registers there.
    package func startAfresh(_ reason: FreshStart.Reason) throws {
        try begin()
        let oldKeys = device
        let old = device.lane
        let tag = Self.newTag(&random)
        try put(setting: "device", tag.bytes)
        device = DeviceKeys(deviceSecret: deviceSecret, tag: tag)
        _ = try laneNumber(of: device.lane)
        segmentTags = SegmentTags()
        freshStarts.append(FreshStart(old: old, new: device.lane, reason: reason))
        try content?.entered(after: oldKeys)
        try content?.republish(from: old)
        mustSettle = true
    }
}
