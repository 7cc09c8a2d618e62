import NodeCore
import SyncState

/// The limits of this module, each with its unit and reason.
package enum Limits {}

// MARK: - The ledger

extension Limits {
    /// Persons in one register, of 32 bytes each.
    static let personsListed = 64
    /// Bytes of control records in a register that lets a lane into a group.
    static let endorsementPathBytes = 3_072
    /// Former members of the account in one group: as many as fit into the membership's register.
    package static let formerMembers = 16
    /// Rows of one list: their names of 16 bytes fill a blob of 256 KiB.
    package static let listedRows = 16_384
    /// Rows of a list that a device makes of its own: a blob of 64 KiB in place of 0.2 s of checking signatures.
    package static let ownListRows = 4_096
    /// Lists of a lane that are sent before its rows: of two million.
    static let shownLists = 512
    /// Lists that are kept open, one a lane, of 64 KiB each.
    static let openLists = 8
}

// MARK: - Messages

extension Limits {
    /// UTF-8 bytes of a conversation's id: it is part of record names, and a record has at most 4 KiB.
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
    /// Largest size, duration, width or height of an attachment: every JSON reader keeps it exactly (2^53 - 1).
    package static let attachmentNumber: UInt64 = (1 << 53) - 1
    /// Bytes of all attachments inside a message. With body, links and types of full length a message has some 163 KiB:
    /// alone in a segment and incompressible, it still fits a blob of 256 KiB.
    package static let inlineBytes = 64 << 10
    /// Latest time of a message in milliseconds since 1970 (the year 10889): times take six bytes in the index.
    package static let timeMilliseconds: UInt64 = (1 << 48) - 1
    /// Latest sender's time in seconds since 1970.
    package static let timestampSeconds: UInt64 = timeMilliseconds / 1_000
    /// Highest accepting score: two bits of an order word distinguish the kinds of numbers.
    package static let acceptingDaaScore: UInt64 = (1 << 62) - 1
}

// MARK: - Stubs

extension Limits {
    /// Stubs of an account, each some hundred bytes in memory. Hints come one by one, and an old app's archive that
    /// lacks more bodies than this has lost everything.
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
    /// A segment that later messages may join has at most this many bytes of payload, by their upper bound: joining
    /// sends no more than that again.
    static let joinedSegmentBytes = 16 << 10
    /// For how long a segment may be joined, of the time that this device runs: far less than the week after which
    /// deleted bodies are taken out.
    static let joinedFor = Duration.seconds(86_400)
    /// Conversations and days whose latest segment is remembered, to be joined.
    static let openSegmentsNoted = 4_096
    /// While a device is connected, a segment is cut this long after its latest message: messages sent together form
    /// one segment, and reach the other devices before an app would call that syncing…
    package static let burstPause = Duration.milliseconds(300)
    /// …and at the latest this long after its first message if more keep coming: far within a reader's patience.
    package static let burstAge = Duration.seconds(5)
    /// …and this much later for each connected device that goes first: more than a segment takes to travel, …
    package static let rankPause = Duration.milliseconds(250)
    /// …but at most this, since those may not have the messages: a second after a burst everybody has it.
    package static let rankPauseMost = Duration.milliseconds(500)
    /// Messages in anybody's segment: a position takes one byte in the index.
    package static let segmentMessagesRead = 256
    /// The latest payload version that this program writes and reads; it writes 1 unless the content needs more.
    package static let payloadVersion: UInt64 = 2
    /// The last position among messages sent in the same second: an order has milliseconds.
    package static let senderOrder: UInt16 = 999
    /// Number of recent seconds, by conversation, whose next position is remembered.
    static let senderSeconds = 4_096
    /// Maximum bytes of a decompressed payload: twice the largest that this version writes.
    package static let payloadBytes = 512 << 10
    /// Bytes of a sealed segment: the largest blob that peers accept.
    package static let sealedSegmentBytes = 256 << 10
}

// MARK: - Message index

extension Limits {
    /// Entries collected in memory (6 MiB) before they are merged into the trees. Each merge touches every leaf of the
    /// tree by hash, so larger batches make an entry cheaper.
    package static let indexTail = 131_072
    /// Entries encoded for the trees at a time.
    package static let indexBatch = 8_192
    /// Entries per leaf of the tree by hash, for an estimate.
    package static let messagesPerLeaf = 1_000
    /// A flush that dirties more leaves than this (40 µs each) is not made just for a count while segments arrive.
    package static let leavesForStats = 250
    /// Bits of a txid's hash: with the place in the tail they fit a word. Of a million messages two collide in one of a
    /// hundred databases, which costs a row.
    package static let hashBits = 46
    /// Highest arrival id and queue row id that a location can hold (39 bits).
    package static let locationID = UInt64(SyncState.Limits.highestArrival)
    /// Decompressed bytes of segments cached for listing.
    package static let openSegmentBytes = 1 << 20
    /// Segments cached for listing: a page of 50 messages opens about 10.
    package static let openSegments = 64
    /// Rows of one page of a listing.
    package static let listedMessages = 1_000
    /// Read markers kept per conversation to tell when a message was read: some weeks of daily reading.
    package static let keptMarkers = 128
    /// Messages up to which one read marker may reach: one of each kind (`ReadPositions.BoundKind`).
    package static let readBounds = 8
    /// Messages named by a read marker, at 34 bytes each: with the longest conversation id they fit a record.
    package static let namedReads = 64
    /// Number of names up to which a marker keeps those that its scales have passed: they cost less than rewriting it.
    static let passedReads = 16
    /// Maximum messages named by one mark: each is opened.
    static let namedAtOnce = 32
    /// Cached conversation numbers, decrypted details and newest messages.
    package static let cachedConversations = 4_096
}

// MARK: - Search

