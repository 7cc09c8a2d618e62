package import NodeCore
import SyncState

/// What the engine keeps of one session. An object, since one message changes several of its many fields.
final class PeerSession {
    /// - greeting → live, by the peer's HELLO. A session ends by being dropped.
    enum Phase {
        /// Nothing but HELLO is taken.
        case greeting
        case live(LaneID)
    }

    /// A peer's question that is answered piece by piece, as the connection takes it.
    struct ServedPull {
        let lane: LaneID
        var since: UInt64
        var cursor: RowID?
        var pagesLeft: UInt64
    }

    /// A question for pages of a lane.
    struct Pull {
        /// The head that the peer had shown by then: what the pages have to reach.
        let claimedHead: UInt64
        var pagesLeft: UInt64
        /// When the question was asked, or the latest page of it came.
        var progressAt: MonotonicTime
        /// The peer takes too long: others may be asked as well. Its pages are still taken.
        var isOverdue = false
    }

    struct ServedBlob {
        let lane: LaneID
        let name: BlobName
    }

    let id: SessionID
    let isInitiator: Bool
    let handshakeHash: [UInt8]
    let openedAt: MonotonicTime
    /// Changes with all of the peer that decides whether it holds the same as this node.
    private(set) var viewRevision: UInt64 = 0
    var phase = Phase.greeting { didSet { viewRevision &+= 1 } }
    /// HELLO of a peer that has to show that it belongs to the zone, and what it said since.
    var unknown: Hello?
    var held: [[UInt8]] = []
    /// This node has shown the same.
    var hasVouched = false
    /// The live peer's.
    var hello: Hello?
    /// What the peer last said of its lanes; its own fingerprints only where they are known to be current.
    var view: [LaneID: VectorEntry] = [:] { didSet { viewRevision &+= 1 } }
    /// Lanes whose fingerprint at the peer is not known to be current.
    var stale: Set<LaneID> = [] { didSet { viewRevision &+= 1 } }
    /// What the peer was last told.
    var told: [LaneID: VectorEntry] = [:]
    var hasSentVector = false
    /// The peer's whole vector is here, or the digests were equal.
    var hasView = false { didSet { viewRevision &+= 1 } }
    var isCompared = false
    /// It was asked for all messages that are missed.
    var hasBeenAsked = false

    /// A peer answers what it is asked in order, so a pong says that all it had to tell before is here.
    var pingsSent: UInt64 = 0
    var pongsReceived: UInt64 = 0
    /// The latest ping, whose answer tells the round trip.
    var measured: (ping: UInt64, at: MonotonicTime)?
    var measure: PeerMeasure?

    /// Lanes that pages were asked for.
    var pulling: [LaneID: Pull] = [:]
    /// Heads that the peer shows, though it served all of the lane and no record stands there.
    var unbacked: [LaneID: UInt64] = [:] { didSet { viewRevision &+= 1 } }
    /// Lanes of which rows cannot be taken now, for want of room or of what shows their worth: nobody's fault, and
    /// nothing to be compared until that changes.
    var barred: Set<LaneID> = [] { didSet { viewRevision &+= 1 } }
    /// Lanes whose newest rows were asked for, in the order of the answers.
    var peeking: [LaneID] = []
    var hasPeeked = false
    /// Until then the newest blobs go before the backlog.
    var peekDeadline: MonotonicTime?
    var servedPulls: [ServedPull] = []
    var servedBlobs: [ArraySlice<ServedBlob>] = [[], []]
    var questions: [Question] = []
    var questionBytes = 0
    var pongsOwed = 0

    /// Asked for and not yet here, in the order of the answers; one queue a class.
    var asked: [ArraySlice<WantedBlob>] = [[], []]
    var askedBytes = 0
    var window = AskWindow()
    /// When the next blob must be here; nil while none is awaited, or it is overdue already.
    var blobsDue: MonotonicTime?
    /// The peer takes too long: others are asked for what it was asked for, and it for nothing more meanwhile.
    var isOverdue = false
    var partial: [[UInt8]] = [[], []]
    /// Rows whose blob the peer said it lacks.
    var lacking: Set<RowID> = []
    /// When it last showed that it lacks a blob that is missing here too: it said so, or it asked for one.
    var shownLackAt: MonotonicTime?

