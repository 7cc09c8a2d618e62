package import NodeCore

/// Judges held rows and rows aside again, after the zone's ledger changed or a list came or went.
///
/// A row that stops counting leaves fingerprint, totals, pages and derived state, and stays aside. A row that counts
/// again comes back from there, as if a peer had sent it.
package struct RowJudging {
    private let store: ZoneStore
    private let rules: any RowRules

    package init(_ store: ZoneStore, by rules: any RowRules) {
        (self.store, self.rules) = (store, rules)
    }

    /// Judges all rows of a lane.
    package func judgeAgain(lane id: LaneID) throws {
        guard let number = store.numbers[id] else { return }
        try store.begin()
        var gone: [(row: RowID, waits: Bool)] = []
        try store.forEachRow(lane: number, from: 0, through: Limits.highestSeq) { row, encoded in
            // The scrub removes rotten rows.
            guard let record = try? Record(encoded: encoded) else { return }
            let verdict = try rules.verdict(on: record)
            if verdict != .counts { gone.append((row, verdict == .waits)) }
        }
        for (row, waits) in gone { try store.remove(row: row, as: .withdrawn(waits: waits)) }
        for aside in try store.aside.ids(lane: number) {
            guard let kept = try store.aside.kept(id: aside) else { continue }
            try judge(kept, aside)
        }
        // Rows beyond the highest held one may no longer be requested.
        store.lanes[number].target = store.lanes[number].highest
        store.touch(number)
    }

    private func judge(_ kept: SupersededRows.Kept, _ id: Int64) throws {
        switch try rules.verdict(on: kept.record) {
        case .counts: try bringBack(kept, id)
        case .waits: try keep(kept, id, as: .waiting)
        case .removed: try keep(kept, id, as: .forAWhile)
        }
    }

    private func keep(_ kept: SupersededRows.Kept, _ id: Int64, as keeping: SupersededRows.Keeping) throws {
        guard kept.keeping != keeping else { return }
        if kept.keeping == .shown, let blob = kept.blob { try store.hideAside(arrival: blob) }
        try store.aside.take(id: id, withBlob: false)
        // Its seven days begin now.
        try store.aside.add(
            kept.record, row: kept.row, at: kept.at, blob: kept.blob, keeping, since: store.runningTime)
    }

    private func bringBack(_ kept: SupersededRows.Kept, _ id: Int64) throws {
        guard try !isSuperseded(kept.record), let opened = try? store.content.open(kept.record) else {
            return kept.keeping == .waiting ? try keep(kept, id, as: .forAWhile) : ()
        }
        let blob = try kept.blob.flatMap { try store.blob(arrival: $0) }
        if kept.keeping == .shown, let blob = kept.blob { try store.hideAside(arrival: blob) }
        try store.aside.take(id: id, withBlob: true)
        guard case .added(let row) = try store.put(kept.record, opened: opened, from: .peer(nil), at: kept.at),
            let blob
        else { return }
        _ = try blob.withUnsafeBytes { try store.store($0, row: row, of: kept.record, from: .peer(nil)) }
    }

    /// Whether a later row of its slot is held.
    private func isSuperseded(_ record: Record) throws -> Bool {
        guard record.kind.isSuperseded, let number = store.numbers[record.lane],
            let held = try store.held(in: record.slot, lane: number)?.record
        else { return false }
        return held.isNewer(than: record)
    }
}
