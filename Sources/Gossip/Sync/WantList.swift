import NodeCore
import SyncState

/// Which blobs are asked for next, over all sessions of a zone.
///
/// The store knows all that is wanted; here stands a window of it, the most wanted last, and what is on its way.
struct WantList {
    /// Ascending by priority, so that the next is taken from the end.
    private var window: [WantedBlob] = []
    private var windowed: Set<RowID> = []
    private(set) var inFlight: Set<RowID> = []
    /// Lacked by a peer; asked for again then.
    private var resting: [RowID: MonotonicTime] = [:]
    /// Taken before all others, whatever their priority.
    private var urgent: [WantedBlob] = []

    /// A record with a blob just came in.
    mutating func add(_ wanted: WantedBlob, isUrgent: Bool) {
        guard !inFlight.contains(wanted.row), !windowed.contains(wanted.row) else { return }
        if isUrgent, urgent.count < Limits.wantWindow {
            windowed.insert(wanted.row)
            urgent.append(wanted)
            return
        }
        // Less wanted than all of a full window: the store gives it when its turn comes.
        guard let least = window.first, window.count < Limits.wantWindow || wanted.priority > least.priority else {
            return
        }
        insert(wanted)
        if window.count > Limits.wantWindow { windowed.remove(window.removeFirst().row) }
    }

    private mutating func insert(_ wanted: WantedBlob) {
        var low = 0
        var high = window.count
        while low < high {
            let middle = (low + high) / 2
            if window[middle].priority <= wanted.priority { low = middle + 1 } else { high = middle }
        }
        window.insert(wanted, at: low)
        windowed.insert(wanted.row)
    }

    /// Fills the window from the store, where it runs low.
    mutating func refill(from store: ZoneStore, now: MonotonicTime) throws {
        if !resting.isEmpty {
            resting = resting.filter { $0.value > now }
        }
        let known = inFlight.count + resting.count + window.count + urgent.count
        guard window.count < Limits.wantWindow / 8, store.wantedCount > known else { return }
        let found = try store.wanted(limit: known + Limits.wantWindow)
        window = found.reversed().filter { !inFlight.contains($0.row) && resting[$0.row] == nil }
        windowed = Set(window.map(\.row))
        urgent.removeAll { windowed.contains($0.row) || inFlight.contains($0.row) }
        for wanted in urgent { windowed.insert(wanted.row) }
    }

    /// The next blobs that a peer can be asked for.
    mutating func take(
        upTo sizeBytes: Int, most: Int, where canAsk: (WantedBlob) -> Bool
    ) -> (urgent: [WantedBlob], others: [WantedBlob]) {
        var budget = sizeBytes
        var left = most
        let first = Self.take(from: &urgent, &budget, &left, canAsk)
        let others = Self.take(from: &window, &budget, &left, canAsk)
        for wanted in first + others {
            windowed.remove(wanted.row)
            inFlight.insert(wanted.row)
        }
        return (first, others)
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
    mutating func done(_ row: RowID) { inFlight.remove(row) }

    /// The peer that was asked is gone.
    mutating func giveBack(_ wanted: ArraySlice<WantedBlob>) {
        for want in wanted {
            inFlight.remove(want.row)
            insert(want)
        }
    }

    /// The peer that was asked lacks it.
    mutating func rest(_ wanted: WantedBlob, until time: MonotonicTime) {
        inFlight.remove(wanted.row)
        resting[wanted.row] = time
    }

    /// Something changed at a peer: what was lacked may be there now.
    mutating func wake() { resting = [:] }

    mutating func reset() { self = WantList() }

    var hasUrgent: Bool { !urgent.isEmpty }
    var nextWake: MonotonicTime? { resting.values.min() }
}
