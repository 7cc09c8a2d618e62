import NodeCore
import SyncState

/// Range reconciliation over the seqs of one lane: fingerprints of ranges go back and forth, differing ranges are
/// split, small ones are listed row by row, and both ends take the union, which is always sound (docs/PROTOCOL.md,
/// §9.3).
extension ZoneSync {
    func heal(_ lane: LaneID, own: VectorEntry, other: VectorEntry, on id: SessionID) throws {
        let pair = PeerSession.HealedPair(own: own.fingerprint, other: other.fingerprint)
        guard let session = sessions[id], session.healed[lane] != pair else { return }
        let isFirst = session.healed[lane] == nil
        sessions[id]?.healed[lane] = pair
        counters.lanesHealed += 1
        let isBothRetired = own.retiredThrough != nil && other.retiredThrough != nil
        if own.head == other.head, own.head == own.target, other.head == other.target, !isBothRetired {
            // Both claim to have everything up to the same head.
            counters.alarms += 1
            if isFirst { actions.append(.note(.alarm(lane: lane))) }
        }
        // Peeked rows of a dead device stand above both heads.
        let reach = max(own.head, own.target, other.head, other.target)
        send(.ranges(lane: lane, [try rangeSum(lane, 0, reach)]), to: id)
    }

    private func rangeSum(_ lane: LaneID, _ low: UInt64, _ high: UInt64) throws -> RangeSum {
        let sum = try store.sum(of: lane, from: low, through: high)
        return RangeSum(low: low, high: high, fingerprint: sum.fingerprint, count: sum.count)
    }

    // MARK: Questions

    func take(ranges: [RangeSum], of lane: LaneID, on id: SessionID) {
        guard ranges.count <= Int(Limits.rangeSplit),
            ranges.allSatisfy({ $0.low <= $0.high && $0.high <= SyncState.Limits.highestSeq })
        else {
            drop(id, .violation("a range that is none"))
            return
        }
        take(.ranges(lane, ranges), on: id)
    }

    func take(keys: [KeyName], of lane: LaneID, from low: UInt64, through high: UInt64, on id: SessionID) {
        guard low <= high, high <= SyncState.Limits.highestSeq, keys.count <= Limits.keysPerMessage else {
            drop(id, .violation("a range too large to be named"))
            return
        }
        take(.keys(lane, low: low, high: high, keys), on: id)
    }

    func take(fetch keys: [KeyName], of lane: LaneID, on id: SessionID) {
        guard keys.count <= Limits.keysPerMessage else {
            drop(id, .violation("more rows than a range can name"))
            return
        }
        take(.rows(lane, keys[...]), on: id)
    }

    func take(_ question: Question, on id: SessionID) {
        guard let waiting = sessions[id]?.questionBytes, waiting + question.sizeBytes <= Limits.questionBytes else {
            drop(id, .violation("more questions than a node queues"))
            return
        }
        putBack(question, on: id)
    }

    /// Puts back the rest of a question, whose next step precedes all others.
    private func putBack(_ question: Question, on id: SessionID) {
        sessions[id]?.questions.append(question)
        sessions[id]?.questionBytes += question.sizeBytes
    }

    /// Does a step of answering the latest question, reading about `rows` rows at most. False if there is none.
    func answerQuestion(on id: SessionID, rows: UInt64) throws -> Bool {
        guard let question = sessions[id]?.questions.popLast() else { return false }
        sessions[id]?.questionBytes -= question.sizeBytes
        switch question {
        case .newest(let lane, let count): sendRows(try store.newest(of: lane, count: count), to: id, evenEmpty: true)
        case .ranges(let lane, let ranges, let read):
            try answer(ranges: ranges, read: read, of: lane, rows: rows, on: id)
        case .keys(let lane, let low, let high, let keys):
            try answer(keys: keys, of: lane, from: low, through: high, on: id)
        case .rows(let lane, let keys): try answer(rows: keys, of: lane, reading: rows, on: id)
        case .holders(let txids, let withBlobs): try answer(holders: txids, withBlobs: withBlobs, on: id)
        }
        return true
    }

    // MARK: Answers

    /// Answers one range. If it has many rows, the next step reads on after `rows` rows; the other ranges wait.
    private func answer(
        ranges: [RangeSum], read: PartedSum?, of lane: LaneID, rows: UInt64, on id: SessionID
    ) throws {
        guard let range = ranges.first else { return }
        let left = Array(ranges.dropFirst())
        let known = store.knownSum(of: lane, from: range.low, through: range.high)
        if read == nil, known?.fingerprint == range.fingerprint {
            if !left.isEmpty { putBack(.ranges(lane, left), on: id) }
            return
        }
        var sum = read ?? PartedSum(low: range.low, high: range.high, parts: Limits.rangeSplit)
        guard try store.add(to: &sum, of: lane, rows: rows) else {
            return putBack(.ranges(lane, ranges, read: sum), on: id)
        }
        if !left.isEmpty { putBack(.ranges(lane, left), on: id) }
        let own = sum.whole
        if own.fingerprint == range.fingerprint { return }
        let (count, overflow) = own.count.addingReportingOverflow(range.count)
        if range.low == range.high || (!overflow && count <= Limits.leafRows) {
            // Rows that arrived while the sum was read can make it large: then the next comparison finds the
            // difference.
            guard
                let keys = try store.keys(
                    of: lane, from: range.low, through: range.high, atMost: Limits.keysPerMessage)
            else { return }
            send(.keys(lane: lane, low: range.low, high: range.high, keys.map(KeyName.init)), to: id)
        } else {
            send(.ranges(lane: lane, sum.sums.indices.map { RangeSum(sum, part: $0) }), to: id)
        }
    }

    private func answer(
        keys: [KeyName], of lane: LaneID, from low: UInt64, through high: UInt64, on id: SessionID
    ) throws {
        // Rows that arrived meanwhile can make it large: then the next comparison finds the difference.
        guard let found = try store.keys(of: lane, from: low, through: high, atMost: Limits.keysPerMessage) else {
            return
        }
        let own = found.map(KeyName.init)
        let (held, named) = (Set(own), Set(keys))
        let lacked = keys.filter { !held.contains($0) }
        if !lacked.isEmpty { send(.fetch(lane: lane, lacked), to: id) }
        let given = own.filter { !named.contains($0) }
        if !given.isEmpty { putBack(.rows(lane, given[...]), on: id) }
    }

    /// Sends one message of rows; the rest waits for the next step.
    private func answer(
        rows keys: ArraySlice<KeyName>, of lane: LaneID, reading: UInt64, on id: SessionID
    ) throws {
        var keys = keys
        var rows: [[UInt8]] = []
        var sizeBytes = 0
        let before = store.scannedRows
        while sizeBytes <= Limits.payloadBytes - SyncState.Limits.recordSizeBytes, store.scannedRows - before < reading,
            let key = keys.popFirst()
        {
            guard let row = try store.row(of: lane, seq: key.seq, hashPrefix: key.hashPrefix) else { continue }
            rows.append(row)
            sizeBytes += row.count
        }
        if !rows.isEmpty { sendRows(rows, to: id) }
        if !keys.isEmpty { putBack(.rows(lane, keys), on: id) }
    }
}

extension RangeSum {
    fileprivate init(_ sum: PartedSum, part: Int) {
        let bounds = sum.bounds(of: part)
        self.init(
            low: bounds.low, high: bounds.high, fingerprint: sum.sums[part].fingerprint, count: sum.sums[part].count)
    }
}

extension KeyName {
    init(_ key: RowKey) { self.init(seq: key.seq, hashPrefix: key.hash.prefix) }
}
