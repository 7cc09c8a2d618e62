import ProcessHarness

extension [Double] {
    var median: Double { percentile(0.5) }

    /// The value that this share of all values does not exceed.
    func percentile(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

extension Stopwatch {
    var milliseconds: Double { elapsed / .milliseconds(1) }
    var seconds: Double { elapsed / .seconds(1) }
}

extension [Int64] {
    /// A count, and the nanoseconds that it took.
    var perSecond: Double { Double(self[0]) / (Double(self[1]) / 1e9) }
}

extension Double {
    /// With an appropriate number of digits.
    var short: String {
        guard isFinite else { return "-" }
        let digits = magnitude >= 1_000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 1 ? 2 : 4
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = (self * scale).rounded() / scale
        return digits == 0 ? "\(Int64(rounded))" : "\(rounded)"
    }
}
