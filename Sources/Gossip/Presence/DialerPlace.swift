package import NodeCore

/// The addresses and sessions of one place, and which address is due.
struct DialerPlace: Sendable {
    let place: PlaceID
    /// Only where somebody seeks it is anybody dialled.
    let isAnswering: Bool
    /// Ascending by address.
    var entries: [DialerEntry] = []
    /// Ascending by session.
    var sessions: [DialerSession] = []
    /// Blobs are wanted: peers that agree on the records are worth a session too.
    var isWanting = false
    var isPaused = false
    /// How many keys the place has to dial with; the first is its present one.
    var keyCount = 1

    init(place: PlaceID, isAnswering: Bool = false) {
        self.place = place
        self.isAnswering = isAnswering
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

    /// Whether an address of that host, which has no port, is here.
    func knows(host: SocketAddress) -> Bool {
        let index = position(of: host)
        return index < entries.count && entries[index].address.with(port: 0) == host
    }

    /// Adds the address or raises its origin. Nil if the table is full of addresses in better use.
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

    /// When the address is to be dialled, as things stand; nil: not at all.
    /// `occupied` is given so that a pass over all addresses counts once.
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

    /// The session that is above the number kept, was dialled from here and has had nothing to do for a while; and from
    /// when on that is so.
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

    /// Drops beacon addresses that have been silent for long.
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
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].address < address { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Makes room by the idle address, not given by the user, that was seen longest ago.
    private mutating func evict() -> Bool {
        let victim = entries.indices
            .filter { entries[$0].state == .idle && entries[$0].origin != .static }
            .min { (entries[$0].seenAt, $0) < (entries[$1].seenAt, $1) }
        guard let victim else { return false }
        entries.remove(at: victim)
        return true
    }
}

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

/// How an address came to be known; the first that applies is shown.
package enum PeerOrigin: String, Hashable, Comparable, Sendable, CaseIterable {
    /// Given by the user.
    case `static`
    /// Heard on the local network.
    case beacon
    /// It worked earlier.
    case remembered
    /// It dialled us.
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
