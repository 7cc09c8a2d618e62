import NodeCore
import SyncState

/// Chooses the blobs to request next, over all sessions of a zone.
///
/// The store knows all missing blobs; this holds a window of them, the most wanted last, and those in flight. Blobs
/// that no peer can supply are left out until the next look at the store, so that they do not block the rest.
struct WantList {
    /// Ascending by priority, so that the next is taken from the end.
    private var window: [WantedBlob] = []
    private var windowed: Set<RowID> = []
    private(set) var inFlight: Set<RowID> = []
    /// The blobs in flight that were requested because the user waits.
    private var raisedInFlight: Set<RowID> = []
    /// Requested by the user: taken before all others, and beyond a session's limit in flight.
    private var raised: [WantedBlob] = []
    /// Taken before the rest, whatever their priority.
    private var urgent: [WantedBlob] = []
    /// How far down the store was searched; only valid if something was left out.
    private var lowest: WantedBlob?
    private var leftOut = 0
    /// The store was searched to its end.
    private var isAtEnd = false
    /// When the store is searched from the top again.
    private var nextLook: MonotonicTime?
    private var pause = Limits.missingRetryLeast

    /// Adds the missing blob of a record that arrived.
    mutating func add(_ wanted: WantedBlob, isUrgent: Bool) {
        guard !inFlight.contains(wanted.row), !windowed.contains(wanted.row) else { return }
        if isUrgent, urgent.count < Limits.wantWindow {
            windowed.insert(wanted.row)
            urgent.append(wanted)
            return
        }
        // Less wanted than everything in a full window: the store returns it when its turn comes.
        let isWanted = window.first.map { window.count < Limits.wantWindow || wanted.priority > $0.priority }
        guard isWanted ?? leavesOut else { return }
        insert(wanted)
        if window.count > Limits.wantWindow { windowed.remove(window.removeFirst().row) }
    }

    /// Raises a blob whose content the user is waiting for: if it is in flight behind a backlog, it is requested again.
    mutating func raise(_ wanted: WantedBlob) {
        guard !raisedInFlight.contains(wanted.row), raised.count < Limits.raisedWants,
            !raised.contains(where: { $0.row == wanted.row })
        else { return }
        if !windowed.insert(wanted.row).inserted {
            window.removeAll { $0.row == wanted.row }
            urgent.removeAll { $0.row == wanted.row }
        }
        raised.append(wanted)
    }

    /// The raised ones that a peer can be asked for, latest first.
    mutating func takeRaised(most: Int, where canAsk: (WantedBlob) -> Bool) -> [WantedBlob] {
        guard !raised.isEmpty else { return [] }
        var (budget, left) = (Int.max, most)
        let taken = Self.take(from: &raised, &budget, &left, canAsk)
        for wanted in taken {
            windowed.remove(wanted.row)
            inFlight.insert(wanted.row)
            raisedInFlight.insert(wanted.row)
        }
        return taken
    }

    private mutating func insert(_ wanted: WantedBlob) {
        guard windowed.insert(wanted.row).inserted else { return }
        window.insert(wanted, at: window.partitioningIndex { $0.priority > wanted.priority })
    }

    /// Refills the window from the store when it runs low.
    mutating func refill(from store: ZoneStore) throws {
        guard isLow else { return }
        let known = inFlight.count + window.count + urgent.count + raised.count
        if leftOut == 0 {
            guard store.wantedCount > known else { return }
            lowest = nil
        } else if isAtEnd {
            return
        }
        let found = try store.wanted(limit: Limits.wantWindow + (lowest == nil ? known : 0), below: lowest)
        lowest = found.last ?? lowest
        isAtEnd = found.isEmpty
        for wanted in found where !inFlight.contains(wanted.row) { insert(wanted) }
    }

    /// Whether to refill the window.
    var isLow: Bool { window.count < Limits.wantWindow / 8 }

