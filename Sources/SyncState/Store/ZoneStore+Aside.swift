package import NodeCore

/// Rows that are kept aside: see `SupersededRows`.
extension ZoneStore {
    /// Stops reading messages from an older blob of a slot.
    package func hideAside(arrival: Int64) throws {
        try content.blobHidden(arrival: arrival, of: try aside.record(ofShown: arrival))
        try aside.hide(blob: arrival)
    }

    /// The record whose blob is read as long as this one's is missing.
    package func shownAside(insteadOf record: Record) throws -> Record? {
        guard let number = numbers[record.lane], let arrival = try aside.shown(lane: number, slot: record.slot)
        else { return nil }
        return try aside.record(ofShown: arrival)
    }

    /// Blobs from which messages are read, and whose replacements may never come: those of some lanes, and of any for
    /// which nobody brought one in seven days, or that others lack, too (`noteLack`).
    package func shownAside(limit: Int, of isMeant: (LaneID) -> Bool) throws -> [(arrival: Int64, record: Record)] {
        try aside.shown(limit: limit, ofLanes: { lanes.indices.contains($0) && isMeant(lanes[$0].id) }, at: runningTime)
    }

    /// Notes that a peer asks for a blob that is not here. If messages have been read from an older one for some
    /// minutes, they are judged with the next commit: the peer cannot get them otherwise while the writer is away, and
    /// the writer may have lost its home, which nobody knows.
    package func noteLack(of id: LaneID, seq: UInt64, hashPrefix: UInt32) throws {
        guard aside.shownCount > 0, let number = numbers[id], seq <= Limits.highestSeq else { return }
        for (_, record) in try rows(lane: number, from: seq, through: seq)
        where record.blob?.hash.shortPrefix == hashPrefix {
            guard try aside.noteLack(lane: number, slot: record.slot, at: runningTime) else { continue }
            try begin()
            mustSettle = true
        }
    }

    /// Whether rows of a lane have waited at least this long for something that lets them count.
    package func holdsWaiting(of id: LaneID, for time: Duration = .zero) throws -> Bool {
        try numbers[id].map { try aside.holdsWaiting(lane: $0, since: runningTime - time) } ?? false
    }

    /// Drops the rows that were kept long enough, and has those judged that were shown that long.
    package func purgeAside() throws {
        if try aside.isReplacementOverdue(at: runningTime) {
            try begin()
            mustSettle = true
        }
        guard aside.isDue(at: runningTime) else { return }
        try begin()
        try aside.purge(at: runningTime)
    }
}
