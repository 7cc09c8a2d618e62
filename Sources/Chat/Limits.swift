import NodeCore

/// Every bound of this module, with its unit and the reason for the number.
package enum Limits {}

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

// MARK: - Account

extension Limits {
    /// Key versions above its own that a device recognises: one that slept through rotations comes back.
    static let versionsAhead: UInt64 = 16
    /// How long nothing is marked before reads are published, so that scrolling through a conversation publishes one
    /// record and not a hundred.
    package static let quietBeforePublishing: Duration = .seconds(15)
}

// MARK: - The account's state

extension Limits {
    /// The layout of chat records that this program writes.
    package static let schemaVersion: UInt64 = 1
    /// Highest version of keys: a rotation a day for a thousand years, and far from where adding to it overflows.
    package static let syncKeyVersion: UInt64 = 1 << 20
}

// MARK: - Devices

extension Limits {
    /// Days without a sign of life after which a device is retired, where nothing else is set: a season in a drawer.
    package static let retireAfterDays = 90
    /// How often a device that runs tells that it is alive.
    package static let signOfLife: Duration = .seconds(3_600)
    /// Sightings that are kept: of six devices on each day of the longest time that can be set.
    static let keptSightings: Int64 = 24_000
    /// A device's name or app version, in UTF-8.
    package static let deviceNameBytes = 128
    /// How often a device is renamed by others: more than anybody does, and far from overflow.
    package static let givenNameRevision: UInt64 = 1 << 32
}

// MARK: - Conversations

extension Limits {
    // All details of a conversation share a record of 4 KiB, with half of it to spare for the largest field.

    /// UTF-8 bytes of a conversation's title.
    package static let titleBytes = 256
    /// Participants of a conversation.
    package static let participants = 32
    /// UTF-8 bytes of a participant's address, and of the name.
    package static let participantBytes = 128
    /// UTF-8 bytes of the addresses and names of all participants.
    package static let participantsBytes = 1_536
    /// Bytes of an app's place in the chain.
    package static let chainCheckpointBytes = 512
}

// MARK: - Chain and deletions

extension Limits {
    /// Facts in one record: of the longest encoding (65 bytes) they fit the 4 KiB of a record with its seal.
    package static let factsInRecord = 58
    /// Milliseconds before the newest message of a deleted conversation in which those without a block are named one by
    /// one: they may still come into a block behind it. A day: what waits longer is not going to.
    static let deletionDoubt: UInt64 = 86_400_000
    /// As above, of those in a block: a reorg may move them. Reorgs are a matter of seconds; an hour is ample.
    static let reorgDoubt: UInt64 = 3_600_000
    /// Segments of devices that are gone that are queued in one commit: some milliseconds.
    static let rescuedAtOnce = 64
    /// Segments that are cut anew in one commit: some milliseconds, so that nothing waits for a large conversation.
    static let recutsAtOnce = 16
}

// MARK: - Groups

extension Limits {
    /// Changes of one membership: far more than a person joins and leaves, and no overflow when one is added.
    static let membershipRevision: UInt64 = 1 << 53
    /// A group's title in UTF-8.
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
    /// Fields of later versions that are carried along, for each achievement.
    package static let laterFields = 16
    package static let laterFieldBytes = 512
    /// Categories of one summary: it stands in a record, not in a blob.
    package static let summaryCategories = 32
    /// The encoded payload: one blob, with what sealing adds.
    package static let achievementPayloadBytes = 262_000
    /// Payload and summary that stand in the record itself: its limit is 4 KiB with header and sealing.
    static let achievementInlineBytes = 3_500
}

// MARK: - Opaque names

extension Limits {
    /// The name of an opaque record, in UTF-8.
    package static let opaqueNameBytes = 256
}

// MARK: - Changes

extension Limits {
    /// Entries of a change feed that are kept: at some 100 bytes each, 10 MB.
    package static let keptChanges: UInt64 = 100_000
    /// How long an entry is kept, so that an app that is opened once a week need not read everything anew.
    package static let keptChangesFor = Duration.seconds(7 * 86_400)
    /// Entries written between two looks for what is too old.
    static let changesBetweenPrunes: UInt64 = 256
    /// Changes of one kind about one thing become one event in this time: below what a person notices.
    package static let changeWindow = Duration.milliseconds(250)
    /// Messages that one event names; of more it tells the number. A segment that arrives has no more.
    package static let namedMessages = segmentMessages
    /// Messages of one turn that get an event each; what is more comes in groups.
    static let singleChanges = 25
    /// While no more blobs are wanted, the messages of those that arrive are looked at one by one.
    static let wantedWhileLive = 32
    /// Bytes of the ids of an event: all named messages.
    static let changeAboutBytes = namedMessages * 32
    /// Rows of one reading of the feed.
    package static let readChanges = 1_000
}
