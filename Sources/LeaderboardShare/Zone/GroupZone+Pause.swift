package import NodeCore
package import SyncState

/// Somebody wants the group to rest; what is posted meanwhile waits in the store.
extension GroupZone {
    private static let pauseKey = "pause"

    /// Pauses from the next commit on; while it is paused already, nothing changes.
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
