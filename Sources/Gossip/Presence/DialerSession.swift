import NodeCore

/// An authenticated session of one place, as the dialer sees it.
struct DialerSession: Hashable, Sendable {
    let session: SessionID
    let device: LaneID
    /// The address dialled; nil for a session that the peer opened.
    let address: SocketAddress?
    let openedAt: MonotonicTime
    /// Since when both sides are equal without a break.
    var syncedAt: MonotonicTime?
    var hasSynced = false
}
