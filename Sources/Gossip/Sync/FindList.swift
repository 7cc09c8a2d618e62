import NodeCore
import SyncState

/// Schedules requests for missing messages: those whose stubs wait for a body.
///
/// A stub is requested at once, after 3 s, and then after twice as long each time, up to 5 minutes. Pauses of the same
/// length form a queue, whose first entry is always the next one due.
struct FindList {
    struct Entry {
        /// Number of pauses it has had.
        var level = 0
        /// When a peer was last asked; nil if none was.
        var askedAt: MonotonicTime?
        var nextAt: MonotonicTime
        /// Whether the record of a segment that should hold it is here.
        var isLocated = false
    }

    private struct Turn {
        let at: MonotonicTime
        let txid: TxID
    }

    private var entries: [TxID: Entry] = [:]
    /// In order of arrival; resolved ones are skipped.
    private var order: [TxID] = []
    private var fresh: ArraySlice<TxID> = []
    private var queues = [ArraySlice<Turn>](repeating: [], count: Limits.findPauses.count)
    /// Peers had news since they were asked: when to request all waiting messages again.
    private var againAt: MonotonicTime?
    private var lastAgain: MonotonicTime?
    /// Until then beacons show that a message is being searched for.
    private(set) var asksUntil: MonotonicTime?
    /// Until then answers are expected that peers had no reason to give before.
    private var asksAnewUntil: MonotonicTime?
    /// Progress of the search through wanted blobs for the stubs that existed at its start.
    private var scan = Scan.idle

    private enum Scan {
        /// → waiting, when a stub comes
        case idle
        /// A peer may tell sooner where it is. → under way, by time
        case waiting(until: MonotonicTime)
        /// → idle, at the end; → waiting, if a stub came meanwhile
        case underWay(below: WantedBlob?, hasNew: Bool)
    }

    var isEmpty: Bool { entries.isEmpty }

    func entry(_ txid: TxID) -> Entry? { entries[txid] }

    // MARK: Adding and removing

    mutating func add(_ txids: [TxID], now: MonotonicTime) {
        for txid in txids where entries[txid] == nil {
            entries[txid] = Entry(nextAt: now)
            order.append(txid)
            fresh.append(txid)
        }
        guard !txids.isEmpty else { return }
        switch scan {
        case .idle: scan = .waiting(until: now + Limits.scanPatience)
        case .waiting: break
        case .underWay(let below, _): scan = .underWay(below: below, hasNew: true)
        }
    }

    /// Notes that the record of a segment that should hold them is here.
    mutating func located(_ txids: [TxID]) {
        for txid in txids { entries[txid]?.isLocated = true }
    }

    /// A peer has news: requests all waiting messages again, at most every 3 s.
    mutating func peersHaveNews(now: MonotonicTime) {
        guard !entries.isEmpty, againAt == nil else { return }
        againAt = max(now, lastAgain.map { $0 + Limits.findPauses[0] } ?? now)
    }

    /// The user requests a retry.
    mutating func askAgain(now: MonotonicTime) {
        guard !entries.isEmpty else { return }
        againAt = now
    }

    /// The newest waiting messages, for a peer that has just connected.
    mutating func newest(now: MonotonicTime, isOutstanding: (TxID) -> Bool) -> [TxID] {
        prune(isOutstanding)
        if !order.isEmpty { asksAnewUntil = now + Limits.askingWindow }
        return Array(order.suffix(Limits.findsPerSession).reversed())
    }

    private mutating func prune(_ isOutstanding: (TxID) -> Bool) {
        guard order.contains(where: { !isOutstanding($0) }) else { return }
        for txid in order where !isOutstanding(txid) { entries[txid] = nil }
        order.removeAll { entries[$0] == nil }
    }

    mutating func reset() { self = FindList() }

    // MARK: Requesting

