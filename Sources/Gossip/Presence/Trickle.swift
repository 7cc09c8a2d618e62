import NodeCore

/// The Trickle timer of RFC 6206: sends soon after an inconsistency, ever more rarely while all agree, and not at all
/// in an interval in which `k` others have said the same.
///
/// The names are the RFC's: I (`interval`), t (`speakAt`), c (`heard`).
struct Trickle: Sendable {
    enum Step: Hashable, Sendable {
        /// A new interval has begun (section 4.2, rule 6); the counter starts again.
        case began
        /// Speak now (rule 4).
        case transmit
        /// It was time to transmit, but enough others had (rule 4).
        case suppressed
    }

    private(set) var interval: Duration
    private(set) var heard = 0
    private var speakAt: MonotonicTime
    private var endAt: MonotonicTime
    private var hasSpoken = false

    /// Begins with the shortest interval. The RFC allows any; a node that starts wants to be found.
    init(now: MonotonicTime, random: inout any RandomSource) {
        interval = Limits.trickleMinimum
        speakAt = now
        endAt = now
        begin(now: now, random: &random)
    }

    /// When `onTimer` is due.
    var deadline: MonotonicTime { hasSpoken ? endAt : speakAt }

    /// The number of consistent transmissions heard in this interval (rule 3). The caller counts, since one beacon
    /// covers several zones.
    mutating func setHeard(_ count: Int) {
        heard = count
    }

    /// Performs the due steps. Never more than one interval at a time: time that passed while the process was suspended
    /// is skipped.
    mutating func onTimer(now: MonotonicTime, random: inout any RandomSource) -> [Step] {
        var steps: [Step] = []
        if !hasSpoken, now >= speakAt {
            hasSpoken = true
            steps.append(heard < Limits.trickleRedundancy ? .transmit : .suppressed)
        }
        if hasSpoken, now >= endAt {
            interval = min(interval * 2, Limits.trickleMaximum)
            begin(now: now, random: &random)
            steps.append(.began)
        }
        return steps
    }

    /// An inconsistency was heard (rule 6). No effect in the shortest interval.
    ///
    /// Returns whether a new interval has begun.
    mutating func reset(now: MonotonicTime, random: inout any RandomSource) -> Bool {
        guard interval > Limits.trickleMinimum else { return false }
        interval = Limits.trickleMinimum
        begin(now: now, random: &random)
        return true
    }

    /// This node has news: like `reset`, but also in a shortest interval in which it has already transmitted. If it has
    /// not, the pending transmission carries the news, so a stream of news never postpones it.
    mutating func announce(now: MonotonicTime, random: inout any RandomSource) -> Bool {
        if interval == Limits.trickleMinimum, !hasSpoken { return false }
        interval = Limits.trickleMinimum
        begin(now: now, random: &random)
        return true
    }

    /// Rule 2: t is in the second half of the interval, which avoids the short-listen problem.
    private mutating func begin(now: MonotonicTime, random: inout any RandomSource) {
        heard = 0
        hasSpoken = false
        speakAt = now + .random(in: interval / 2...interval, using: &random)
        endAt = now + interval
    }
}

extension Duration {
    /// A uniformly random duration in the range.
    static func random(in range: ClosedRange<Duration>, using random: inout any RandomSource) -> Duration {
        .nanoseconds(
            Int64.random(in: range.lowerBound.heldNanoseconds...range.upperBound.heldNanoseconds, using: &random))
    }
}
