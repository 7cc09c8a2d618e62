/// The wait before the next attempt: it doubles each time, with some randomness.
struct Pause {
    private var next = Limits.firstPause

    mutating func reset() { next = Limits.firstPause }

    /// - Parameters:
    ///   - least: seconds that the node asked for, capped at `Limits.askedPauseSeconds`.
    ///   - chance: from 0 up to 1.
    mutating func take(least: Int? = nil, chance: Double) -> Duration {
        defer { next = min(next * 2, Limits.longestPause) }
        return max(next + next * (chance / 4), .seconds(min(least ?? 0, Limits.askedPauseSeconds)))
    }

    /// Waits.
    ///
    /// - Throws: `cancelled`.
    mutating func wait(after error: ClientError?) async throws(ClientError) {
        let pause = take(least: error?.retryAfterSeconds, chance: .random(in: 0..<1))
        do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    }
}
