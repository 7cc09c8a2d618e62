import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// Reporting changes of a group to the account's change feed.
extension NodeGroup {
    private var toldSetting: String { "told " + placeID.hex }

    /// Notes that the group has changed since the last report, also before this start: the remembered state becomes
    /// durable together with the note.
    ///
    /// - Returns: true if there is something to commit.
    func noteChanges() -> Bool {
        guard fault == nil, owner.fault == nil, membership.state != .left else { return false }
        // Collect scores before the feed announces the group's change.
        for score in zone.takePosted() { posted.append(score) }
        let digest = zone.store.digest
        let store = owner.zone.store
        // A report in a turn that was rolled back does not count.
        guard toldDigest != digest || toldAfter != owner.database.rollbackCount else { return false }
        do {
            let held = Array(digest.hex.utf8)
            let told = try store.setting(toldSetting)
            toldDigest = digest
            toldAfter = owner.database.rollbackCount
            guard told != held else { return false }
            try store.put(setting: toldSetting, held)
        } catch {
            // A failing store reports itself on its next use, and this is repeated then.
            toldDigest = nil
            return false
        }
        owner.zone.changes.note(.group(zone.zone))
        return true
    }
}
