package import NodeCore

/// Every bound of this module, with its unit and the reason for the number.
package enum Limits {}

// MARK: - Database

extension Limits {
    /// Page of a database file: a quarter more ingest than at 4 KiB, for 30 µs more a small commit.
    package static let pageSizeBytes = 16_384
    /// Page cache of a connection: with one connection a zone, memory is what bounds the zones a box can serve.
    package static let pageCacheBytes = 8 << 20
    /// The log is moved into the file at this size: large enough that a page written often is moved once, small enough
    /// that a start after a crash reads it in some tens of milliseconds.
    package static let checkpointBytes = 32 << 20
    /// What the log keeps on disk after a large transaction.
    package static let journalKeptBytes = 32 << 20
    /// Pages of a database without a quota: SQLite's own bound, 16 TiB with pages of this size.
    static let databasePages = 1_073_741_823
    /// A store that met its quota is tried again when this much room is left (or that share of the quota, if it is
    /// less): what one turn can bring from a few peers.
    package static let quotaReserveBytes = 4 << 20
    static let quotaReserveShare = 8
}

// MARK: - Packed index

extension Limits {
    /// Bytes of a packed leaf: with its row header it just fits a page, so that no leaf has an overflow page, and each
    /// page holds one leaf and is overwritten in place.
    package static let leafBytes = 16_000
    /// Longest key of a packed index, in bytes: a leaf must hold many, and the longest in use has 28.
    package static let packedKeyBytes = 64
}

// MARK: - Store

extension Limits {
    /// Longest record on the wire and in the store. What is longer goes into a blob.
    package static let recordSizeBytes = 4_096
    /// Longest blob: a segment of 128 KiB of messages with its inline attachments, sealed.
    package static let blobSizeBytes = 262_144
    /// Lanes of one zone. A lane is a device key; fresh starts and new devices make more, very slowly.
    package static let lanes = 4_096
    /// Of these, kept for this device: one for each fresh start.
    package static let lanesKept = 64
    /// Highest seq: 44 bits of a row's id. At a thousand records a second it lasts 550 years.
    package static let highestSeq: UInt64 = (1 << 44) - 1
    /// Records held at one seq of one lane. Two mean a fork; more come only from a home cloned over and over.
    package static let forksPerSeq = 128
    package static let highestKeyVersion: UInt64 = 0xffff_ffff
    /// Rows of one page.
    package static let pageRows = 1_024
    /// Slot entries kept in memory (2 MiB) before they go to the packed index in one sorted batch.
    package static let slotTailEntries = 32_768
    /// Bits of the filter before the slot index (256 KiB; a power of two): of 200,000 slots one in thirty passes for
    /// another, of a million a third.
    static let slotFilterBits: UInt64 = 1 << 21
}

// MARK: - Compression

extension Limits {
    /// zstd's fast default. The compressor of 1.5.4 had a rare fault at levels above 12; every result is verified.
    package static let compressionLevel: Int32 = 3
}

// MARK: - Registers

extension Limits {
    /// Highest revision: what every JSON reader keeps exactly, and far from where adding to it overflows.
    package static let revision: UInt64 = (1 << 53) - 1
    /// Plausible times of a correction, 2020 to 2100: a clock beyond them wins over no other for ever.
    package static let revisionTimes =
        WallTime(milliseconds: 1_577_836_800_000)...WallTime(milliseconds: 4_102_444_800_000)
    /// Who paused an account, in UTF-8.
    package static let pausedByBytes = 64
}

// MARK: - Groups

extension Limits {
    /// Roots in one membership: with 70 bytes each they fit a record beside the rest. A group with more removals than
    /// that tells its first epoch and the newest ones.
    package static let membershipRoots = 24
}
