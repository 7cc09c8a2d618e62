package import NodeCore

/// The number of a session on this node; not reused while the node runs.
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

/// An established session.
package struct OpenedSession: Sendable {
    package let id: SessionID
    package let isInitiator: Bool
    /// 32 bytes, equal at both ends and unique to this session.
    package let handshakeHash: [UInt8]
    /// The peer's address: the one dialled, or where it came from.
    package let address: SocketAddress
}

/// Why a session ended.
package enum CloseReason: Sendable, Equatable {
    /// The connection ended normally, or the peer went away.
    case ended
    /// The connection broke a rule of the transport, or timed out.
    case fault
    /// There is another session with the same device.
    case duplicate
    case isSelf
    case violation(String)
    /// A signature in HELLO does not fit: the peer has the key of the session, and belongs nowhere here.
    case wrongHello
    case badBlob
    case startedAfresh
    case silent
    case peerLeft(ByeReason)
    case shutdown
    case tooManySessions
    /// The peer asks for a pause.
    case busy(until: MonotonicTime)
    /// An idle session above the number kept.
    case released
    /// The zone is paused here.
    case paused
    /// The peer does not belong to the zone, or has not shown that it does.
    case notMember
    /// The peer speaks other versions of the protocol; the highest of them.
    case otherVersion(UInt16)

    /// The device is reached through another session, so this does not count against its address.
    var isDuplicate: Bool { self == .duplicate || self == .peerLeft(.duplicate) }

    /// The peer misbehaved, so its address is retried ever more rarely.
    var isFault: Bool {
        switch self {
        case .fault, .isSelf, .violation, .wrongHello, .badBlob, .silent, .tooManySessions, .notMember, .otherVersion:
            true
        case .ended, .duplicate, .startedAfresh, .shutdown, .released, .busy, .paused: false
        case .peerLeft(.duplicate), .peerLeft(.startedAfresh), .peerLeft(.shutdown), .peerLeft(.paused): false
        case .peerLeft: true
        }
    }

    /// The rule that the peer broke; nil if it broke none.
    package var violation: String? {
        switch self {
        case .violation(let what): what
        case .wrongHello: "a signature that does not fit"
        default: nil
        }
    }

    /// The reason to send to the peer; nil if it left itself, or cannot be told.
    var bye: ByeReason? {
        switch self {
        case .duplicate: .duplicate
        case .isSelf: .isSelf
        case .violation, .wrongHello, .badBlob: .violation
        case .startedAfresh: .startedAfresh
        case .shutdown, .released: .shutdown
        case .tooManySessions: .tooManySessions
        case .paused: .paused
        case .notMember: .notMember
        case .otherVersion: .otherVersion
        case .ended, .fault, .silent, .peerLeft, .busy: nil
        }
    }
}
