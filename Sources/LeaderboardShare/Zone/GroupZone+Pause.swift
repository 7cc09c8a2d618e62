package import NodeCore
package import SyncState

/// Pausing the group; results posted meanwhile wait in the store.
extension GroupZone {
    private static let pauseKey = "pause"

    /// Pauses sync from the next commit on; no effect if it is already paused.
    package func pause(by: String, wall: WallTime) throws {
        guard ownPause == nil else { return }
        let asked = ZonePause(by: by, since: wall)
        try store.put(setting: Self.pauseKey, asked.encoded)
        ownPause = asked
    }

    package func resume() throws {
        guard ownPause != nil else { return }
        try store.put(setting: Self.pauseKey, [])
        ownPause = nil
    }

    func loadPause() throws {
        ownPause = try store.setting(Self.pauseKey).flatMap { try ZonePause(stored: $0) }
    }

    /// The group's own pause, or that of its account.
    package var pause: ZonePause? { ownPause ?? accountPause }
}
