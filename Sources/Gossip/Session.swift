package import NodeCore

/// The number of a session on this node; never used again while the node runs.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: SessionID, right: SessionID) -> Bool {
        left.number < right.number
    }

    package var description: String { "s\(number)" }
}

/// A session that was established.
package struct OpenedSession: Sendable {
    package let id: SessionID
    package let isInitiator: Bool
    /// 32 bytes, the same at both ends and at no other session.
    package let handshakeHash: [UInt8]
    /// The peer's static key, which the handshake has proved to be its own; only who pairs needs it.
    package let peerKey: Bytes32?
    /// The peer's: what was dialled, or where it came from.
    package let address: SocketAddress
}

/// Why a session is over.
package enum CloseReason: Sendable, Equatable {
    /// The connection ended in order, or the peer went away.
    case ended
    /// The connection broke a rule of the transport, or timed out there.
    case fault
    /// There was another session with the same device.
    case duplicate
    case isSelf
    case violation(String)
    case badBlob
    case startedAfresh
    case silent
    case peerLeft(ByeReason)
    case shutdown
    case tooManySessions
    /// The peer asks for a pause.
    case busy(until: MonotonicTime)
    /// One more session than is kept open, with nothing to do.
    case released
    /// The zone pauses here.
    case paused
    /// The peer does not belong to the zone, or has not shown it.
    case notMember

    /// The device is reached through another session: its address is no worse for it.
    var isDuplicate: Bool { self == .duplicate || self == .peerLeft(.duplicate) }

    /// Something is wrong with the peer, so that its address is tried again ever more rarely.
    var isFault: Bool {
        switch self {
        case .fault, .isSelf, .violation, .badBlob, .silent, .tooManySessions, .notMember: true
        case .ended, .duplicate, .startedAfresh, .shutdown, .released, .busy, .paused: false
        case .peerLeft(.duplicate), .peerLeft(.startedAfresh), .peerLeft(.shutdown), .peerLeft(.paused): false
        case .peerLeft: true
        }
    }

    /// What the peer is told; nil where it left itself, or cannot be told.
    var bye: ByeReason? {
        switch self {
        case .duplicate: .duplicate
        case .isSelf: .isSelf
        case .violation, .badBlob: .violation
        case .startedAfresh: .startedAfresh
        case .shutdown, .released: .shutdown
        case .tooManySessions: .tooManySessions
        case .paused: .paused
        case .notMember: .notMember
        case .ended, .fault, .silent, .peerLeft, .busy: nil
        }
    }
}
