package import NodeCore
import SyncState

/// Somebody wants the account to rest.
extension AccountZone {
    static let pauseKey = "pause"

    /// Pauses from the next commit on; while it is paused already, nothing changes.
    ///
    /// - Parameter by: who asks for it, at most `SyncState.Limits.pausedByBytes` of UTF-8.
    package func pause(by: String, wall: WallTime) throws {
        guard pause == nil else { return }
        let asked = ZonePause(by: by, since: wall)
        try store.put(setting: Self.pauseKey, asked.encoded)
        pause = asked
        changes.note(.account)
    }

    /// Ends the pause. Segments that became due meanwhile are cut in the next turn.
    package func resume() throws {
        guard pause != nil else { return }
        try store.put(setting: Self.pauseKey, [])
        pause = nil
        changes.note(.account)
    }
}
