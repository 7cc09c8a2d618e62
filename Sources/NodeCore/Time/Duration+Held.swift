extension Duration {
    /// Whole nanoseconds, clamped to the range of `Int64` (292 years).
    package var heldNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return whole.addingHeld(attoseconds / 1_000_000_000)
    }

    /// Whole milliseconds, clamped to the range of `Int64`.
    package var heldMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return whole.addingHeld(attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    /// The sum, clamped to the range.
    func addingHeld(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the range.
    func subtractingHeld(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
