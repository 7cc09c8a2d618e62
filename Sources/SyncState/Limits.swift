package import NodeCore

/// Every bound of this module, with its unit and the reason for the number.
package enum Limits {}

// MARK: - Database

extension Limits {
    /// Page size of a database file: ingest is a quarter faster than at 4 KiB, and a small commit takes 30 µs longer.
    package static let pageSizeBytes = 16_384
    /// Page cache of a connection. With one connection per zone, memory limits how many zones a box can serve.
    package static let pageCacheBytes = 8 << 20
    /// The log is moved into the file at this size: large enough that a page written often is moved once, small enough
    /// that a start after a crash reads it in some tens of milliseconds.
    package static let checkpointBytes = 32 << 20
    /// Disk space that the log keeps after a large transaction.
    package static let journalKeptBytes = 32 << 20
    /// Bytes of the log that are read and written at once when it is written again. SQLite's own file layer takes less
    /// than 128 KiB in one call, and reports more as a full disk.
    static let rewrittenBytes = 1 << 16
    /// Pages of a database without a quota: SQLite's own limit, 16 TiB with pages of this size.
    static let databasePages = 1_073_741_823
    /// A store that reached its quota is tried again when this much room is left (or that share of the quota, if it is
    /// less): the amount that one turn can bring from a few peers.
    package static let quotaReserveBytes = 4 << 20
    static let quotaReserveShare = 8
    /// Bytes beyond the quota for a change that makes room: the records of one removal, and pages that are rewritten.
    static let quotaExcessBytes = 4 << 20
}

// MARK: - Packed index

extension Limits {
    /// Size of a packed leaf: with its row header it just fits a page. So no leaf has an overflow page, and each page
    /// holds one leaf and is overwritten in place.
    package static let leafBytes = 16_000
    /// Longest key of a packed index, in bytes: a leaf must hold many, and the longest in use has 28.
    package static let packedKeyBytes = 64
}

// MARK: - Store

extension Limits {
    /// Longest record on the wire and in the store. Longer content goes into a blob.
    package static let recordSizeBytes = 4_096
    /// Longest blob: a segment of 128 KiB of messages with its inline attachments, sealed.
    package static let blobSizeBytes = 262_144
    /// Lanes of one zone. A lane is a device key; fresh starts and new devices add some, very slowly.
    package static let lanes = 4_096
    /// Lanes reserved for this device: one for each fresh start.
    package static let lanesKept = 64
    /// Highest seq: 44 bits of a row's id. At a thousand records a second it lasts 550 years.
    package static let highestSeq: UInt64 = (1 << 44) - 1
    /// Highest number of a blob here, in order of arrival: 39 bits of a message's place in the chat's index.
    package static let highestArrival: Int64 = (1 << 39) - 1
    /// Records held at one seq of one lane. Two mean a fork; more only occur if a home is cloned repeatedly.
    package static let forksPerSeq = 128
    package static let highestKeyVersion: UInt64 = 0xffff_ffff
    /// Seqs of a chunk. Hashing 1,024 rows takes 30 µs, and hashing the chunks of a million rows 40 µs.
    package static let chunkSeqs: UInt64 = 1_024
    /// Chunks whose row hashes stay in memory (at most 40 KB each), for the next rows of the lanes that grow, and the
    /// most rows of such a chunk: only in a fork are there more than seqs.
    static let openChunks = 16
    static let openChunkRows = 2_048
    /// Chunks whose digests are read in the time of a row, when work for a peer is measured.
    static let chunksPerRow = 16
    /// Rows of one page.
    package static let pageRows = 1_024
    /// Rows that a step of a scrub reads, some ten milliseconds' work.
    package static let scrubbedRows: UInt64 = 4_096
    /// From this many rows in a message on, two threads check signatures: for fewer, handing over costs more.
    static let preparedRows = 16
    /// Slot entries kept in memory (2 MiB) before they are written to the packed index in one sorted batch.
    package static let slotTailEntries = 32_768
    /// Tags of the latest segments that this run wrote; up to twice as many are kept.
    static let segmentTags = 4_096
    /// Bits of the filter before the slot index (256 KiB; a power of two): the rate of false positives is one in thirty
    /// with 200,000 slots, a third with a million.
    static let slotFilterBits: UInt64 = 1 << 21
}

