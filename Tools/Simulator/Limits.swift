/// Limits of the simulated world, with units and reasons.
package enum Limits {
    /// Both ends give up a TCP stream that makes no progress for this long.
    static let streamStall = Duration.seconds(15)
    /// Interval at which a stalled stream retries.
    static let streamRetry = Duration.milliseconds(200)
    /// Time-out of a connection attempt.
    static let connectTimeout = Duration.seconds(5)
    /// After the faults have ended and the last write was flushed, all must agree within this time.
    static let agreement = Duration.seconds(1_800)
    /// The workload's last actions come within this time after the end of the faults.
    static let stragglers = Duration.seconds(30)
    /// A store that failed again and again rests for 40 s at most: then it must work.
    static let storeRest = Duration.seconds(45)
    /// Interval at which agreement is checked.
    static let agreementPoll = Duration.seconds(5)
    /// The longest time that a machine is down.
    static let restarts = Duration.seconds(120)
    /// Trickle reaches its longest interval in 64 s; after this, everything is as quiet as it gets.
    static let settling = Duration.seconds(600)
    /// Time for which idle beacons are counted.
    static let idleWindow = Duration.seconds(300)
    /// After this time the run reports that a single change never arrived.
    static let change = Duration.seconds(120)
    /// Maximum events of one run. Otherwise a node whose timer is always due would stop time.
    static let events = 200_000_000
    /// Turns of each node in a run of an hour or less with a device that lies; the most in 100 runs was 5,715.
    static let turnsAnHour = 20_000
    /// Turns of one node at one moment of virtual time: more mean a timer that does not advance.
    static let turnsAtOneMoment = 100_000
    /// Lines kept of the story; the rest is counted.
    static let storyLines = 2_000
    /// Stubs examined: more than a workload makes.
    static let listedStubs = 1_000
    /// Size of a simulated disk's log from which on it is moved into the file. Simulated nodes write little: at the
    /// product's bound it never would be.
    static let checkpointBytes = 1 << 20
    /// Number of nodes in a run.
    package static let nodes = 2...500
}
