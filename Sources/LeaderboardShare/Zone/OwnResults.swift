import SyncState

/// The results of a group's own member, including withdrawn ones: those that count, and those that count nowhere, since
/// the member posted them after what the others know of one that is out. All that can be given back to the user.
package struct OwnResults: Sendable {
    /// By day and then game.
    package let all: [StoredScore]

    package init(of zone: GroupZone) throws {
        var own: [String: StoredScore] = [:]
        for result in try zone.results(of: zone.member) { own[result.score.id] = result }
        try zone.store.aside.forEachRecord { record in
            guard case .score(let score)? = try? zone.read(record), score.member == zone.member,
                own[score.id].map({ $0.score.revision < score.revision }) ?? true
            else { return }
            own[score.id] = StoredScore(score: score, lane: record.lane, seq: record.seq, arrival: .inTime)
        }
        all = own.values.sorted { ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game) }
    }
}