extension Limits {
    /// Words and phrases in a search: each is searched for in every message.
    package static let searchTerms = 16
    /// Bytes of one term after folding.
    package static let searchTermBytes = 1_024
    /// Hits of one search, which are kept until no newer one can come.
    package static let searchHits = 10_000
    /// Entries of a conversation that a search reads ahead: at first few, so that the newest hits come at once…
    static let searchFirstEntries = 32
    /// …and later more, so that each leaf of the tree is read only a few times.
    static let searchEntries = 128
    /// Segments that two threads open together: at least this many, so that waking the other thread pays off…
    static let searchSharedSegments = 8
    /// …and at most this many, so that hits come often, and bytes, since all are in memory.
    static let searchAheadSegments = 64
    static let searchAheadBytes = 1 << 20

    /// Segments remembered as impossible to open, so that each is checked once.
    static let suspectedSegments = 1_024

    /// Segments opened between two checks whether a search is done, when it runs as one piece of work.
    static let searchWorkAtOnce = 4_096
}

// MARK: - Account

extension Limits {
    /// Reads are published after nothing was marked for this long, so that scrolling through a conversation publishes
    /// one record and not a hundred.
    package static let quietBeforePublishing: Duration = .seconds(15)

    /// A former mark counts for this long after the last missing segment came, since a row that its successor names may
    /// still be on its way.
    static let formerMarks: Duration = .seconds(60)
}

// MARK: - The account's state

extension Limits {
    /// The chat record layout that this program writes.
    package static let schemaVersion: UInt64 = 1
}

// MARK: - Devices

extension Limits {
    /// How often a running device shows that it is alive.
    package static let signOfLife: Duration = .seconds(3_600)
    /// Between two signs of life of a device that is forgotten again and again.
    static let signOfLifeLeast: Duration = .seconds(60)
    /// A device's name or app version, in UTF-8 bytes.
    package static let deviceNameBytes = 128
}

// MARK: - Conversations

extension Limits {
    // All details of a conversation share a record of 4 KiB, half of which is reserved for the largest field.

    /// UTF-8 bytes of a conversation's title.
    package static let titleBytes = 256
    /// Participants of a conversation.
    package static let participants = 32
    /// UTF-8 bytes of a participant's address, and of the name.
    package static let participantBytes = 128
    /// UTF-8 bytes of the addresses and names of all participants.
    package static let participantsBytes = 1_536
    /// Bytes of an app's checkpoint in the chain.
    package static let chainCheckpointBytes = 512
}

// MARK: - Chain and deletions

extension Limits {
    /// Facts in one record: in the longest encoding (65 bytes) they fit the 4 KiB of a record with its seal.
    package static let factsInRecord = 58
    /// Messages without a block sent in the last milliseconds before the newest message of a deleted conversation are
    /// named one by one: they may still be included in a block after it. A day: messages that waited longer will not
    /// be.
    static let deletionDoubt: UInt64 = 86_400_000
    /// The same for messages in a block, which a reorg may move. Reorgs are a matter of seconds; an hour is ample.
    static let reorgDoubt: UInt64 = 3_600_000
    /// Segments of devices that are gone, queued in one commit: some milliseconds.
    static let rescuedAtOnce = 64
    /// Segments rewritten in one commit: some milliseconds, so that nothing waits for a large conversation.
    static let recutsAtOnce = 16
    /// Segments of a conversation whose messages are listed again together: some 10 MB.
    static let relistedAtOnce = 64
}

// MARK: - Groups

extension Limits {
    /// Changes of one membership: far more than anybody joins and leaves, and adding one does not overflow.
    static let membershipRevision: UInt64 = 1 << 53
    /// A group's title, in UTF-8 bytes.
    package static let membershipTitleBytes = 320
}

// MARK: - Achievements

extension Limits {
    /// Achievements of one account, of all apps that write them: with their dates they fit one blob.
    package static let achievements = 1_000
    /// Tiers of one achievement: six are known, later versions may have more.
    package static let achievementTiers = 32
    /// An achievement's category: a short word.
    package static let categoryBytes = 64
    /// Fields of later versions carried along per achievement.
    package static let laterFields = 16
    package static let laterFieldBytes = 512
    /// Categories of one summary, which is in a record, not in a blob.
    package static let summaryCategories = 32
    /// Bytes of the encoded payload: one blob, including the overhead of sealing.
    package static let achievementPayloadBytes = 262_000
    /// Bytes of payload and summary in the record itself, which is limited to 4 KiB with header and sealing.
    static let achievementInlineBytes = 3_500
}

// MARK: - Opaque names

extension Limits {
    /// The name of an opaque record, in UTF-8 bytes.
    package static let opaqueNameBytes = 256
}

// MARK: - Changes

extension Limits {
    /// Entries kept in a change feed: 10 MB at some 100 bytes each.
    package static let keptChanges: UInt64 = 100_000
    /// How long an entry is kept: an app that is opened once a week need not read everything again.
    package static let keptChangesFor = Duration.seconds(7 * 86_400)
    /// Entries written between two prunings of old ones.
    static let changesBetweenPrunes: UInt64 = 256
    /// Changes of one kind about one subject within this time are combined into one event: too short for a person to
    /// notice.
    package static let changeWindow = Duration.milliseconds(250)
    /// Messages named in one event; with more, only the number is given. A segment that arrives has no more.
    package static let namedMessages = segmentMessages
    /// Messages of one turn that get their own event; the rest are grouped.
    static let singleChanges = 25
    /// If no more blobs than this are missing, the messages of arriving ones are examined one by one.
    static let wantedWhileLive = 32
    /// Bytes of the ids in an event: all named messages.
    static let changeAboutBytes = namedMessages * 32
    /// Rows of one read of the feed.
    package static let readChanges = 1_000
}
