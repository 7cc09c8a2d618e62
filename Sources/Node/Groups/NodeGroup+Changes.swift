import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// What the account's change feed is told of a group.
extension NodeGroup {
    private var toldSetting: String { "told " + placeID.hex }

    /// Notes that something of the group is another than when the feed was told last, also before this start: what is
    /// remembered of that becomes durable together with the note.
    ///
    /// - Returns: whether there is something to commit.
    func noteChanges() -> Bool {
        guard fault == nil, owner.fault == nil, membership.state != .left else { return false }
        let digest = zone.store.digest
        let store = owner.zone.store
        // What was told in a turn that was rolled back was not told.
        guard toldDigest != digest || toldAfter != owner.database.rollbackCount else { return false }
        do {
            let held = Array(digest.hex.utf8)
            let told = try store.setting(toldSetting)
            toldDigest = digest
            toldAfter = owner.database.rollbackCount
            guard told != held else { return false }
            try store.put(setting: toldSetting, held)
        } catch {
            // A store that fails says so at its next use; this is told again then.
            toldDigest = nil
            return false
        }
        owner.zone.changes.note(.group(zone.zone))
        return true
    }
}
