/// The order in which a session sends what waits: a lower one goes first, however much waits in the others, so that a
/// marker never waits behind a backlog.
package enum SendPriority: Int, CaseIterable, Comparable, Sendable {
    case control
    case records
    case recentBlobs
    case backfill

    package static func < (left: SendPriority, right: SendPriority) -> Bool { left.rawValue < right.rawValue }
}