// MARK: - Running time

extension Limits {
    /// How much of the time that a node ran may be lost in a crash, while it has something to commit.
    static let runningTimeStep = Duration.seconds(60)
    /// How long something superseded or deleted is kept, in running time: long enough to notice and undo.
    package static let keptAside = Duration.seconds(7 * 86_400)
    /// How long a device that reads messages from the older blob of a rewritten segment waits for the new one before it
    /// archives them for a device that asks: most writers are back by then, and each other one costs a second copy.
    package static let replacementPatience = Duration.seconds(600)
    /// Bytes that superseded rows of this device's lane may take, with their blobs, and the same for all other lanes
    /// together: a week of anybody's corrections, and some hundred rewritten segments.
    package static let asideSizeBytes = 32 << 20
}

// MARK: - Compression

extension Limits {
    /// zstd's fast default. The compressor of 1.5.4 had a rare fault at levels above 12; every result is verified.
    package static let compressionLevel: Int32 = 3
}

// MARK: - Registers

extension Limits {
    /// Highest revision: every JSON reader keeps it exactly, and adding to it is far from overflowing.
    package static let revision: UInt64 = (1 << 53) - 1
    /// A revision further above the one below it does not count: nobody corrects anything so often.
    package static let revisionGap: UInt64 = 1 << 32
    /// Plausible times of a correction, 2020 to 2100: a clock beyond them must not win over all others for ever.
    package static let revisionTimes =
        WallTime(milliseconds: 1_577_836_800_000)...WallTime(milliseconds: 4_102_444_800_000)
    /// The name of the pause's author, in UTF-8 bytes.
    package static let pausedByBytes = 64
}

// MARK: - The ledger

extension Limits {
    /// Control records that are judged together: to put more of one lane in order would take quadratic time.
    static let ledgerBatch = 4_096
    /// Bytes of control records kept in memory, for each zone: they are not stored now, and may be with the next one.
    static let refusedLedgerBytes = 256 * 1_024
    /// Control records with which a device shows how it belongs to a zone: a path of `Ledger.LedgerBounds.depth`, and
    /// the records that give its member a role.
    package static let shownRecords = 64
    /// Roots after the first under which a device recognises others: each costs a hash for each datagram and handshake.
    static let doorRoots = 32
    /// Each device waits this long for the one before it to make a new root, or to give it to those who lack it, so
    /// that not all do the same.
    static let dutyPause: Duration = .seconds(2)
    static let dutyPauseMost: Duration = .seconds(10)
    /// Pause between two times that a device gives out roots by itself: otherwise a stolen one that lets in ever more
    /// devices would fill the others' lanes with seals.
    static let sealPause: Duration = .seconds(10)
    /// Lanes of one member to which a device of a group's owner gives out roots by itself in a day: twice as many as
    /// have a place. A member can enter lanes without end, and each would cost a record of the owner's lane.
    static let sealedLanes = 32
    static let sealedDay: Duration = .seconds(86_400)
    /// Pause between two roots that a device makes because members of a group removed lanes of their own: a member
    /// could ask for 256 of them, each sealed to everybody.
    static let rotationPause: Duration = .seconds(86_400)
    /// How long after a rotation beacons speak of the first root at all times: devices that slept meanwhile come back
    /// within weeks.
    static let apartTime: Duration = .seconds(90 * 86_400)
    /// Latest blobs examined for what a device lacks after it was away: half a millisecond.
    static let latestBlobs = 4_096
    /// When a device that no longer belongs to a zone first asks whether that is still so, how often it asks in the
    /// end, and for how long: most thefts are noticed within hours, the others within weeks.
    static let firstAskPause: Duration = .seconds(600)
    static let askPause: Duration = .seconds(86_400)
    static let askedFor: Duration = .seconds(90 * 86_400)
    /// How long it asks at a time: each device in reach sends a beacon every 96 s at least, which echoes this one's.
    static let askTime: Duration = .seconds(120)
}
