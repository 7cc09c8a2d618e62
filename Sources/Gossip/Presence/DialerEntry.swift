package import NodeCore

/// One address of one place, as the dialer sees it.
package struct DialerEntry: Hashable, Sendable {
    /// Idle leads to dialling; dialling to open or idle; open to idle.
    package enum State: Hashable, Sendable {
        case idle
        case dialling(since: MonotonicTime)
        case open(SessionID)
    }

    package let address: SocketAddress
    package internal(set) var origin: PeerOrigin
    package internal(set) var state = State.idle
    /// The device that answered there last.
    package internal(set) var device: LaneID?
    /// Which of the place's keys opened a session there last, or made its beacon's tag.
    var key = 0
    /// The one that the attempt under way uses.
    var triedKey = 0
    /// Attempts in a row that were refused by somebody who listens.
    var refusals = 0
    /// Attempts and short sessions in a row that brought nothing.
    package internal(set) var failures = 0
    /// No attempt before that: back-off, or the pause the peer asked for.
    package internal(set) var notBefore: MonotonicTime
    /// The peer said that it is busy until then.
    package internal(set) var busyUntil: MonotonicTime?
    /// When a beacon spoke for it last, or it was given to us.
    package internal(set) var seenAt: MonotonicTime
    /// A beacon said that it differs, and no session has compared since; when to see to it.
    var differsAt: MonotonicTime?
    /// When to dial it to keep a standing session.
    var standingAt: MonotonicTime?
    /// It is ourselves.
    var isSelf = false

    /// Which of the place's keys to try next. A device of a later version refuses ours, and without beacons nothing
    /// says which one it is: every other attempt tries another of the place's keys, the nearest first.
    func nextKey(of count: Int) -> Int {
        refusals % 2 == 0 ? key : ((refusals + 1) / 2) % count
    }

    init(address: SocketAddress, origin: PeerOrigin, now: MonotonicTime) {
        self.address = address
        self.origin = origin
        notBefore = now
        seenAt = now
    }
}
