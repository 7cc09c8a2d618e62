import NodeCore

extension Duration {
    /// Evenly distributed between two durations.
    static func random(in range: ClosedRange<Duration>, using random: inout any RandomSource) -> Duration {
        .nanoseconds(
            Int64.random(in: range.lowerBound.heldNanoseconds...range.upperBound.heldNanoseconds, using: &random))
    }
}
