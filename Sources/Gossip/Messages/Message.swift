package import NodeCore
package import SyncState

/// The messages of two nodes about one zone, after the handshake (docs/PROTOCOL.md, §8).
package enum Message: Sendable {
    /// The first message each way: who the sender is, and whether there is anything to sync.
    case hello(Hello)
    /// The HELLO of a peer that speaks none of our versions: only its versions have a known form.
    case foreignHello(versions: [UInt16])
    /// Entries of the sender's vector: all of it in parts, or the changed ones.
    case vector(scope: VectorScope, entries: [VectorEntry])
    /// Requests the rows of a lane above `since`, in at most `pages` pages.
    case pull(lane: LaneID, since: UInt64, pages: UInt64)
    /// Rows of a lane. Afterwards the receiver has everything up to `through` that the sender has.
    case page(lane: LaneID, through: UInt64, target: UInt64, isDone: Bool, rows: [[UInt8]])
    /// Requests the newest rows of a lane, before its backlog.
    case peek(lane: LaneID, count: UInt64)
    /// Rows in any order that move no head: peeked, or healed.
    case rows([[UInt8]])
    /// A record that was just written, with its blob if that is short; its lane has no live row in (since, seq).
    case have(since: UInt64, record: [UInt8], blob: ArraySlice<UInt8> = [])
    /// Fingerprints of ranges of a lane. The receiver answers those that differ.
    case ranges(lane: LaneID, [RangeSum])
    /// All rows of a small differing range, by name.
    case keys(lane: LaneID, low: UInt64, high: UInt64, [KeyName])
    /// Requests rows by name.
    case fetch(lane: LaneID, [KeyName])
    /// Requests blobs, which are sent in this order within each class.
    case want(BlobClass, [WantGroup])
    /// The next requested blob of this class is not held.
    case missing(BlobClass)
    /// The next requested blob of this class.
    case blob(BlobClass, ArraySlice<UInt8>)
    /// A piece of the next requested blob of this class, if it is longer than a message.
    case blobPart(BlobClass, totalBytes: UInt64, offset: UInt64, [UInt8])
    /// No more for now: asks the zone to pause for this long.
    case busy(retryAfterMilliseconds: UInt64)
    case bye(ByeReason)
    case ping
    /// The sender's clock, in milliseconds since 1970, if the zone reveals it.
    case pong(wallMilliseconds: UInt64?)
    /// Requests the segments that hold these messages.
    case find([TxID])
    /// The record of a segment that holds requested messages, and its blob. The blob is empty if the receiver must
    /// request it separately, because it is long or one of many.
    case found(record: [UInt8], blob: ArraySlice<UInt8>)
    /// The sender does not know that the receiver belongs to the zone, and asks for vouchers.
    case who
    /// Vouchers that the sender belongs to the zone; the zone's kind reads them.
    case vouch([UInt8])
    /// Evidence that the receiver no longer belongs to the zone.
    case dismiss([UInt8])
    /// The names of control records of the sender, because the two ends' ledgers differ. `isLast`: these are all.
    case names(isLast: Bool, [Bytes16])
    /// Control records that the receiver lacks. `isLast` ends the answer to its names; later ones come by themselves.
    case ledger(isLast: Bool, [[UInt8]])
}

/// The urgency of a blob; each class is a separate queue.
package enum BlobClass: UInt64, Sendable, CaseIterable {
    /// Requested by the user, new, or from the last days.
    case recent = 0
    /// The rest of the history.
    case backfill = 1
}

/// The part of the vector that a message covers.
package enum VectorScope: UInt64, Sendable {
    /// The changed entries.
    case update = 0
    /// A part of the whole vector; more follow.
    case part = 1
    /// The last part of the whole vector.
    case whole = 2
}

/// The reason that a side gives for closing a session.
package enum ByeReason: UInt64, Sendable {
    case shutdown = 0
    /// Another session between the same two devices is kept.
    case duplicate = 1
    /// Both ends are the same running node.
    case isSelf = 2
    /// The peer broke the protocol.
    case violation = 3
    /// The sender took a new device key and reconnects with it.
    case startedAfresh = 4
    case tooManySessions = 5
    /// The user has paused the account on the sender's side.
    case paused = 6
    /// As far as the sender knows, the receiver does not belong to the zone.
    case notMember = 7
    /// The two ends have no version of the protocol in common.
    case otherVersion = 8
}

/// A lane's entry in a vector.
package struct VectorEntry: Hashable, Sendable {
    package var lane: LaneID
    package var head: UInt64
    package var target: UInt64
    package var fingerprint: Fingerprint

    package init(_ state: LaneState) {
        lane = state.id
        head = state.head
        target = state.target
        fingerprint = state.fingerprint
    }

    init(lane: LaneID, head: UInt64, target: UInt64, fingerprint: Fingerprint) {
        (self.lane, self.head, self.target, self.fingerprint) = (lane, head, target, fingerprint)
    }

    /// The entry for a lane without held rows.
    static func empty(_ lane: LaneID) -> VectorEntry {
        VectorEntry(lane: lane, head: 0, target: 0, fingerprint: .ofNoRows)
    }
}

/// Fingerprint and number of the rows in a range of a lane.
package struct RangeSum: Hashable, Sendable {
    package var low: UInt64
    package var high: UInt64
    /// Nil if the sender has not read these rows: the receiver answers as if they differed.
    package var fingerprint: Fingerprint?
    package var count: UInt64

    package init(low: UInt64, high: UInt64, fingerprint: Fingerprint?, count: UInt64) {
        (self.low, self.high, self.fingerprint, self.count) = (low, high, fingerprint, count)
    }
}

/// A row by its seq and the first 16 bytes of its hash.
package struct KeyName: Hashable, Sendable {
    package var seq: UInt64
    package var hash: Bytes16
}

/// Requested blobs of one lane, by descending seq.
package struct WantGroup: Hashable, Sendable {
    package var lane: LaneID
    package var blobs: [BlobName]
}

/// A blob, named by its record's seq and the first 4 bytes of its own hash.
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
    case names = 25
    case ledger = 26
}
