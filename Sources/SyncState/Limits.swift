/// Every bound of this module, with its unit and the reason for the number.
package enum Limits {}

// MARK: - Database

extension Limits {
    /// Page of a database file: a quarter more ingest than at 4 KiB, for 30 µs more a small commit.
    package static let pageSizeBytes = 16_384
    /// Page cache of a connection: with one connection a zone, memory is what bounds the zones a box can serve.
    package static let pageCacheBytes = 8 << 20
    /// The log is moved into the file at this size: large enough that a page written often is moved once.
    package static let checkpointBytes = 16 << 20
    /// What the log keeps on disk after a large transaction.
    package static let journalKeptBytes = 32 << 20
}