    /// The next blobs that a peer can be asked for. `isDrained`: there are no more for that peer.
    mutating func take(
        upTo sizeBytes: Int, most: Int, where canAsk: (WantedBlob) -> Bool
    ) -> (urgent: [WantedBlob], others: [WantedBlob], isDrained: Bool) {
        var budget = sizeBytes
        var left = most
        let first = Self.take(from: &urgent, &budget, &left, canAsk)
        let others = Self.take(from: &window, &budget, &left, canAsk)
        for wanted in first + others {
            windowed.remove(wanted.row)
            inFlight.insert(wanted.row)
        }
        return (first, others, budget > 0 && left > 0)
    }

    private static func take(
        from list: inout [WantedBlob], _ budget: inout Int, _ left: inout Int, _ canAsk: (WantedBlob) -> Bool
    ) -> [WantedBlob] {
        var taken: [WantedBlob] = []
        var kept: [WantedBlob] = []
        while budget > 0, left > 0, let wanted = list.popLast() {
            guard canAsk(wanted) else {
                kept.append(wanted)
                continue
            }
            budget -= wanted.blob.sizeBytes
            left -= 1
            taken.append(wanted)
        }
        list.append(contentsOf: kept.reversed())
        return taken
    }

    /// Removes a blob that was stored or is no longer wanted.
    mutating func done(_ row: RowID) {
        forgetInFlight(row)
        // It was given back, and then the first peer answered after all.
        guard windowed.remove(row) != nil else { return }
        window.removeAll { $0.row == row }
        urgent.removeAll { $0.row == row }
        raised.removeAll { $0.row == row }
    }

    /// Takes back blobs whose peer is gone, or takes too long.
    mutating func giveBack(_ wanted: ArraySlice<WantedBlob>) {
        for want in wanted where forgetInFlight(want.row) { insert(want) }
    }

    /// True if it was in flight.
    @discardableResult
    private mutating func forgetInFlight(_ row: RowID) -> Bool {
        raisedInFlight.remove(row)
        return inFlight.remove(row) != nil
    }

    // MARK: Unavailable blobs

    /// Leaves out a blob that the asked peer lacks and no other peer can be asked for.
    mutating func leaveOut(_ wanted: WantedBlob, now: MonotonicTime) {
        forgetInFlight(wanted.row)
        leftOut += 1
        planLook(now)
    }

    /// Leaves out blobs that no peer can supply; returns their number.
    mutating func leaveOut(now: MonotonicTime, where isHopeless: (WantedBlob) -> Bool) -> Int {
        let before = window.count + urgent.count
        for wanted in window + urgent where isHopeless(wanted) { windowed.remove(wanted.row) }
        window.removeAll { !windowed.contains($0.row) }
        urgent.removeAll { !windowed.contains($0.row) }
        let count = before - window.count - urgent.count
        leftOut += count
        if count > 0 { planLook(now) }
        return count
    }

    /// True if it is time to ask all peers again for the blobs left out.
    mutating func looksAgain(now: MonotonicTime) -> Bool {
        guard let due = nextLook, due <= now else { return false }
        nextLook = nil
        lowest = nil
        leftOut = 0
        isAtEnd = false
        pause = min(pause * 2, Limits.missingRetryMost)
        return true
    }

    /// A peer has changed: it may now have blobs that were lacking.
    mutating func wake(now: MonotonicTime) {
        pause = Limits.missingRetryLeast
        guard let due = nextLook else { return }
        nextLook = min(due, now + currentPause)
    }

    /// Whether blobs are left out, so that the store must report new ones.
    var leavesOut: Bool { leftOut > 0 }

    private mutating func planLook(_ now: MonotonicTime) {
        if nextLook == nil { nextLook = now + currentPause }
    }

    /// The more blobs are left out, the more a search costs.
    private var currentPause: Duration {
        min(max(pause, .milliseconds(leftOut)), Limits.missingRetryMost)
    }

    mutating func reset() { self = WantList() }

    var hasUrgent: Bool { !urgent.isEmpty }
    var nextWake: MonotonicTime? { nextLook }
}
