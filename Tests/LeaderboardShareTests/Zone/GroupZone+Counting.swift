import SyncState

@testable import LeaderboardShare

extension GroupZone {
    /// Number of scores held, including those that do not count: from foreign lanes, removed members, viewers.
    var scoreCount: Int { get throws { Int(try store.database.prepare("SELECT count(*) FROM score").number()) } }
}
