import NodeCore
import SyncState

/// Checks that memory agrees with the stored records.
extension GroupZone {
    /// A difference between memory and the records when all are read again; nil if there is none. Reads the whole
    /// store: simulations use it to find a stale value at the step that caused it.
    package func staleness() throws -> String? {
        // New records have not been processed yet.
        guard !mustSettle else { return nil }
        var fresh = FreshContents()
        var listed: [(record: Record, encoded: [UInt8])] = []
        try store.forEachRecord { record in
            let content: GroupRecord?
            do { content = try read(record) } catch { return }
            if case .unnamed(let encoded)? = content {
                listed.append((record, encoded))
            } else {
                fresh.enter(content, of: record, group: zone)
            }
        }
        for (record, encoded) in listed {
            guard let blob = record.blob,
                let bytes = try store.blob(of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix),
                let names = bytes.withUnsafeBytes({ ring.openNames($0, header: record.header) }),
                let control = try? ControlRecord(encoded: encoded, names: names)
            else {
                fresh.unnamed.insert(record.hash)
                continue
            }
            fresh.enter(.control(control), of: record, group: zone)
        }
        if Set(controls.keys) != fresh.controls {
            return "\(controls.count) control records are known, of \(fresh.controls.count) held"
        }
        if state.records.map(\.hash) != fresh.controls.sorted() { return "the state is of other control records" }
        if Set(unnamed.keys) != fresh.unnamed { return "lists of names are waited for that are here, or not" }
        if Set(games.map(\.hash)) != fresh.games { return "other games are known than are held" }
        if Set(names.map(\.hash)) != fresh.names { return "other names are known than are held" }
        if handovers.count != fresh.handovers { return "other handovers are known than are held" }
        if lockedCount != fresh.locked { return "\(lockedCount) records are locked, not \(fresh.locked)" }
        if try index.tables.count() != fresh.scores.count { return "other scores are filed than are held" }
        return nil
    }

    private struct FreshContents {
        struct Place: Hashable {
            let member: MemberID
            let game: GameID
            let day: Day
            let lane: LaneID
            let seq: UInt64
        }

        var controls: Set<RecordHash> = []
        var unnamed: Set<RecordHash> = []
        var games: Set<RecordHash> = []
        var names: Set<RecordHash> = []
        var scores: Set<Place> = []
        var handovers = 0
        var locked = 0

        mutating func enter(_ content: GroupRecord?, of record: Record, group: ZoneID) {
            switch content {
            case .control(let control) where control.group == group: controls.insert(control.hash)
            case .game: games.insert(record.hash)
            case .name: names.insert(record.hash)
            case .handover: handovers += 1
            case .score(let score):
                scores.insert(
                    Place(
                        member: score.member, game: score.game, day: score.day, lane: record.lane, seq: record.seq))
            case .locked: locked += 1
            case .control, .unnamed, nil: break
            }
        }
    }
}
