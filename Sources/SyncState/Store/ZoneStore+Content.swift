package import NodeCore

/// Running totals of the content that records point to.
extension ZoneStore {
    /// The totals of one lane.
    package func content(of id: LaneID) -> LaneContent { numbers[id].map { contents[$0] } ?? LaneContent() }

    /// The totals of all lanes.
    package var total: LaneContent {
        contents.reduce(into: LaneContent()) { sum, lane in
            sum.held = sum.held + lane.held
            sum.wanted = sum.wanted + lane.wanted
            sum.newest = max(sum.newest, lane.newest)
            sum.unknown += lane.unknown
        }
    }

    /// The newest and oldest times of missing blobs, in seconds: everything newer than the first is here. Nil if no
    /// blob with a time is missing.
    package func wantedTimes() throws -> ClosedRange<Int64>? {
        let newest = try statements.newestWanted.number()
        let oldest = try statements.oldestWanted.number()
        return 0 < oldest && oldest <= newest ? oldest...newest : nil
    }

    /// Changes the totals of a lane; they are written with the next commit.
    package func changeContent(of id: LaneID, _ body: (inout LaneContent) -> Void) {
        guard let number = numbers[id] else { return }
        body(&contents[number])
        dirtyLanes.insert(number)
    }

    /// Recounts lanes whose totals are unknown, in a store that an earlier version wrote.
    func countUncounted() throws {
        guard attached != nil, !uncounted.isEmpty else { return }
        try begin()
        for number in uncounted { try recount(number) }
        uncounted = []
    }

    func recount(_ number: Int) throws {
        var sums = LaneContent()
        sums.unknown = contents[number].unknown
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        try statements.blobsOfLane.forEach(bounds.low, bounds.high) { row in
            guard let record = try? Record(encoded: row.blob(0)), let blob = record.blob,
                let content = try? content.open(record)
            else { return }
            let sum = BlobSum(blobs: 1, messages: content.messages, bytes: blob.sizeBytes)
            if row.isNull(1) { sums.wanted = sums.wanted + sum } else { sums.held = sums.held + sum }
            sums.newest = max(sums.newest, content.newestMessage)
        }
        contents[number] = sums
        dirtyLanes.insert(number)
    }
}
