package import NodeCore

/// Limits the work that datagrams may cause, whoever sends them.
///
/// Three limits: each address has a rate; unknown addresses share one budget of hashes; addresses whose beacon was
/// recognised lately have another, which a flood from invented addresses cannot use up.
struct DatagramBudget: Sendable {
    private struct Source: Sendable {
        var bucket: TokenBucket
        var usedAt: MonotonicTime
        /// Set while a beacon from this source was recognised lately.
        var memberUntil: MonotonicTime?
    }

    private var sources: [SocketAddress: Source] = [:]
    private var strangers: TokenBucket
    private var members: TokenBucket

    init(now: MonotonicTime) {
        strangers = Self.bucket(Limits.strangerHashesPerSecond, now: now)
        members = Self.bucket(Limits.memberHashesPerSecond, now: now)
    }

    /// Whether a datagram from this source may cost that many hashes now; if so, deducts them.
    mutating func admit(_ host: SocketAddress, hashes: Int, now: MonotonicTime) -> Bool {
        let isMember = sources[host]?.memberUntil.map { now < $0 } ?? false
        // The shared budget is checked first, so that refused datagrams leave no trace in the table of sources.
        guard isMember ? members.take(hashes, now: now) : strangers.take(hashes, now: now) else { return false }
        if sources[host] == nil {
            if sources.count >= Limits.knownSources { evict(now: now) }
            let bucket = TokenBucket(
                burst: Limits.sourceDatagramsBurst, perSecond: Limits.sourceDatagramsPerSecond, now: now
            )
            sources[host] = Source(bucket: bucket, usedAt: now, memberUntil: nil)
        }
        sources[host]?.usedAt = now
        return sources[host]?.bucket.take(1, now: now) ?? false
    }

    /// A beacon from this source was recognised.
    mutating func recognised(_ host: SocketAddress, now: MonotonicTime) {
        sources[host]?.memberUntil = now + Limits.beaconExpiry
    }

    /// Drops the source unused for longest, preferring strangers, so that inventing addresses evicts no member.
    private mutating func evict(now: MonotonicTime) {
        func rank(_ entry: (key: SocketAddress, value: Source)) -> (Int, MonotonicTime, SocketAddress) {
            let isMember = entry.value.memberUntil.map { now < $0 } ?? false
            return (isMember ? 1 : 0, entry.value.usedAt, entry.key)
        }
        // The order of a dictionary does not affect a minimum over distinct ranks.
        if let oldest = sources.min(by: { rank($0) < rank($1) }) { sources[oldest.key] = nil }
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
