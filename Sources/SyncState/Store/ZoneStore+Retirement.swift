package import NodeCore

/// Retired lanes, and starting afresh (docs/PROTOCOL.md, §10).
extension ZoneStore {
    /// Whether a retirement drops such a record: only registers that the retirer had read.
    func isDropped(kind: RecordKind, seq: UInt64, lane: LaneState) -> Bool {
        guard let through = lane.retiredThrough else { return false }
        return kind == .register && seq <= through
    }

    /// Applies a retirement whose row is held and drops registers accordingly. Of several, the highest `through`
    /// counts.
    func apply(_ retirement: Retirement, row: RowID) throws {
        let number = try laneNumber(of: retirement.lane)
        let through = min(retirement.through, Limits.highestSeq)
        statements.putRetire.bind(1, Int64(number))
        statements.putRetire.bind(2, row.value)
        statements.putRetire.bind(3, Int64(through))
        try statements.putRetire.run()
        lanes[number].retiredThrough = max(lanes[number].retiredThrough ?? 0, through)
        touch(number)
        mustSettle = true
        try dropRegisters(lane: number)
    }

    private func dropRegisters(lane number: Int) throws {
        let bounds = RowID.bounds(lane: number, from: 0, through: lanes[number].retiredThrough ?? 0)
        var dropped: [RowID] = []
        statements.registersBetween.bind(1, bounds.low)
        statements.registersBetween.bind(2, bounds.high)
        while try statements.registersBetween.step() {
            dropped.append(RowID(value: statements.registersBetween.int(0)))
        }
        statements.registersBetween.reset()
        for row in dropped { try remove(row: row) }
    }

    /// The row of a retirement is gone: the others of that lane count, if any.
    func forgetRetirement(row: RowID) throws {
        statements.retiredBy.bind(1, row.value)
        var number: Int?
        if try statements.retiredBy.step() { number = Int(statements.retiredBy.int(0)) }
        statements.retiredBy.reset()
        statements.deleteRetire.bind(1, row.value)
        try statements.deleteRetire.run()
        guard let number else { return }
        statements.retiredThrough.bind(1, Int64(number))
        defer { statements.retiredThrough.reset() }
        guard try statements.retiredThrough.step() else { return }
        let isLast = statements.retiredThrough.isNull(0)
        lanes[number].retiredThrough = isLast ? nil : UInt64(statements.retiredThrough.int(0))
        touch(number)
    }

    /// The held retirements of a lane, encoded.
    package func retirements(of id: LaneID) throws -> [[UInt8]] {
        guard let number = numbers[id] else { return [] }
        var rows: [RowID] = []
        statements.retires.bind(1, Int64(number))
        while try statements.retires.step() { rows.append(RowID(value: statements.retires.int(0))) }
        statements.retires.reset()
        return try rows.compactMap { try record(at: $0)?.encoded }
    }

    /// Retires a lane up to where this node has read it. In a fork, a seq does not tell what was read.
    package func retire(_ id: LaneID, forkPossible: Bool = false) throws {
        let lane = self.lane(id)
        let through = forkPossible || lane?.isForked ?? false ? 0 : lane?.head ?? 0
        let retirement = Retirement(lane: id, through: through)
        let meta = RecordMeta(number: Retirement.type, tag: Self.newTag(&random), fields: retirement.encoded)
        try write(meta, of: retirement, slotName: Array(retirement.slotName.utf8), kind: .retire)
    }

    /// Part of every commit that may have changed our lane or dropped a register: starts afresh if this device's lane
    /// was forked or retired, then raises values that no live register shows any more.
    func settle() throws {
        mustSettle = false
        let own = self.own
        if own.isForked || own.highest > own.reached {
            try startAfresh(.forked)
        } else if own.isRetired {
            try startAfresh(.retired)
        }
        try content?.raiseEffectiveValues()
        mustSettle = false
    }

    /// Takes a new device key, rewrites the live registers there, and then retires the old lane, if the zone has
    /// registers.
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
        if content?.retiresLanes ?? true { try retire(old, forkPossible: reason != .retired) }
        mustSettle = true
    }
}
