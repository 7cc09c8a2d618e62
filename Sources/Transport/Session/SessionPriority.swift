/// The order in which a session sends what waits. A lower case goes first, however much waits in the others.
package enum SessionPriority: Int, CaseIterable, Comparable, Sendable {
    case control
    case records
    case recentBlobs
    case backfill

    package static func < (left: SessionPriority, right: SessionPriority) -> Bool { left.rawValue < right.rawValue }
}
