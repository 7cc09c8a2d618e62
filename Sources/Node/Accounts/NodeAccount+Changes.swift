import Chat
package import NodeCore
import SyncState

/// What the account's change feed is told of its sync.
extension NodeAccount {
    /// Notes the state that the account is in. Syncing only where it lasts: what comes and goes with each message would
    /// make an app's display flicker.
    ///
    /// - Returns: when to ask again though nothing happens; nil where all is told.
    package func note(state: String, now: MonotonicTime) -> MonotonicTime? {
        guard fault == nil else { return nil }
        if state == "syncing" {
            let due = syncingUntilTold ?? now + Limits.syncingBeforeTold
            syncingUntilTold = due
            guard now >= due else { return due }
        } else {
            syncingUntilTold = nil
        }
        // A store that cannot be read says so at its next use.
        try? zone.changes.note(state: state)
        return nil
    }
}
