package import NodeCore

/// The addresses and sessions of one place, and which address is due.
struct DialerPlace: Sendable {
    let place: PlaceID
    /// Ascending by address.
    var entries: [DialerEntry] = []
    /// Ascending by session.
    var sessions: [DialerSession] = []
    /// Blobs are missing, so peers with equal records are worth a session too.
    var isWanting = false
    var isPaused = false
    /// Number of keys for dialling; the first one is current.
    var keyCount = 1

    init(place: PlaceID) {
        self.place = place
    }

    /// Sessions and attempts under way.
    var occupied: Int {
        sessions.count
            + entries.count { entry in
                if case .dialling = entry.state { true } else { false }
            }
    }

    func index(of address: SocketAddress) -> Int? {
        let index = position(of: address)
        return index < entries.count && entries[index].address == address ? index : nil
    }

    /// Whether an address of that host is known, with any port.
    func knows(host: SocketAddress) -> Bool {
        let index = position(of: host)
        return index < entries.count && entries[index].address.with(port: 0) == host
    }

    /// Adds the address or raises its origin. Nil if the table is full of more useful addresses.
    mutating func learn(_ address: SocketAddress, origin: PeerOrigin, now: MonotonicTime) -> Int? {
        if index(of: address) == nil {
            if entries.count >= Limits.addressesPerZone, !evict() { return nil }
            entries.insert(DialerEntry(address: address, origin: origin, now: now), at: position(of: address))
        }
        guard let index = index(of: address) else { return nil }
        entries[index].origin = min(entries[index].origin, origin)
        entries[index].seenAt = max(entries[index].seenAt, now)
        return index
    }

    /// When to dial the address as things are; nil for not at all. `occupied` is passed in so that a pass over all
    /// addresses counts once.
    func due(_ entry: DialerEntry, occupied: Int) -> MonotonicTime? {
        guard !isPaused, !entry.isSelf, case .idle = entry.state, !hasSession(with: entry.device) else { return nil }
        let wish: MonotonicTime?
        if occupied < Limits.standingSessions || entry.origin == .static {
            wish = [entry.differsAt, entry.standingAt].compactMap { $0 }.min()
        } else {
            wish = isWanting ? entry.differsAt ?? entry.standingAt : entry.differsAt
        }
        guard let wish, occupied < Limits.busySessions else { return nil }
        return max(wish, entry.notBefore, entry.busyUntil ?? wish)
    }

    /// A session above the number kept that was dialled from here and has been idle for a while, and since when.
    func surplus() -> (session: SessionID, since: MonotonicTime)? {
        guard !isWanting, sessions.count > Limits.keptSessions else { return nil }
        return
            sessions
            .filter { isReleasable($0) }
            .compactMap { session in
                session.syncedAt.map { (session.session, $0 + Limits.surplusLinger) }
            }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    func hasSession(with device: LaneID?) -> Bool {
        device.map { device in sessions.contains { $0.device == device } } ?? false
    }

    /// Drops beacon addresses after a long silence.
    mutating func expire(now: MonotonicTime) {
        entries = entries.filter { entry in
            entry.origin != .beacon || entry.state != .idle || entry.seenAt + Limits.addressExpiry > now
                || hasSession(with: entry.device)
        }
    }

    private func isReleasable(_ session: DialerSession) -> Bool {
        guard let address = session.address, let index = index(of: address) else { return false }
        return entries[index].origin != .static
    }

    private func position(of address: SocketAddress) -> Int {
        entries.partitioningIndex { $0.address >= address }
    }

    /// Evicts the idle address that was seen longest ago, except those given by the user.
    private mutating func evict() -> Bool {
        let victim = entries.indices
            .filter { entries[$0].state == .idle && entries[$0].origin != .static }
            .min { (entries[$0].seenAt, $0) < (entries[$1].seenAt, $1) }
        guard let victim else { return false }
        entries.remove(at: victim)
        return true
    }
}

/// The dialer's view of one address of one place.
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
    /// The index of the place's key that last opened a session there, or made its beacon's tag.
    var key = 0
    /// The index used by the current attempt.
    var triedKey = 0
    /// Attempts in a row that the other end accepted and then refused.
    var refusals = 0
    /// Failed attempts and useless short sessions in a row.
    package internal(set) var failures = 0
    /// No attempt before this time: back-off, or the pause requested by the peer.
    package internal(set) var notBefore: MonotonicTime
    /// The peer is busy until then.
    package internal(set) var busyUntil: MonotonicTime?
    /// When it was last heard in a beacon, or given to us.
    package internal(set) var seenAt: MonotonicTime
    /// A beacon showed that it differs, and no session has compared since; when to dial.
    var differsAt: MonotonicTime?
    /// When to dial it to keep a standing session.
    var standingAt: MonotonicTime?
    /// The address is this node itself.
    var isSelf = false

    /// The index of the key to try next. A device that lacks our newest root refuses its key, and without beacons its
    /// newest is unknown: every other attempt tries another of the place's keys, the newest first.
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

/// The dialer's view of an authenticated session of one place.
struct DialerSession: Hashable, Sendable {
    let session: SessionID
    let device: LaneID
    /// The address dialled; nil if the peer opened the session.
    let address: SocketAddress?
    /// Since when both sides have been equal without interruption.
    var syncedAt: MonotonicTime?
    var hasSynced = false
}

/// How an address became known; the first that applies is shown.
package enum PeerOrigin: String, Hashable, Comparable, Sendable, CaseIterable {
    /// Given by the user.
    case `static`
    /// Heard on the local network.
    case beacon
    /// Worked earlier.
    case remembered
    /// Dialled us.
    case incoming

    package static func < (left: PeerOrigin, right: PeerOrigin) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .static: 0
        case .beacon: 1
        case .remembered: 2
        case .incoming: 3
        }
    }
}
