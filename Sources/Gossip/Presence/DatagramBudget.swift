package import NodeCore

/// Limits the work that datagrams may cause, no matter who sends them.
///
/// Addresses whose beacon was recognised lately have a budget of hashes that a flood from invented addresses cannot use
/// up, and all addresses share another one. While more than half of that is left, no address has a limit: a flood may
/// come from the address of a device of ours, or name it as its source. Below, each has a rate, so that a heavy sender
/// leaves the rest to the others.
struct DatagramBudget: Sendable {
    private struct Source: Sendable {
        var bucket: TokenBucket
        /// Set while a beacon from this source was recognised lately.
        var memberUntil: MonotonicTime?
    }

    private var sources: [SocketAddress: Source] = [:]
    private var common: TokenBucket
    private var members: TokenBucket

    init(now: MonotonicTime) {
        common = Self.bucket(Limits.commonHashesPerSecond, now: now)
        members = Self.bucket(Limits.memberHashesPerSecond, now: now)
    }

    /// Whether a datagram from this source may cost that many hashes now; if so, deducts them.
    mutating func admit(_ host: SocketAddress, hashes: Int, now: MonotonicTime) -> Bool {
        if let until = sources[host]?.memberUntil, now < until, members.take(hashes, now: now) { return true }
        // This comes first, so that datagrams that nobody can afford leave no trace in the table of sources.
        guard common.take(hashes, now: now) else { return false }
        guard !common.isScarce || takeShare(host, now: now) else {
            common.give(hashes)
            return false
        }
        return true
    }

    /// Notes that a beacon from this source was recognised.
    mutating func recognised(_ host: SocketAddress, now: MonotonicTime) {
        insert(host, now: now)
        sources[host]?.memberUntil = now + Limits.beaconExpiry
    }

    private mutating func takeShare(_ host: SocketAddress, now: MonotonicTime) -> Bool {
        insert(host, now: now)
        return sources[host]?.bucket.take(1, now: now) ?? false
    }

    private mutating func insert(_ host: SocketAddress, now: MonotonicTime) {
        guard sources[host] == nil else { return }
        if sources.count >= Limits.knownSources { makeRoom(now: now) }
        let bucket = TokenBucket(
            burst: Limits.sourceDatagramsBurst, perSecond: Limits.sourceDatagramsPerSecond, now: now)
        sources[host] = Source(bucket: bucket)
    }

    /// Forgets all strangers at once, which costs less than to look for one of them each time: inventing addresses
    /// evicts no member. If there are only members, the one that was recognised least recently goes.
    private mutating func makeRoom(now: MonotonicTime) {
        sources = sources.filter { $0.value.memberUntil.map { now < $0 } ?? false }
        guard sources.count >= Limits.knownSources else { return }
        // The order of a dictionary does not affect a minimum over distinct ranks.
        let oldest = sources.min { ($0.value.memberUntil ?? now, $0.key) < ($1.value.memberUntil ?? now, $1.key) }
        if let oldest { sources[oldest.key] = nil }
    }

    private static func bucket(_ perSecond: Int, now: MonotonicTime) -> TokenBucket {
        TokenBucket(burst: perSecond, perSecond: perSecond, now: now)
    }
}

/// Limits a rate: `burst` at once, `perSecond` in the long run.
package struct TokenBucket: Sendable {
    private let burst: Int64
    private let perSecond: Int64
    /// In billionths of a token, so that frequent calls lose no fraction.
    private var level: Int64
    private var refilledAt: MonotonicTime

    /// - Precondition: both are positive and below two billion.
    package init(burst: Int, perSecond: Int, now: MonotonicTime) {
        precondition(burst > 0 && perSecond > 0 && burst < 2_000_000_000, "invariant: a bucket holds something")
        self.burst = Int64(burst) * 1_000_000_000
        self.perSecond = Int64(perSecond)
        level = self.burst
        refilledAt = now
    }

    /// Deducts `cost` tokens, or none and returns false. A cost above the burst counts as the burst.
    package mutating func take(_ cost: Int, now: MonotonicTime) -> Bool {
        refill(now: now)
        let price = min(Int64(cost) * 1_000_000_000, burst)
        guard level >= price else { return false }
        level -= price
        return true
    }

    /// Whether less than half of the burst is left.
    package var isScarce: Bool { level < burst / 2 }

    /// Returns tokens that were deducted and not used.
    package mutating func give(_ cost: Int) { level = min(burst, level + Int64(cost) * 1_000_000_000) }

    private mutating func refill(now: MonotonicTime) {
        guard now > refilledAt else { return }
        let elapsed = (now - refilledAt).heldNanoseconds
        refilledAt = now
        let (gain, overflow) = elapsed.multipliedReportingOverflow(by: perSecond)
        level = overflow || gain > burst - level ? burst : level + gain
    }
}
