import SyncState

/// The results of a group's own member, including withdrawn ones: those that count, and those that this device posted
/// and that count nowhere, since it is out and the others had not heard of them. All that can be given back to a user.
package struct OwnResults: Sendable {
    /// By day and then game.
    package let all: [StoredScore]

    package init(of zone: GroupZone) throws {
        var own: [String: StoredScore] = [:]
        for result in try zone.results(of: zone.member) { own[result.score.id] = result }
        // Of this device's lane alone: what another device wrote may count no more because it was stolen.
        if let lane = zone.store.numbers[zone.lane] {
            try zone.store.aside.forEachArrival(lane: lane) { encoded, _ in
                guard let record = try? Record(encoded: encoded), case .score(let score)? = try? zone.read(record),
                    own[score.id].map({ $0.score.revision < score.revision }) ?? true
                else { return }
                own[score.id] = StoredScore(score: score, lane: record.lane, seq: record.seq, arrival: .inTime)
            }
        }
        all = own.values.sorted { ($0.score.day, $0.score.game) < ($1.score.day, $1.score.game) }
    }
}
