import NodeCore
import SyncState

/// Which blobs are asked for next, over all sessions of a zone.
///
/// The store knows all that is wanted; here stands a window of it, the most wanted last, and what is on its way. What
/// no peer can be asked for is left out until the next look at the store, so that it does not stand in the way of the
/// rest.
struct WantList {
    /// Ascending by priority, so that the next is taken from the end.
    private var window: [WantedBlob] = []
    private var windowed: Set<RowID> = []
    private(set) var inFlight: Set<RowID> = []
    /// Of these, asked for because the user waits.
    private var raisedInFlight: Set<RowID> = []
    /// Asked for by the user: taken before all others, and beyond what a session may have in flight.
    private var raised: [WantedBlob] = []
    /// Taken before the rest, whatever their priority.
    private var urgent: [WantedBlob] = []
    /// How far down the store was looked through; only meant where something was left out.
    private var lowest: WantedBlob?
    private var leftOut = 0
    /// The store was looked through to its end.
    private var isAtEnd = false
    /// When the store is looked through from the top again.
    private var nextLook: MonotonicTime?
    private var pause = Limits.missingRetryLeast

    /// A record with a blob just came in.
    mutating func add(_ wanted: WantedBlob, isUrgent: Bool) {
        guard !inFlight.contains(wanted.row), !windowed.contains(wanted.row) else { return }
        if isUrgent, urgent.count < Limits.wantWindow {
            windowed.insert(wanted.row)
            urgent.append(wanted)
            return
        }
        // Less wanted than all of a full window: the store gives it when its turn comes.
        let isWanted = window.first.map { window.count < Limits.wantWindow || wanted.priority > $0.priority }
        guard isWanted ?? leavesOut else { return }
        insert(wanted)
        if window.count > Limits.wantWindow { windowed.remove(window.removeFirst().row) }
    }

    /// The user waits for what is in it: what is on its way behind a backlog is asked for once more.
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

    /// The raised ones that a peer can be asked for, the latest first.
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
        var low = 0
        var high = window.count
        while low < high {
            let middle = (low + high) / 2
            if window[middle].priority <= wanted.priority { low = middle + 1 } else { high = middle }
        }
        window.insert(wanted, at: low)
    }

    /// Fills the window from the store, where it runs low.
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

    /// Whether the window is to be filled.
    var isLow: Bool { window.count < Limits.wantWindow / 8 }

    /// The next blobs that a peer can be asked for. `isDrained`: there is none left for that peer.
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

    /// A blob is stored, or not wanted any more.
    mutating func done(_ row: RowID) {
        forgetInFlight(row)
        // It was given back, and the peer that was asked first answered after all.
        guard windowed.remove(row) != nil else { return }
        window.removeAll { $0.row == row }
        urgent.removeAll { $0.row == row }
        raised.removeAll { $0.row == row }
    }

    /// The peer that was asked is gone, or takes too long.
    mutating func giveBack(_ wanted: ArraySlice<WantedBlob>) {
        for want in wanted where forgetInFlight(want.row) { insert(want) }
    }

    /// True if it was on its way.
    @discardableResult
    private mutating func forgetInFlight(_ row: RowID) -> Bool {
        raisedInFlight.remove(row)
        return inFlight.remove(row) != nil
    }

    // MARK: What nobody has

    /// The peer that was asked lacks it, and no other can be asked.
    mutating func leaveOut(_ wanted: WantedBlob, now: MonotonicTime) {
        forgetInFlight(wanted.row)
        leftOut += 1
        planLook(now)
    }

    /// Leaves out what no peer can be asked for; how many those were.
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

    /// True where it is time to ask all peers again for what was left out.
    mutating func looksAgain(now: MonotonicTime) -> Bool {
        guard let due = nextLook, due <= now else { return false }
        nextLook = nil
        lowest = nil
        leftOut = 0
        isAtEnd = false
        pause = min(pause * 2, Limits.missingRetryMost)
        return true
    }

    /// Something changed at a peer: what was lacked may be there now.
    mutating func wake(now: MonotonicTime) {
        pause = Limits.missingRetryLeast
        guard let due = nextLook else { return }
        nextLook = min(due, now + currentPause)
    }

    /// Whether the store is not looked at from the top, so that what comes in has to be told.
    var leavesOut: Bool { leftOut > 0 }

    private mutating func planLook(_ now: MonotonicTime) {
        if nextLook == nil { nextLook = now + currentPause }
    }

    /// The more is left out, the more a look costs.
    private var currentPause: Duration {
        min(max(pause, .milliseconds(leftOut)), Limits.missingRetryMost)
    }

    mutating func reset() { self = WantList() }

    var hasUrgent: Bool { !urgent.isEmpty }
    var nextWake: MonotonicTime? { nextLook }
}
