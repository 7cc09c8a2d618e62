package import NodeCore
package import SyncState

/// What two nodes say to each other about one zone, once the handshake is done (docs/PROTOCOL.md, §8).
package enum Message: Sendable {
    /// The first message each way: who is there, and whether there is anything to say.
    case hello(Hello)
    /// Entries of the sender's vector: all of it in parts, or those that changed.
    case vector(scope: VectorScope, entries: [VectorEntry])
    /// Asks for the rows of a lane above `since`, in at most `pages` pages.
    case pull(lane: LaneID, since: UInt64, pages: UInt64)
    /// Rows of a lane; the receiver then has all that the sender has up to `through`.
    case page(lane: LaneID, through: UInt64, target: UInt64, isDone: Bool, rows: [[UInt8]])
    /// Asks for the newest rows of a lane, before its backlog.
    case peek(lane: LaneID, count: UInt64)
    /// Rows in any order that move no head: peeked, healed, or retirements.
    case rows([[UInt8]])
    /// A record that was just written, and its blob where that is short; its lane has no live row in (since, seq).
    case have(since: UInt64, record: [UInt8], blob: ArraySlice<UInt8> = [])
    /// Fingerprints of ranges of a lane, of which those that differ are answered.
    case ranges(lane: LaneID, [RangeSum])
    /// All rows of a small range that differs, by name.
    case keys(lane: LaneID, low: UInt64, high: UInt64, [KeyName])
    /// Asks for rows by name.
    case fetch(lane: LaneID, [KeyName])
    /// Asks for blobs; they are answered in this order, each class by itself.
    case want(BlobClass, [WantGroup])
    /// The next blob asked for in this class is not held.
    case missing(BlobClass)
    /// The next blob asked for in this class.
    case blob(BlobClass, ArraySlice<UInt8>)
    /// A piece of the next blob asked for in this class: of one that is longer than a message.
    case blobPart(BlobClass, totalBytes: UInt64, offset: UInt64, [UInt8])
    /// No more for now: the zone pauses for so long.
    case busy(retryAfterMilliseconds: UInt64)
    case bye(ByeReason)
    case ping
    /// The sender's clock, in milliseconds since 1970, where the zone tells it.
    case pong(wallMilliseconds: UInt64?)
    /// Asks for the segments that hold these messages.
    case find([TxID])
    /// The record of a segment that holds messages which were asked for, and its blob; that is empty where the asker is
    /// to ask for it, because it is long or one of many.
    case found(record: [UInt8], blob: ArraySlice<UInt8>)
    /// The sender does not know the receiver to belong to the zone: it asks to be shown so.
    case who
    /// What shows that the sender belongs to the zone; the zone's kind reads it.
    case vouch([UInt8])
    /// What shows that the receiver does not belong to it any more.
    case dismiss([UInt8])
}

/// How urgent a blob is; each class is a queue of its own.
package enum BlobClass: UInt64, Sendable, CaseIterable {
    /// Asked for by the user, new, or of the last days.
    case recent = 0
    /// The rest of the history.
    case backfill = 1
}

/// What a vector message covers.
package enum VectorScope: UInt64, Sendable {
    /// Entries that changed.
    case update = 0
    /// A part of the whole; more follow.
    case part = 1
    /// The last part of the whole.
    case whole = 2
}

/// Why a session is closed by who closes it.
package enum ByeReason: UInt64, Sendable {
    case shutdown = 0
    /// Another session of the same two devices stays.
    case duplicate = 1
    /// Both ends are the same running node.
    case isSelf = 2
    /// The peer broke the protocol.
    case violation = 3
    /// The sender took a new device key and comes back with it.
    case startedAfresh = 4
    case tooManySessions = 5
    /// The user has paused the account there.
    case paused = 6
    /// The receiver does not belong to the zone, as far as the sender knows.
    case notMember = 7
}

/// A lane in a vector.
package struct VectorEntry: Hashable, Sendable {
    package var lane: LaneID
    package var head: UInt64
    package var target: UInt64
    package var fingerprint: Fingerprint
    /// Nil while the lane is not retired.
    package var retiredThrough: UInt64?

    package init(_ state: LaneState) {
        lane = state.id
        head = state.head
        target = state.target
        fingerprint = state.fingerprint
        retiredThrough = state.retiredThrough
    }

    init(lane: LaneID, head: UInt64, target: UInt64, fingerprint: Fingerprint, retiredThrough: UInt64?) {
        self.lane = lane
        self.head = head
        self.target = target
        self.fingerprint = fingerprint
        self.retiredThrough = retiredThrough
    }

    /// What is said of a lane of which nothing is held.
    static func empty(_ lane: LaneID) -> VectorEntry {
        VectorEntry(lane: lane, head: 0, target: 0, fingerprint: emptyFingerprint, retiredThrough: nil)
    }

    private static let emptyFingerprint = SetSum().fingerprint
}

/// Fingerprint and number of the rows of a range of a lane.
package struct RangeSum: Hashable, Sendable {
    package var low: UInt64
    package var high: UInt64
    package var fingerprint: Fingerprint
    package var count: UInt64
}

/// A row by its seq and the first 8 bytes of its hash.
package struct KeyName: Hashable, Sendable {
    package var seq: UInt64
    package var hashPrefix: UInt64
}

/// Blobs of one lane that are asked for, by descending seq.
package struct WantGroup: Hashable, Sendable {
    package var lane: LaneID
    package var blobs: [BlobName]
}

/// A blob by its record's seq and the first 4 bytes of its own hash.
package struct BlobName: Hashable, Sendable {
    package var seq: UInt64
    package var hashPrefix: UInt32
}

/// The first byte of each message on an established session.
enum MessageType: UInt8 {
    case hello = 1
    case vector = 2
    case pull = 3
    case page = 4
    case peek = 5
    case rows = 6
    case have = 7
    case ranges = 8
    case keys = 9
    case fetch = 10
    case want = 11
    case missing = 12
    case recentBlob = 13
    case backfillBlob = 14
    case blobPart = 15
    case busy = 16
    case bye = 17
    case ping = 18
    case pong = 19
    case find = 20
    case found = 21
    case who = 22
    case vouch = 23
    case dismiss = 24
}
