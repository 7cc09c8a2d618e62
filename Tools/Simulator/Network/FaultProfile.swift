package import NodeCore

/// The severity of a run's faults. All rates are per unit of virtual time or per item sent.
package struct FaultProfile: Hashable, Sendable {
    /// Share of datagrams that are lost, duplicated, or corrupted.
    package var datagramLoss = 0.0
    package var datagramDuplication = 0.0
    package var datagramCorruption = 0.0
    /// Share of stream pieces that are corrupted: the session's cipher must detect it.
    package var streamCorruption = 0.0
    /// Fixed delay of each direction, and the maximum random addition.
    package var latency = Duration.microseconds(200)
    package var jitter = Duration.milliseconds(1)
    /// For each direction of a stream.
    package var bytesPerSecond = 50_000_000
    /// Mean time between such faults in the whole world; nil for none.
    package var crashEvery: Duration?
    package var partitionEvery: Duration?
    package var resetEvery: Duration?
    package var moveEvery: Duration?
    package var clockJumpEvery: Duration?
    package var fullDiskEvery: Duration?
    /// Maximum error of dates at the start, in either direction.
    package var clockSkew = Duration.zero

    package init() {}

    /// No faults.
    package static let calm = FaultProfile()

    /// A mixture drawn from the seed: some runs are nearly calm, some are wild.
    package static func drawn(over span: Duration, random: inout any RandomSource) -> FaultProfile {
        func share(_ most: Double) -> Double {
            Bool.random(using: &random) ? 0 : Double.random(in: 0...most, using: &random)
        }
        let nanoseconds = max(span.heldNanoseconds, 1_000)
        /// Either none, or between that many and one in the whole time.
        func every(_ most: Int64) -> Duration? {
            guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
            return .nanoseconds(Int64.random(in: nanoseconds / most...nanoseconds, using: &random))
        }
        var profile = FaultProfile()
        profile.datagramLoss = share(0.4)
        profile.datagramDuplication = share(0.1)
        profile.datagramCorruption = share(0.05)
        profile.streamCorruption = share(0.002)
        profile.latency = .microseconds(Int.random(in: 100...30_000, using: &random))
        profile.jitter = .microseconds(Int.random(in: 0...80_000, using: &random))
        profile.bytesPerSecond = 10_000 << Int.random(in: 0...12, using: &random)
        profile.crashEvery = every(30)
        profile.partitionEvery = every(30)
        profile.resetEvery = every(40)
        profile.moveEvery = every(8)
        profile.clockJumpEvery = every(8)
        profile.fullDiskEvery = every(10)
        profile.clockSkew = .seconds([0, 5, 3_600, 400_000_000].randomElement(using: &random) ?? 0)
        return profile
    }
}

extension FaultProfile: CustomStringConvertible {
    /// One line for the report.
    package var description: String {
        func percent(_ share: Double) -> String { "\(Double(Int(share * 10_000)) / 100) %" }
        func each(_ every: Duration?) -> String { every.map { "every \($0.components.seconds) s" } ?? "none" }
        return """
            datagrams lost \(percent(datagramLoss)), doubled \(percent(datagramDuplication)), changed \
            \(percent(datagramCorruption)); stream pieces changed \(percent(streamCorruption)); latency \
            \(latency.heldNanoseconds / 1_000) + \(jitter.heldNanoseconds / 1_000) us, \(bytesPerSecond / 1_000) kB/s; \
            crashes \(each(crashEvery)), partitions \(each(partitionEvery)), resets \(each(resetEvery)), moves \
            \(each(moveEvery)), clock jumps \(each(clockJumpEvery)), \
            full disks \(each(fullDiskEvery)), clocks wrong by up to \
            \(clockSkew.components.seconds) s
            """
    }
}

/// A partition of the network: packets from these do not reach those.
struct Partition: Hashable, Sendable {
    let number: Int
    /// Indexed by node.
    let isSender: [Bool]
    let isReceiver: [Bool]

    func cuts(from sender: Int, to receiver: Int) -> Bool {
        isSender[sender] && isReceiver[receiver]
    }
}
