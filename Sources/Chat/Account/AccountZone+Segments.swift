package import NodeCore
package import SyncState

/// A segment whose record is held: where it comes from, and whether its messages are here.
package struct SegmentPlace: Sendable {
    package let lane: LaneID
    package let seq: UInt64
    package let meta: SegmentMeta
    /// Bytes of the sealed blob.
    package let sizeBytes: Int
    /// The arrival of its blob; nil while that is wanted.
    package let arrival: Int64?
}

/// Messages of a conversation and a day whose record is here, and whose segment is not.
package struct MissingSegment: Sendable, Equatable {
    /// Who archived them.
    package let lane: LaneID
    package let conversationID: String
    /// Sender's times of the first and the last, in seconds.
    package let times: ClosedRange<UInt64>
    package let sum: BlobSum
}

/// What the records tell of segments, for `explain`.
extension AccountZone {
    /// The segments behind a row, in the order of the rows, and the last row looked at; nil at the end.
    ///
    /// - Parameter limit: rows to look at: opening one takes some microseconds.
    package func segments(after row: RowID?, limit: Int) throws -> (places: [SegmentPlace], last: RowID?) {
        let rows = try store.segments(after: row, limit: limit)
        let places = rows.compactMap { row in row.record.flatMap { place(of: $0, arrival: row.arrival) } }
        return (places, rows.last?.id)
    }

    /// Segments that are missing here, the newest first.
    ///
    /// - Parameters:
    ///   - conversation: only those of this one; nil for all.
    ///   - limit: wanted rows to look at, the newest: opening one takes some microseconds.
    package func missingSegments(of conversation: String? = nil, limit: Int) throws -> [MissingSegment] {
        guard store.wantedCount > 0 else { return [] }
        let conversation = conversation.map { ExactText($0) }
        return try store.wanted(limit: limit).compactMap { wanted in
            guard let meta = segments.meta(of: wanted.record),
                conversation.map({ $0 == ExactText(meta.name.conversationID) }) ?? true
            else { return nil }
            let (one, other) = (meta.startTimestamp, meta.endTimestamp)
            return MissingSegment(
                lane: wanted.record.lane, conversationID: meta.name.conversationID,
                times: min(one, other)...max(one, other),
                sum: BlobSum(blobs: 1, messages: meta.messageCount, bytes: wanted.blob.sizeBytes))
        }
    }

    /// The segment whose blob stands under an arrival, and when and from whom that came.
    package func segment(arrival: Int64) throws -> (place: SegmentPlace, came: BlobArrival)? {
        guard let came = try store.blobArrival(arrival), let place = place(of: came.record, arrival: arrival) else {
            return nil
        }
        return (place, came)
    }

    private func place(of record: Record, arrival: Int64?) -> SegmentPlace? {
        guard let meta = segments.meta(of: record) else { return nil }
        return SegmentPlace(
            lane: record.lane, seq: record.seq, meta: meta, sizeBytes: record.blob?.sizeBytes ?? 0, arrival: arrival)
    }

    /// How many read markers of each device are held, by lane.
    package func markerCounts() throws -> [LaneID: Int] {
        let query = try database.prepare("SELECT lane, count(*) FROM live_marker GROUP BY lane")
        var counts: [LaneID: Int] = [:]
        while try query.step() {
            if let lane = LaneID(bytes: query.blob(0)) { counts[lane] = Int(query.int(1)) }
        }
        return counts
    }
}
