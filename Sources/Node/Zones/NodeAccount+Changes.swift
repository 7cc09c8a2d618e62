import Chat
package import NodeCore
import SyncState

/// Reporting an account's sync state to its change feed.
extension NodeAccount {
    /// Notes the account's state. `syncing` is only noted if it lasts: changing the state with each message would make
    /// an app's display flicker.
    ///
    /// - Returns: the time to call again even if nothing happens; nil if everything is noted.
    package func note(state: String, now: MonotonicTime) -> MonotonicTime? {
        guard fault == nil else { return nil }
        if state == "syncing" {
            let due = syncingUntilTold ?? now + Limits.syncingBeforeTold
            syncingUntilTold = due
            guard now >= due else { return due }
        } else {
            syncingUntilTold = nil
        }
        // A store that cannot be read reports that on its next use.
        try? zone.changes.note(state: state)
        return nil
    }
}
