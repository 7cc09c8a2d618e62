package import NodeCore

/// One entry of the feed, as a reader is given it. It never changes afterwards.
package struct ChangeEntry: Equatable, Sendable {
    /// From 1, without a gap, in the order of the commits.
    package let number: UInt64
    package let at: WallTime
    package let token: ChangeToken
    package let group: ChangeGroup
}
