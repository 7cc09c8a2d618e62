import SyncState

@testable import LeaderboardShare

extension GroupZone {
    /// The number of scores held, including those that do not count: of foreign lanes, removed members and viewers.
    var scoreCount: Int { get throws { Int(try store.database.prepare("SELECT count(*) FROM score").number()) } }
}
