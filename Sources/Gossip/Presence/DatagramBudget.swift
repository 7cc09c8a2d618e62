import NodeCore

/// Bounds the work that datagrams may cause, whoever sends them.
///
/// Three fences: each address has a rate; unknown addresses share one budget of hashes; addresses whose beacon was
/// recognised lately have another, which a flood from invented addresses cannot use up.
struct DatagramBudget: Sendable {
    private struct Source: Sendable {
        var bucket: TokenBucket
        var usedAt: MonotonicTime
        /// Set while a beacon from here was recognised lately.
        var memberUntil: MonotonicTime?
    }

    private var sources: [SocketAddress: Source] = [:]
    private var strangers: TokenBucket
    private var members: TokenBucket

    init(now: MonotonicTime) {
        strangers = Self.bucket(Limits.strangerHashesPerSecond, now: now)
        members = Self.bucket(Limits.memberHashesPerSecond, now: now)
    }

    /// Whether a datagram of this source may cost so many hashes now; takes them if so.
    mutating func admit(_ host: SocketAddress, hashes: Int, now: MonotonicTime) -> Bool {
        let isMember = sources[host]?.memberUntil.map { now < $0 } ?? false
        // The shared budget first: what it refuses leaves no mark in the table of sources.
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

    /// A beacon of this source was recognised.
    mutating func recognised(_ host: SocketAddress, now: MonotonicTime) {
        sources[host]?.memberUntil = now + Limits.beaconExpiry
    }

    /// Drops the source unused for longest: a stranger if there is one, so that inventing addresses evicts no member.
    private mutating func evict(now: MonotonicTime) {
        func rank(_ entry: (key: SocketAddress, value: Source)) -> (Int, MonotonicTime, SocketAddress) {
            let isMember = entry.value.memberUntil.map { now < $0 } ?? false
            return (isMember ? 1 : 0, entry.value.usedAt, entry.key)
        }
        // The order of a dictionary does not matter to a minimum over distinct ranks.
        if let oldest = sources.min(by: { rank($0) < rank($1) }) { sources[oldest.key] = nil }
    }

    private static func bucket(_ perSecond: Int, now: MonotonicTime) -> TokenBucket {
        TokenBucket(burst: perSecond, perSecond: perSecond, now: now)
    }
}
