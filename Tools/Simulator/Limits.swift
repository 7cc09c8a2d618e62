/// Bounds of the simulated world, with units and reasons.
package enum Limits {
    /// A TCP stream that gets nothing across for that long is given up by both ends.
    static let streamStall = Duration.seconds(15)
    /// How often a held-up stream tries again.
    static let streamRetry = Duration.milliseconds(200)
    /// A connection attempt without an answer.
    static let connectTimeout = Duration.seconds(5)
    /// After the faults have ended and the last write was flushed, all must agree within this time.
    static let agreement = Duration.seconds(1_800)
    /// The workload's last doings come within this time after the faults have ended.
    static let stragglers = Duration.seconds(30)
    /// How often agreement is looked for.
    static let agreementPoll = Duration.seconds(5)
    /// Trickle reaches its longest interval in 64 s; after this all is as quiet as it gets.
    static let settling = Duration.seconds(600)
    /// How long idle beacons are counted.
    static let idleWindow = Duration.seconds(300)
    /// How long a single change may take until the run says that it never arrived.
    static let change = Duration.seconds(120)
    /// Events of one run. A node whose timer is always due would otherwise never let time pass.
    static let events = 200_000_000
    /// Turns of one node at one moment of virtual time: more is a timer that does not move.
    static let turnsAtOneMoment = 100_000
    /// Lines of the story that are kept; what does not fit is counted.
    static let storyLines = 2_000
    /// Stubs that are looked at: more than a workload makes.
    static let listedStubs = 1_000
    /// Days after which a silent device is given up in a person's day, which has few.
    static let daysUntilGivenUp = 3
    /// Nodes of a run.
    package static let nodes = 2...500
}
