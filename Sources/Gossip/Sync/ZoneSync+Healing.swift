import NodeCore
import SyncState

/// Range reconciliation over the seq of one lane: fingerprints of ranges go back and forth, those that differ are
/// split, small ones are named row by row, and both ends take the union, which is always sound (DESIGN §5).
extension ZoneSync {
    func heal(_ lane: LaneID, own: VectorEntry, other: VectorEntry, on id: SessionID) throws {
        let pair = PeerSession.HealedPair(own: own.fingerprint, other: other.fingerprint)
        guard sessions[id]?.healed[lane] != pair else { return }
        sessions[id]?.healed[lane] = pair
        counters.lanesHealed += 1
        let isBothRetired = own.retiredThrough != nil && other.retiredThrough != nil
        if own.head == other.head, own.head == own.target, other.head == other.target, !isBothRetired {
            // Both claim to have all, up to the same head.
            counters.alarms += 1
            actions.append(.note(.alarm(lane: lane)))
        }
        // Peeked rows of a dead device stand above both heads.
        let reach =
            rules.isBroken(.peekWithoutRangeReach)
            ? max(own.head, other.head) : max(own.head, own.target, other.head, other.target)
        send(.ranges(lane: lane, [try rangeSum(lane, 0, reach)]), to: id)
    }

    private func rangeSum(_ lane: LaneID, _ low: UInt64, _ high: UInt64) throws -> RangeSum {
        let sum = try store.sum(of: lane, from: low, through: high)
        return RangeSum(low: low, high: high, fingerprint: sum.fingerprint, count: sum.count)
    }

    func answer(ranges: [RangeSum], of lane: LaneID, on id: SessionID) throws {
        var split: [RangeSum] = []
        for range in ranges.prefix(Int(Limits.rangeSplit)) {
            guard range.low <= range.high, range.high <= SyncState.Limits.highestSeq else {
                drop(id, .violation("a range that is none"))
                return
            }
            let own = try rangeSum(lane, range.low, range.high)
            if own.fingerprint == range.fingerprint { continue }
            let (rows, overflow) = own.count.addingReportingOverflow(range.count)
            if range.low == range.high || (!overflow && rows <= Limits.leafRows) {
                let keys = try store.keys(of: lane, from: range.low, through: range.high)
                send(.keys(lane: lane, low: range.low, high: range.high, keys.map(KeyName.init)), to: id)
            } else {
                split += try parts(of: range, lane)
            }
        }
        var rest = split[...]
        while !rest.isEmpty {
            send(.ranges(lane: lane, Array(rest.prefix(Int(Limits.rangeSplit)))), to: id)
            rest = rest.dropFirst(Int(Limits.rangeSplit))
        }
    }

    private func parts(of range: RangeSum, _ lane: LaneID) throws -> [RangeSum] {
        let step = (range.high - range.low) / Limits.rangeSplit + 1
        var parts: [RangeSum] = []
        var low = range.low
        while low <= range.high {
            let high = min(low + step - 1, range.high)
            parts.append(try rangeSum(lane, low, high))
            low = high + 1
        }
        return parts
    }

    func answer(keys: [KeyName], of lane: LaneID, from low: UInt64, through high: UInt64, on id: SessionID) throws {
        guard low <= high, high <= SyncState.Limits.highestSeq,
            try store.sum(of: lane, from: low, through: high).count <= UInt64(Limits.keysPerMessage)
        else {
            drop(id, .violation("a range too large to be named"))
            return
        }
        let own = try store.keys(of: lane, from: low, through: high).map(KeyName.init)
        let (held, named) = (Set(own), Set(keys))
        sendRows(try rows(own.filter { !named.contains($0) }, of: lane), to: id)
        let lacked = keys.filter { !held.contains($0) }
        if !lacked.isEmpty { send(.fetch(lane: lane, lacked), to: id) }
    }

    func answer(fetch keys: [KeyName], of lane: LaneID, on id: SessionID) throws {
        guard keys.count <= Limits.keysPerMessage else {
            drop(id, .violation("more rows than a range can name"))
            return
        }
        sendRows(try rows(keys, of: lane), to: id)
    }

    private func rows(_ keys: [KeyName], of lane: LaneID) throws -> [[UInt8]] {
        try keys.compactMap { try store.row(of: lane, seq: $0.seq, hashPrefix: $0.hashPrefix) }
    }
}

extension KeyName {
    init(_ key: RowKey) { self.init(seq: key.seq, hashPrefix: key.hash.prefix) }
}