    /// The messages to request from all peers now, at most as many as fit one message. Resolved ones are forgotten.
    mutating func takeDue(now: MonotonicTime, isOutstanding: (TxID) -> Bool) -> [TxID] {
        guard !entries.isEmpty else { return [] }
        var due: [TxID] = []
        while due.count < Limits.findsPerMessage, let txid = popDue(now) {
            guard isOutstanding(txid) else {
                entries[txid] = nil
                continue
            }
            due.append(txid)
        }
        var isAnew = due.contains { entries[$0]?.level == 0 }
        for txid in due { plan(txid, now: now) }
        if let at = againAt, at <= now {
            (againAt, lastAgain) = (nil, now)
            isAnew = true
            prune(isOutstanding)
            let asked = Set(due)
            due += order.reversed().lazy.filter { !asked.contains($0) }.prefix(Limits.findsPerMessage - due.count)
        }
        if order.count > 2 * entries.count + 64 { order.removeAll { entries[$0] == nil } }
        if !due.isEmpty {
            asksUntil = now + Limits.askingWindow
            if isAnew { asksAnewUntil = asksUntil }
        }
        return due
    }

    private mutating func popDue(_ now: MonotonicTime) -> TxID? {
        if let txid = fresh.popFirst() { return txid }
        for level in queues.indices {
            while let first = queues[level].first, first.at <= now {
                queues[level].removeFirst()
                // A rescheduled entry is also in another queue.
                if entries[first.txid]?.nextAt == first.at { return first.txid }
            }
        }
        return nil
    }

    private mutating func plan(_ txid: TxID, now: MonotonicTime) {
        guard var entry = entries[txid] else { return }
        let level = min(entry.level, queues.count - 1)
        entry.level = level + 1
        entry.nextAt = now + Limits.findPauses[level]
        entries[txid] = entry
        queues[level].append(Turn(at: entry.nextAt, txid: txid))
    }

    /// A peer was asked for these.
    mutating func noteAsked(_ txids: [TxID], now: MonotonicTime) {
        for txid in txids { entries[txid]?.askedAt = now }
    }

    mutating func stopAsking() { (asksUntil, asksAnewUntil) = (nil, nil) }

    /// When a stub is requested again, alone or together with all others.
    func nextAsk(of entry: Entry) -> MonotonicTime { againAt.map { min($0, entry.nextAt) } ?? entry.nextAt }

    /// True while beacons show that a message is being searched for.
    func isAsking(now: MonotonicTime) -> Bool { asksUntil.map { now < $0 } ?? false }

    func isAskingAnew(now: MonotonicTime) -> Bool { asksAnewUntil.map { now < $0 } ?? false }

    // MARK: The wanted blobs

    /// Whether to search the wanted blobs now, and below which one.
    mutating func nextScan(now: MonotonicTime) -> (isDue: Bool, below: WantedBlob?) {
        switch scan {
        case .idle: return (false, nil)
        case .waiting(let until):
            guard until <= now else { return (false, nil) }
            scan = .underWay(below: nil, hasNew: false)
            return (true, nil)
        case .underWay(let below, _): return (true, below)
        }
    }

    /// `last`: the last blob searched; nil at the end.
    mutating func scanned(to last: WantedBlob?, now: MonotonicTime) {
        guard case .underWay(_, let hasNew) = scan else { return }
        if let last {
            scan = .underWay(below: last, hasNew: hasNew)
        } else {
            scan = hasNew ? .waiting(until: now + Limits.scanPatience) : .idle
        }
    }

    /// When something is due; in the past if it is due now.
    func deadline(canScan: Bool) -> MonotonicTime? {
        guard !entries.isEmpty else { return nil }
        var times = queues.compactMap(\.first?.at)
        if !fresh.isEmpty { times.append(.zero) }
        times += [againAt, asksUntil].compactMap(\.self)
        if canScan {
            switch scan {
            case .idle: break
            case .waiting(let until): times.append(until)
            case .underWay: times.append(.zero)
            }
        }
        return times.min()
    }
}
