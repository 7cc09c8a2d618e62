import NodeCore

/// Hits that wait until no newer one can come, the newest first.
struct SearchHits {
    struct Hit {
        var time: UInt64
        var txid: TxID

        func isNewer(than other: Hit) -> Bool {
            time == other.time ? txid > other.txid : time > other.time
        }
    }

    private var hits: [Hit] = []
    private var taken = 0
    /// Given out: a message that moves while it is looked for is met twice.
    private var given: Set<TxID> = []
    /// How many may still be given out.
    private(set) var wanted: Int

    init(wanted: Int) { self.wanted = wanted }

    var isEmpty: Bool { taken == hits.count }

    mutating func insert(_ hit: Hit) {
        // Hits come nearly in order, so the place is near the end.
        var place = hits.count
        while place > taken, hit.isNewer(than: hits[place - 1]) { place -= 1 }
        let isThere = place > taken && hits[place - 1].txid == hit.txid
        guard place - taken < Limits.searchHits, !isThere, !given.contains(hit.txid) else { return }
        hits.insert(hit, at: place)
        if hits.count - taken > Limits.searchHits { hits.removeLast() }
    }

    /// Takes the newest, where nothing newer than `time` can come.
    mutating func take(newerThan time: UInt64?) -> Hit? {
        guard wanted > 0, !isEmpty, time.map({ hits[taken].time > $0 }) ?? true else { return nil }
        defer {
            taken += 1
            if taken > 1_024 {
                hits.removeFirst(taken)
                taken = 0
            }
        }
        return hits[taken]
    }

    /// One that was taken is given out.
    mutating func give(_ hit: Hit) -> Bool {
        guard given.insert(hit.txid).inserted else { return false }
        wanted -= 1
        return true
    }
}
