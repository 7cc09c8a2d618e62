import NodeCore
import SyncState

/// Checks that memory agrees with the stored records.
extension GroupZone {
    /// A difference between memory and the records when all are read again; nil if there is none. Reads the whole
    /// store: simulations use it to find a stale value at the step that caused it.
    package func staleness() throws -> String? {
        // New records have not been processed yet.
        guard !mustSettle else { return nil }
        var fresh = GroupContents(group: zone)
        var scores: Set<ScorePlace> = []
        var named: [Record] = []
        try store.forEachRecord { record in
            let content: GroupRecord?
            do { content = try read(record) } catch { return }
            if case .score(let score)? = content { scores.insert(ScorePlace(score, record)) }
            if case .unnamed? = content { named.append(record) }
            _ = fresh.enter(content, of: record, isOwn: record.lane == lane)
        }
        for record in named {
            guard let blob = record.blob,
                let bytes = try store.blob(of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix),
                let names = bytes.withUnsafeBytes({ ring.openNames($0, header: record.header) })
            else { continue }
            _ = fresh.name(record.hash, names)
        }
        if Set(contents.controls.keys) != Set(fresh.controls.keys) {
            return "\(contents.controls.count) control records are known, of \(fresh.controls.count) held"
        }
        if state.records.map(\.hash) != fresh.controls.keys.sorted() { return "the state is of other control records" }
        if Set(contents.unnamed.keys) != Set(fresh.unnamed.keys) {
            return "lists of names are waited for that are here, or not"
        }
        if Set(contents.games.map(\.hash)) != Set(fresh.games.map(\.hash)) {
            return "other games are known than are held"
        }
        if Set(contents.names.map(\.hash)) != Set(fresh.names.map(\.hash)) {
            return "other names are known than are held"
        }
        if contents.handovers.count != fresh.handovers.count { return "other handovers are known than are held" }
        if contents.locked != fresh.locked { return "\(contents.locked) records are locked, not \(fresh.locked)" }
        if try index.tables.count() != scores.count { return "other scores are filed than are held" }
        return nil
    }

    private struct ScorePlace: Hashable {
        let member: MemberID
        let game: GameID
        let day: Day
        let lane: LaneID
        let seq: UInt64

        init(_ score: DailyScore, _ record: Record) {
            (member, game, day) = (score.member, score.game, score.day)
            (lane, seq) = (record.lane, record.seq)
        }
    }
}
