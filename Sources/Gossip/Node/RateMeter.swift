package import NodeCore
package import SyncState

/// The rate at which blobs arrive, over the last seconds.
package struct RateMeter: Sendable {
    private struct Sample {
        let at: MonotonicTime
        let sum: BlobSum
    }

    /// Ascending in time: the samples of the window, and the one before it.
    private var samples: [Sample] = []

    package init() {}

    /// - Parameter sum: everything received so far.
    package mutating func note(_ sum: BlobSum, now: MonotonicTime) {
        guard samples.last.map({ now - $0.at >= Limits.rateStep }) ?? true else { return }
        samples.append(Sample(at: now, sum: sum))
        while samples.count > 2, samples[1].at + Limits.rateWindow <= now { samples.removeFirst() }
    }

    /// Bytes and messages per second; zero if nothing came in the window.
    ///
    /// - Parameter sum: everything received so far.
    package func perSecond(_ sum: BlobSum, now: MonotonicTime) -> (bytes: Double, messages: Double) {
        let from = samples.first { $0.at + Limits.rateWindow >= now } ?? samples.last
        guard let from, from.at < now else { return (0, 0) }
        let seconds = max((now - from.at) / .seconds(1), Limits.rateStep / .seconds(1))
        return (Double(sum.bytes - from.sum.bytes) / seconds, Double(sum.messages - from.sum.messages) / seconds)
    }
}
