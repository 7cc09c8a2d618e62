import NodeCore
import SyncState

/// Range reconciliation over the seqs of one lane: fingerprints of ranges go back and forth, differing ranges are
/// split, small ones are listed row by row, and both ends take the union, which is always sound (docs/PROTOCOL.md,
/// §9.3).
extension ZoneSync {
    func heal(_ lane: LaneID, own: VectorEntry, other: VectorEntry, on id: SessionID) throws {
        let pair = PeerSession.Healing.Pair(own: own.fingerprint, other: other.fingerprint)
        guard let session = sessions[id] else { return }
        let wasRefused = session.healing.refused.contains(lane)
        guard wasRefused || session.healing.pairs[lane] != pair else { return }
        let isFirst = session.healing.pairs[lane] == nil
        // Rows that are on their way change the pair: another comparison would ask for the next ones again. Refused
        // rows of several lanes are asked for at once.
        let goesAlong = wasRefused && session.healing.askedAt == now
        if !isFirst, !goesAlong, now < session.healing.saidAt + Limits.healPause {
            session.healing.againAt = session.healing.saidAt + Limits.healPause
            return
        }
        session.healing.pairs[lane] = pair
        if session.healing.refused.remove(lane) != nil { session.healing.askedAt = now }
        session.healing.saidAt = now
        try LaneCheck(store, of: lane)?.checkSums()
        counters.lanesHealed += 1
        if !wasRefused, own.head == other.head, own.head == own.target, other.head == other.target {
            // Both claim to have everything up to the same head.
            counters.alarms += 1
            if isFirst { actions.append(.note(.alarm(lane: lane))) }
        }
        // Peeked rows of a dead device stand above both heads.
        let reach = max(own.head, own.target, other.head, other.target)
        let all = RangeSum(
            low: 0, high: reach | (SyncState.Limits.chunkSeqs - 1), fingerprint: wasRefused ? nil : own.fingerprint,
            count: UInt64(store.lane(lane)?.rows ?? 0))
        send(.ranges(lane: lane, [all]), to: id)
    }

    // MARK: Questions

    func take(ranges: [RangeSum], of lane: LaneID, on id: SessionID) {
        guard ranges.count <= Int(Limits.rangeSplit),
            ranges.allSatisfy({ RangeSum.isRange(from: $0.low, through: $0.high) })
        else {
            drop(id, .violation("an invalid range"))
            return
        }
        sessions[id]?.healing.saidAt = now
        take(.ranges(lane, ranges[...]), on: id)
    }

    func take(keys: [KeyName], of lane: LaneID, from low: UInt64, through high: UInt64, on id: SessionID) {
        guard low <= high, high <= SyncState.Limits.highestSeq, keys.count <= Limits.keysPerMessage else {
            drop(id, .violation("a range too large to be named"))
            return
        }
        let ascends = zip(keys, keys.dropFirst()).allSatisfy { $0.seq <= $1.seq }
        guard keys.allSatisfy({ (low...high).contains($0.seq) }), ascends, Set(keys).count == keys.count else {
            drop(id, .violation("names from outside their range"))
            return
        }
        sessions[id]?.healing.saidAt = now
        take(.keys(lane, low: low, high: high, keys), on: id)
    }

    func take(fetch keys: [KeyName], of lane: LaneID, on id: SessionID) {
        guard keys.count <= Limits.keysPerMessage else {
            drop(id, .violation("more rows than a range can name"))
            return
        }
        sessions[id]?.healing.saidAt = now
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
        sessions[id]?.healing.saidAt = now
        switch question {
        case .newest(let lane, let count):
            let lists = try store.rules.lists(of: lane)
            sendRows(try lists + store.newest(of: lane, count: count), to: id, evenEmpty: true)
        case .ranges(let lane, let ranges): try answer(ranges: ranges, of: lane, rows: rows, on: id)
        case .keys(let lane, let low, let high, let keys):
            try answer(keys: keys, of: lane, from: low, through: high, rows: rows, on: id)
        case .rows(let lane, let keys): try answer(rows: keys, of: lane, reading: rows, on: id)
        case .holders(let txids, let withBlobs): try answer(holders: txids, withBlobs: withBlobs, on: id)
        }
        return true
    }

    // MARK: Answers

    /// Answers one range; the others wait.
    private func answer(ranges: ArraySlice<RangeSum>, of lane: LaneID, rows: UInt64, on id: SessionID) throws {
        guard let range = ranges.first else { return }
        if ranges.count > 1 {
            putBack(.ranges(lane, ranges.dropFirst()), on: id)
        } else if range.low == 0, isBegun(range, of: lane, on: id) {
            return
        }
        for message in try RangeAnswer(lane: lane, range: range, rows: rows).messages(from: store) {
            send(message, to: id)
        }
    }

    /// Whether the range is the peer's start of a comparison that this node, which opened the session, has started too:
    /// if both went on, most rows would travel twice.
    private func isBegun(_ range: RangeSum, of lane: LaneID, on id: SessionID) -> Bool {
        guard let session = sessions[id], let other = range.fingerprint else { return false }
        // Either end's rows may have changed since then.
        if session.isInitiator, session.healing.pairs[lane]?.other == other { return true }
        if session.view[lane]?.fingerprint == other {
            session.healing.pairs[lane] = PeerSession.Healing.Pair(own: ownEntry(lane).fingerprint, other: other)
        }
        return false
    }

    private func answer(
        keys: [KeyName], of lane: LaneID, from low: UInt64, through high: UInt64, rows: UInt64, on id: SessionID
    ) throws {
        let (found, through) = try store.keys(
            of: lane, from: low, through: high, rows: min(rows, Limits.rowsPerAnswer))
        let left = rows - min(UInt64(found.count), rows)
        try LaneCheck(store, of: lane)?.check(found, from: low, through: through, reading: left)
        let own = found.map(KeyName.init)
        let (held, named) = (Set(own), Set(keys))
        let lacked = keys.filter { $0.seq <= through && !held.contains($0) }
        if !lacked.isEmpty { send(.fetch(lane: lane, lacked), to: id) }
        let given = own.filter { !named.contains($0) }
        if !given.isEmpty { putBack(.rows(lane, given[...]), on: id) }
        if through < high { send(.ranges(lane: lane, RangeSum.unread(from: through + 1, through: high)), to: id) }
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
            guard let row = try store.row(of: lane, seq: key.seq, hash: key.hash) else { continue }
            rows.append(row)
            sizeBytes += row.count
        }
        if !rows.isEmpty { sendRows(rows, to: id) }
        if !keys.isEmpty { putBack(.rows(lane, keys), on: id) }
    }
}
