/// Order in which a session sends queued messages. A lower priority always goes first, so that a read marker never
/// waits behind a backlog.
package enum SendPriority: Int, CaseIterable, Sendable {
    case control
    case records
    case recentBlobs
    case backfill
}
