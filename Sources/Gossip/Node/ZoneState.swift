package import NodeCore

/// A zone's sync state. Start, change and retry lead to `syncing`; a temporary fault leads to `waiting` and back by
/// itself; a lasting one to `error` until its cause is removed (docs/SYNC.md).
package enum ZoneState: Sendable, Equatable {
    /// It was added a moment ago, and no device has been met yet. Next: any.
    case idle
    /// Comparing with a device, or fetching from one. Next: any.
    case syncing
    /// Caught up with all devices in reach, at least one. Next: any.
    case synced
    /// A temporary fault; retried automatically, at `until` if that is known. Next: any.
    case waiting(Obstacle, until: MonotonicTime?)
    /// Sync was paused. Next: syncing, idle.
    case paused(by: String, since: WallTime)
    /// The app that contains the node is in the background. Next: syncing, idle, paused.
    case background
    /// A lasting fault of the store (`ServedZone.failure`). Next: any, once its cause is removed.
    case error
    /// The node's keys are not accessible. Next: any, once they are.
    case locked

    /// This node does not belong to the zone any more. Next: none.
    case over

    /// The reason why a zone waits.
    package enum Obstacle: Sendable, Equatable, CaseIterable {
        /// No device of the zone is in reach.
        case offline
        /// All devices in reach asked for a pause.
        case busy
        /// All devices in reach speak another version of the protocol.
        case otherVersion
        /// Blobs are missing that no connected device has.
        case absentBlobs
        /// Devices in reach differ, and for a minute nothing has brought them nearer.
        case stalled
        /// The store has no room: nothing is accepted, and all data can still be read.
        case storageFull
        /// The store cannot be written for another reason.
        case store
    }

    package var name: String {
        switch self {
        case .idle: "idle"
        case .syncing: "syncing"
        case .synced: "synced"
        case .waiting: "waiting"
        case .paused, .background: "paused"
        case .error, .locked: "error"
        case .over: "removed"
        }
    }

    /// Equality that ignores the time until which the state lasts.
    package func isLike(_ other: ZoneState) -> Bool {
        switch (self, other) {
        case (.waiting(let one, _), .waiting(let another, _)): one == another
        default: self == other
        }
    }
}

/// Devices of a zone that speak another version of the protocol, by address, for as long as they show it.
package struct OtherVersions: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The address dialled; without a port if the peer dialled.
        package let address: SocketAddress
        package let version: UInt16
        /// The device that answered there earlier.
        package let device: LaneID?
        let at: MonotonicTime
    }

    private var found: [Entry] = []

    package init() {}

    mutating func note(_ address: SocketAddress, version: UInt16, device: LaneID?, now: MonotonicTime) {
        found.removeAll { $0.address == address }
        found.append(Entry(address: address, version: version, device: device, at: now))
        if found.count > Limits.otherVersions { found.removeFirst() }
    }

    /// Forgets an address at which a session succeeded, so that it speaks our version now.
    mutating func forget(_ address: SocketAddress) {
        found.removeAll { $0.address == address || $0.address == address.with(port: 0) }
    }

    /// The recent entries, latest last.
    package func entries(now: MonotonicTime) -> [Entry] {
        found.filter { now - $0.at < Limits.otherVersionKept }
    }
}
