package import NodeCore

/// Bounds a rate: `burst` at once, `perSecond` in the long run.
package struct TokenBucket: Sendable {
    private let burst: Int64
    private let perSecond: Int64
    /// In billionths of a token, so that no fraction is lost however often it is asked.
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

    /// Takes `cost` tokens, or none and returns false. A cost above the burst is taken as the burst.
    package mutating func take(_ cost: Int, now: MonotonicTime) -> Bool {
        refill(now: now)
        let price = min(Int64(cost) * 1_000_000_000, burst)
        guard level >= price else { return false }
        level -= price
        return true
    }

    /// Gives back what was taken and not used.
    package mutating func give(_ cost: Int) { level = min(burst, level + Int64(cost) * 1_000_000_000) }

    private mutating func refill(now: MonotonicTime) {
        guard now > refilledAt else { return }
        let elapsed = (now - refilledAt).heldNanoseconds
        refilledAt = now
        let (gain, overflow) = elapsed.multipliedReportingOverflow(by: perSecond)
        level = overflow || gain > burst - level ? burst : level + gain
    }
}
