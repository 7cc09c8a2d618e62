package import NodeCore

/// When something happens to a node, as its own clocks tell it.
package struct Turn: Sendable {
    package let now: MonotonicTime
    /// The date that this machine believes in.
    package let wall: WallTime

    package init(now: MonotonicTime, wall: WallTime) {
        self.now = now
        self.wall = wall
    }
}
