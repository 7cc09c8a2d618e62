import SyncState

/// The results of a group's own member, including withdrawn ones: those that count, and those that this device posted
/// and that count nowhere, since it is out and the others had not heard of them. All that can be given back to a user.
package struct OwnResults: Sendable {
    /// By day and then game.
    package let all: [StoredScore]

    package init(of zone: GroupZone) throws {
        var own: [String: StoredScore] = [:]
        for result in try zone.results(of: zone.member) { own[result.score.id] = result }
        try zone.store.aside.forEachRecord { record in
            // What another device wrote counts no more because it was stolen, perhaps.
            guard record.lane == zone.lane, case .score(let score)? = try? zone.read(record),
                own[score.id].map({ $0.score.revision < score.revision }) ?? true
            else { return }
            own[score.id] = StoredScore(score: score, lane: record.lane, seq: record.seq, arrival: .inTime)
        }
        all = own.values.sorted { ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game) }
    }
}