    /// Pairs of fingerprints that a healing was begun for.
    var healed: [LaneID: HealedPair] = [:]
    /// Retirements that the peer was given, by lane, up to which `through`.
    var givenRetirements: [LaneID: UInt64] = [:]
    var rejections = 0
    var lastHeard: MonotonicTime
    var isPinged = false

    struct HealedPair: Equatable {
        let own: Fingerprint
        let other: Fingerprint
    }

    init(id: SessionID, isInitiator: Bool, handshakeHash: [UInt8], now: MonotonicTime) {
        self.id = id
        self.isInitiator = isInitiator
        self.handshakeHash = handshakeHash
        openedAt = now
        lastHeard = now
    }

    /// The end that this node is.
    var side: Hello.Side { Hello.Side(isInitiator: isInitiator) }

    var peer: LaneID? {
        if case .live(let lane) = phase { return lane }
        return nil
    }

    /// Whether the peer owes an answer.
    var isExpecting: Bool { isExpectingRecords || asked.contains { !$0.isEmpty } }
    var isExpectingRecords: Bool { !pulling.isEmpty || !peeking.isEmpty }

    /// Whether the peer waits for something that is produced piece by piece.
    var isServing: Bool { !servedPulls.isEmpty || !questions.isEmpty || servedBlobs.contains { !$0.isEmpty } }

    /// A peer that shook hands says who it is at once.
    func isSlowToGreet(now: MonotonicTime) -> Bool { peer == nil && now - openedAt >= Limits.greetingBound }

    /// When something is due on this session, in any order.
    var deadlines: [MonotonicTime] {
        var times = [lastHeard + (isPinged ? Limits.silenceBound : Limits.pingAfter)]
        if peer == nil { times.append(openedAt + Limits.greetingBound) }
        times += [peekDeadline, blobsDue].compactMap(\.self)
        let awaited = pulling.values.filter { !$0.isOverdue }.map(\.progressAt)
        if let first = awaited.min() { times.append(first + Limits.pullPatience) }
        return times
    }
}

/// What a peer asked for and gets piece by piece, as the connection takes it: a small question may make much work.
///
/// Each stands for itself, so the latest is answered first: a range whose parts differ is then gone through in depth,
/// and what both ends have to remember stays small.
enum Question {
    /// The newest rows of a lane.
    case newest(LaneID, count: Int)
    /// Fingerprints to be compared; of the first one the rows may have been read in part.
    case ranges(LaneID, [RangeSum], read: PartedSum? = nil)
    /// Names to be compared.
    case keys(LaneID, low: UInt64, high: UInt64, [KeyName])
    /// Rows to be sent.
    case rows(LaneID, ArraySlice<KeyName>)
    /// Segments that hold these messages; with their blobs where somebody waits for a few.
    case holders(ArraySlice<TxID>, withBlobs: Bool)

    /// About what it takes in memory.
    var sizeBytes: Int {
        switch self {
        case .newest: 128
        case .ranges(_, let ranges, let read):
            128 + ranges.count * MemoryLayout<RangeSum>.stride + (read?.sizeBytes ?? 0)
        case .keys(_, _, _, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .rows(_, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .holders(let txids, _): 128 + txids.count * TxID.byteCount
        }
    }
}

/// What one PING and its PONG showed of a peer.
package struct PeerMeasure: Sendable {
    /// From the ping to its answer, the work of both ends included.
    package let roundTrip: Duration
    /// The peer's clock when it answered, as it says; nil where the zone does not tell it.
    package let wall: WallTime?
    /// When the answer came.
    package let at: MonotonicTime

    /// How far the peer's clock is ahead of this one's, which is `wall` at the time `now`; right to half the round
    /// trip. Nil where the peer told no time.
    package func clockAhead(wall own: WallTime, now: MonotonicTime) -> Duration? {
        wall.map { ($0 - own) + roundTrip / 2 + (now - at) }
    }
}
