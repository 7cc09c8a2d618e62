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

// MARK: - Messages

extension Limits {
    /// UTF-8 bytes of a conversation's id: it stands in record names, and a record has at most 4 KiB.
    package static let conversationIDBytes = 256
    /// UTF-8 bytes of a contact: an address or a name.
    package static let contactBytes = 256
    /// UTF-8 bytes of a body.
    package static let bodyBytes = 65_536
    /// Attachments of a message.
    package static let attachments = 16
    /// Bytes of an attachment that travels inside the message: a preview, not a picture.
    package static let inlineAttachmentBytes = 12_288
    /// UTF-8 bytes of an attachment's link.
    package static let attachmentLinkBytes = 2_048
    /// UTF-8 bytes of a MIME type.
    package static let mimeTypeBytes = 128
    /// Largest size, duration, width or height of an attachment: what every JSON reader keeps exactly (2^53 - 1).
    package static let attachmentNumber: UInt64 = (1 << 53) - 1
    /// Bytes of all attachments that travel inside a message. With a body, links and types of full length it has some
    /// 163 KiB: alone in a segment and incompressible, it still fits a blob of 256 KiB.
    package static let inlineBytes = 64 << 10
    /// Latest time of a message in milliseconds since 1970 (the year 10889): times take six bytes in the index.
    package static let timeMilliseconds: UInt64 = (1 << 48) - 1
    /// Latest sender's time in seconds since 1970.
    package static let timestampSeconds: UInt64 = timeMilliseconds / 1_000
    /// Highest accepting score: two bits of an order word say which kind of number it is.
    package static let acceptingDaaScore: UInt64 = (1 << 62) - 1
}

// MARK: - Stubs

extension Limits {
    /// Stubs of an account, each some hundred bytes in memory: hints come one by one, and an old app's archive with
    /// more lost bodies than that has lost everything.
    package static let stubs = 65_536
}

// MARK: - Segments

extension Limits {
    /// A segment is cut at this many messages…
    package static let segmentMessages = 25
    /// …or at this many bytes of payload before compression…
    package static let segmentBytes = 128 << 10
    /// …or this long after its first message was queued.
    package static let segmentAge = Duration.seconds(300)
    /// While a device is connected a segment is cut this long after its latest message: what comes in one go is one
    /// segment, and stands on the other devices before an app would call that syncing…
    package static let burstPause = Duration.milliseconds(300)
    /// …and this long after its first at the latest, if the messages do not cease: far within the patience of a reader.
    package static let burstAge = Duration.seconds(5)
    /// …and so much later for each connected device that comes first: far more than a segment takes to travel.
    package static let rankPause = Duration.seconds(10)
    /// Messages in a segment of anybody's: a position takes one byte in the index.
    package static let segmentMessagesRead = 256
    /// The latest version of payloads that this program writes and reads; 1 wherever nothing needs more.
    package static let payloadVersion: UInt64 = 2
    /// The last place of a message among those that were sent in one second: an order has milliseconds.
    package static let senderOrder: UInt16 = 999
    /// Seconds in which messages were lately sent, by conversation, of which the next place is known.
    static let senderSeconds = 4_096
    /// Bytes of a payload that are ever decompressed: twice the largest that this version writes.
    package static let payloadBytes = 512 << 10
    /// Bytes of a sealed segment: the largest blob a peer takes.
    package static let sealedSegmentBytes = 256 << 10
    /// zstd's fast default. The compressor of 1.5.4 had a rare fault at levels above 12; every result is verified.
    package static let compressionLevel: Int32 = 3
}

// MARK: - Message index

extension Limits {
    /// Entries collected in memory (6 MiB) before they are merged into the trees: each merge touches every leaf of the
    /// tree by hash, so the cost of an entry falls with their number.
    package static let indexTail = 131_072
    /// Entries that are encoded at a time for the trees.
    package static let indexBatch = 8_192
    /// Entries of the tree by hash in a leaf, for an estimate.
    package static let messagesPerLeaf = 1_000
    /// A flush that dirties more leaves (40 µs each) is not made for a count while segments arrive.
    package static let leavesForStats = 250
    /// Bits of a txid's hash: with the place in the tail they fit a word. Two of a million messages collide once in a
    /// hundred databases, which costs a row.
    package static let hashBits = 46
    /// Highest arrival id and queue row id that a location can hold (39 bits).
    package static let locationID: UInt64 = (1 << 39) - 1
    /// Decompressed bytes of segments kept for listing.
    package static let openSegmentBytes = 1 << 20
    /// Segments kept for listing: a page of 50 messages opens about 10.
    package static let openSegments = 64
    /// Rows of one page of a listing.
    package static let listedMessages = 1_000
    /// Read markers of a conversation that are kept to tell when a message was read: some weeks of daily reading.
    package static let keptMarkers = 128
    /// Messages that a read marker names, at 34 bytes each: beside the longest id of a conversation they fit a record.
    package static let namedReads = 64
    /// Names up to which a marker keeps those that its scales have passed: they cost less than writing it anew.
    static let passedReads = 16
    /// Messages that one mark names at most: each is opened.
    static let namedAtOnce = 32
    /// Conversation numbers, opened details and newest messages kept in memory.
    package static let cachedConversations = 4_096
}

// MARK: - Search

extension Limits {
    /// Words and phrases of a search: each is looked for in every message.
    package static let searchTerms = 16
    /// Bytes of one of them, folded.
    package static let searchTermBytes = 1_024
    /// Hits of one search: so many are kept until no newer one can come.
    package static let searchHits = 10_000
    /// Entries of a conversation that a search reads ahead: at first, so that the newest hits come at once…
    static let searchFirstEntries = 32
    /// …and later, so that it reads each leaf of the tree a few times only.
    static let searchEntries = 128
    /// Segments that two threads open together: at least so many that waking the other one pays…
    static let searchSharedSegments = 8
    /// …and at most, so that hits come often; of so many bytes, since all of them are in memory.
    static let searchAheadSegments = 64
    static let searchAheadBytes = 1 << 20

    /// Segments that could not be opened and are remembered as such, so that each is looked at once.
    static let suspectedSegments = 1_024

    /// Segments opened between two looks at whether a search is done, where it is one piece of work.
    static let searchWorkAtOnce = 4_096
}
