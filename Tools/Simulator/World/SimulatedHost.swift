import Gossip
import NodeCore

/// A machine: the state that outlives its node, and the node while it runs.
struct SimulatedHost {
    let index: Int
    let disk: SimulatedDisk
    /// Nil while it is down.
    var node: (any SimulatedNode)?
    /// Switched off: it does not start again by itself.
    var isAsleep = false
    /// It never starts again.
    var isGone = false
    /// It breaks the protocol with all keys that it has. What its user does is no part of the run.
    var isLiar = false
    /// Number of starts.
    var life = 0
    /// Number of moves to another address.
    var moves = 0
    /// Offset of its monotonic clock from the world's: nodes must not compare these.
    var monotonicOffset: Duration
    /// The error of its date.
    var wallOffset: Duration
    /// How fast its date goes, and since when: 0 stands still, -1 runs backwards.
    private var (wallRate, ratedAt) = (1, MonotonicTime.zero)
    /// The number of its latest planned timer, and its time.
    var plan = 0
    var plannedAt: MonotonicTime?
    /// Streams by the node's connection.
    var connections: [ConnectionID: Int] = [:]
    var acceptedConnections: UInt64 = 0
    /// The machine dies at the end of its next turn, after the commit and before anything is sent.
    var diesAfterTurn = false
    var turnsNow = 0
    var lastTurnAt = MonotonicTime.zero

    init(index: Int, disk: SimulatedDisk, monotonicOffset: Duration, wallOffset: Duration) {
        self.index = index
        self.disk = disk
        self.monotonicOffset = monotonicOffset
        self.wallOffset = wallOffset
    }

    /// TCP port of all simulated nodes.
    static let port: UInt16 = 4_000
    static let beaconPort: UInt16 = 21_025
    static let interfaceIndex: UInt32 = 2

    var address: SocketAddress {
        SocketAddress(ipv4: 0x0a00_0000 + UInt32(moves % 200) << 16 + UInt32(index) + 1, port: Self.port)
    }

    var link: PresenceLink {
        PresenceLink(interfaceIndex: Self.interfaceIndex, address: address)
    }

    func turn(at now: MonotonicTime, wall: WallTime) -> Turn {
        Turn(now: now + monotonicOffset, wall: wall + wallOffset + drift(at: now))
    }

    private func drift(at now: MonotonicTime) -> Duration { (now - ratedAt) * (wallRate - 1) }

    mutating func setWallRate(_ rate: Int, at now: MonotonicTime) {
        wallOffset += drift(at: now)
        (wallRate, ratedAt) = (rate, now)
    }
}
