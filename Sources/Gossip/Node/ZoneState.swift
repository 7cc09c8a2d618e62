package import NodeCore

/// Where a zone stands. Start, change and retry lead to `syncing`; a passing fault to `waiting` and back by itself; a
/// lasting one to `error` until its cause is gone (docs/SYNC.md).
package enum ZoneState: Sendable, Equatable {
    /// It was taken up a moment ago, and nobody was met yet. Next: any.
    case idle
    /// Comparing with a device, or fetching from one. Next: any.
    case syncing
    /// Caught up with the devices in reach, at least one. Next: any.
    case synced
    /// A passing fault; tried again by itself, at `until` where that is known. Next: any.
    case waiting(Obstacle, until: MonotonicTime?)
    /// Somebody wants it to rest. Next: syncing, idle.
    case paused(by: String, since: WallTime)
    /// The app that the node belongs to is out of sight. Next: syncing, idle, paused.
    case background
    /// A lasting fault of the store (`ServedZone.failure`). Next: any, once its cause is gone.
    case error
    /// The node's keys are out of its reach. Next: any, once they are back.
    case locked

    /// What a zone waits for.
    package enum Obstacle: Sendable, Equatable, CaseIterable {
        /// No device of the zone is in reach.
        case offline
        /// Those in reach asked for a pause.
        case busy
        /// Those in reach speak another version of the protocol.
        case otherVersion
        /// Blobs are missing that no connected device has.
        case absentBlobs
        /// The store has no room: nothing is taken, and all is served to commands that read.
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
        }
    }

    /// The same, whatever the time until which it lasts.
    package func isLike(_ other: ZoneState) -> Bool {
        switch (self, other) {
        case (.waiting(let one, _), .waiting(let another, _)): one == another
        default: self == other
        }
    }
}

/// Devices of a zone that speak another version of the protocol, by address, for as long as they keep showing it.
package struct OtherVersions: Sendable {
    package struct Entry: Sendable, Equatable {
        /// Where it was dialled; without a port, where it came from.
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

    /// A session came about with that address: it speaks our version now.
    mutating func forget(_ address: SocketAddress) {
        found.removeAll { $0.address == address || $0.address == address.with(port: 0) }
    }

    /// Those of late, the latest last.
    package func entries(now: MonotonicTime) -> [Entry] {
        found.filter { now - $0.at < Limits.otherVersionKept }
    }
}
