package import NodeCore

/// The time of a node's turn, by its own clocks.
package struct Turn: Sendable {
    package let now: MonotonicTime
    /// The date that this machine believes in.
    package let wall: WallTime

    package init(now: MonotonicTime, wall: WallTime) {
        self.now = now
        self.wall = wall
    }
}
