package import NodeCore
import SyncState

/// The engine's state of one session. A class, since one message changes several of its many fields.
final class PeerSession {
    /// - greeting → live, by the peer's HELLO, or → settling, if the two ends' ledgers differ.
    /// - settling → live, once both have what either had.
    /// - any → parting, where one end does not belong here any more.
    ///
    /// A session ends by being removed.
    enum Phase {
        /// Only HELLO is accepted.
        case greeting
        /// Only control records are accepted.
        case settling(LaneID)
        case live(LaneID)
        /// Only what the person signed is accepted.
        case parting
    }

    /// A peer's pull, answered piece by piece as the connection accepts it.
    struct ServedPull {
        let lane: LaneID
        var since: UInt64
        var cursor: RowID?
        var pagesLeft: UInt64
    }

    /// A request for pages of a lane.
    struct Pull {
        /// The head that the peer had shown at the time: the pages must reach it.
        let claimedHead: UInt64
        var pagesLeft: UInt64
        /// When the request was made, or a page brought something new.
        var progressAt: MonotonicTime
        /// Whether the peer takes so long that others may be asked too. Its pages are still accepted.
        var isOverdue = false
    }

    /// What came from the peer.
    struct Intake {
        /// Number of its rows that were new here.
        var newRows: UInt64 = 0
        /// Number of its rows that are at fault.
        var rejections = 0
        /// The number of the latest pull of each lane.
        var pulled: [LaneID: UInt64] = [:]
        /// Lanes of which the peer showed a head without a row.
        var promises: [LaneID: Promise] = [:]
    }

    /// Counted because a peer that shows one row more after each answer would otherwise be asked as fast as it answers.
    struct Promise {
        var broken: Int64 = 0
        /// The peer is not asked for the lane before this time.
        var restsUntil: MonotonicTime?
    }

    /// Whether the peer holds what this node holds.
    struct Equality {
        /// At a revision of the store; nil if the peer told more since.
        var known: (revision: UInt64, isEqual: Bool)?
        /// The value last reported.
        var said = false
    }

    struct ServedBlob {
        let lane: LaneID
        let name: BlobName
    }

    let id: SessionID
    let isInitiator: Bool
    let handshakeHash: [UInt8]
    /// When the peer must have said HELLO, or shown its vouchers.
    private var greetingDue: MonotonicTime
    var equality = Equality()
    var phase = Phase.greeting
    var introduction = Introduction()
    var ledger = LedgerExchange()
    var parting = Parting()
    /// The live peer's HELLO.
    var hello: Hello?
    /// The lanes as the peer last described them; with its fingerprints only if they are known to be current.
    var view: [LaneID: VectorEntry] = [:] { didSet { equality.known = nil } }
    /// Lanes whose fingerprint at the peer may be outdated.
    var stale: Set<LaneID> = [] { didSet { equality.known = nil } }
    /// The entries last sent to the peer.
    private(set) var told: [LaneID: VectorEntry] = [:]
    /// The highest head of each lane that the peer may have asked about.
    private(set) var shownHeads: [LaneID: UInt64] = [:]
    var hasSentVector = false
    /// The peer's whole vector has arrived, or the digests were equal.
    var hasView = false
    var isCompared = false
    /// The peer was asked for all missing messages.
    var hasBeenAsked = false

    /// A peer answers in order, so a pong shows that everything it had to send before has arrived.
    var pingsSent: UInt64 = 0
    var pongsReceived: UInt64 = 0
    /// The latest ping, whose answer shows the round-trip time.
    var measured: (ping: UInt64, at: MonotonicTime)?
    var measure: PeerMeasure?

    /// Lanes with a pending pull.
    var pulling: [LaneID: Pull] = [:]
    /// Heads that the peer shows although it served all of the lane and no record exists at that seq.
    var unbacked: [LaneID: UInt64] = [:] { didSet { equality.known = nil } }
    /// Lanes whose rows cannot be accepted now, which is nobody's fault: they are not compared until it changes. True
    /// if the rows wait for a control record, a list or a root, and so are missing here; false if there is no room for
    /// them, or their lane was removed.
    var barred: [LaneID: Bool] = [:] { didSet { equality.known = nil } }
    /// Lanes whose newest rows were requested, in the order of the answers.
    var peeking: [LaneID] = []
    var hasPeeked = false
    /// Until then the newest blobs precede the backlog.
    var peekDeadline: MonotonicTime?
    var servedPulls: [ServedPull] = []
    var servedBlobs: [ArraySlice<ServedBlob>] = [[], []]
    var questions: [Question] = []
    var questionBytes = 0
    var pongsOwed = 0

    /// Requested blobs in flight, in the order of the answers; one queue per class.
    var asked: [ArraySlice<WantedBlob>] = [[], []]
    var askedBytes = 0
    var window = AskWindow()
    /// When the next blob must arrive; nil while none is pending, or it is already overdue.
    var blobsDue: MonotonicTime?
    /// The peer takes too long: its pending blobs are requested from others, and it gets no further requests meanwhile.
    var isOverdue = false
    var partial: [[UInt8]] = [[], []]
    /// Rows whose blob the peer said it lacks.
    var lacking: Set<RowID> = []
    /// When it last showed that it lacks a blob that is missing here too, by saying so or by requesting one.
    var shownLackAt: MonotonicTime?

    var healing = Healing()
    var intake = Intake()
    var lastHeard: MonotonicTime
    var isPinged = false

    /// Asks again for rows that were refused, and may be taken by now.
    func admitRefused() {
        healing.refused.formUnion(barred.keys.filter { view[$0] != nil })
        barred = [:]
        unbacked = [:]
    }

    /// Notes an entry that is sent to the peer, or that both ends have.
    func tell(_ entry: VectorEntry) {
        told[entry.lane] = entry
        shownHeads[entry.lane] = max(shownHeads[entry.lane] ?? 0, entry.head)
    }

    /// How two ends that do not know each other show that they belong to the zone.
    struct Introduction {
        /// HELLO of a peer that must still show it, and its messages since.
        var unknown: Hello?
        var held: [[UInt8]] = []
        /// This node has sent its own vouchers.
        var hasVouched = false
    }

    /// The exchange of control records.
    struct LedgerExchange {
        /// The digest in this node's HELLO.
        var toldDigest = Bytes16.zero
        /// The number of this node's arrivals that were sent to the peer, or that it no longer needs.
        var sentCount = 0
        /// Records that came from the peer, so that they are not sent back.
        var fromPeer: Set<RecordHash> = []
        /// While the peer says what it has: the names here that it has not said.
        var unnamed: Set<Bytes16>?
        /// Received parts of the peer's answer, taken together: records may come before those that they follow.
        var parts: [[UInt8]] = []
        var partsBytes = 0
        /// The peer has sent control records in this turn.
        var hasHeard = false
        var hasAnswered = false
        var isAnswered = false
    }

    /// The end of a session in which one end no longer belongs here.
    struct Parting {
        /// Whether this node told the peer so.
        var isTold = false
        /// Why this node does not belong here any more, as the peer says.
        var dismissal: [UInt8]?
    }

    /// The comparisons of lanes.
    struct Healing {
        struct Pair: Equatable {
            let own: Fingerprint
            let other: Fingerprint
        }

        /// The fingerprints of the latest comparison of each lane, whichever end started it.
        var pairs: [LaneID: Pair] = [:]
        /// Lanes with refused rows that may count by now. Their comparison is over here; the peer does not know that,
        /// and may take another start for the earlier one.
        var refused: Set<LaneID> = []
        /// When the peer was last asked for rows of such lanes.
        var askedAt: MonotonicTime?
        /// When anything that belongs to a comparison was last said by either end.
        var saidAt = MonotonicTime.zero
        /// When what still differs is compared again.
        var againAt: MonotonicTime?
    }

    init(id: SessionID, isInitiator: Bool, handshakeHash: [UInt8], now: MonotonicTime) {
        self.id = id
        self.isInitiator = isInitiator
        self.handshakeHash = handshakeHash
        greetingDue = now + (isInitiator ? Limits.greetingBound : Limits.firstWordBound)
        lastHeard = now
    }

    /// This node's end.
    var side: Hello.Side { Hello.Side(isInitiator: isInitiator) }

    /// The data that the signatures in one end's HELLO cover in addition to its body.
    func context(of side: Hello.Side, zone: ZoneID) -> Hello.Context {
        Hello.Context(side: side, zone: zone, handshakeHash: handshakeHash)
    }

    var peer: LaneID? {
        if case .live(let lane) = phase { return lane }
        return nil
    }

    /// The party at the other end: in a group the member, in an account the device; nil before that is known.
    func party(in zone: any ReplicatedZone) -> Bytes32? { (hello?.body.lane).map(zone.party) }

    /// Whether the peer owes an answer.
    var isExpecting: Bool { isExpectingRecords || asked.contains { !$0.isEmpty } }
    var isExpectingRecords: Bool { !pulling.isEmpty || !peeking.isEmpty }

    /// Whether the peer is waiting for data produced piece by piece.
    var isServing: Bool { !servedPulls.isEmpty || !questions.isEmpty || servedBlobs.contains { !$0.isEmpty } }

    /// Gives the peer more time only for half a window of blobs: otherwise one that sends one small blob after the
    /// other would keep the rest from others.
    func noteBlobBytes(_ count: Int, now: MonotonicTime) {
        if window.arrived(count, now: now), blobsDue != nil { blobsDue = now + Limits.blobPatience }
    }

    /// How many of the rows that are here the peer shows, by its heads.
    func takenRows(of own: [VectorEntry]) -> UInt64 { own.reduce(0) { $0 + min($1.head, view[$1.lane]?.head ?? 0) } }

    /// After the handshake, a peer must identify itself promptly.
    func isSlowToGreet(now: MonotonicTime) -> Bool { peer == nil && now >= greetingDue }

    /// Gives the peer more time: it was asked for its vouchers, or for its control records.
    func extendGreeting(now: MonotonicTime, by bound: Duration = Limits.firstWordBound) { greetingDue = now + bound }

    /// Whether the peer showed heads of the lane without rows, and shows another one above all rows that are here.
    func rests(_ lane: LaneID, above highest: UInt64) -> Bool {
        intake.promises[lane]?.restsUntil != nil && highest < view[lane]?.head ?? 0
    }

    /// When something is due on this session, in any order.
    var deadlines: [MonotonicTime] {
        var times = [lastHeard + (isPinged ? Limits.silenceBound : Limits.pingAfter)]
        if peer == nil { times.append(greetingDue) }
        times += [peekDeadline, blobsDue, healing.againAt].compactMap(\.self)
        times += intake.promises.values.compactMap(\.restsUntil)
        let awaited = pulling.values.filter { !$0.isOverdue }.map(\.progressAt)
        if let first = awaited.min() { times.append(first + Limits.pullPatience) }
        return times
    }
}

/// A request of a peer that is answered piece by piece, as the connection accepts it: a small request may cause much
/// work.
///
/// Requests are independent, so the latest is answered first: a range whose parts differ is then searched in depth, and
/// both ends keep little state.
enum Question {
    /// The newest rows of a lane.
    case newest(LaneID, count: Int)
    /// Fingerprints to compare.
    case ranges(LaneID, ArraySlice<RangeSum>)
    /// Names to compare.
    case keys(LaneID, low: UInt64, high: UInt64, [KeyName])
    /// Rows to send.
    case rows(LaneID, ArraySlice<KeyName>)
    /// Segments that hold these messages; with their blobs if only a few were requested.
    case holders(ArraySlice<TxID>, withBlobs: Bool)

    /// Approximate memory use.
    var sizeBytes: Int {
        switch self {
        case .newest: 128
        case .ranges(_, let ranges): 128 + ranges.count * MemoryLayout<RangeSum>.stride
        case .keys(_, _, _, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .rows(_, let keys): 128 + keys.count * MemoryLayout<KeyName>.stride
        case .holders(let txids, _): 128 + txids.count * TxID.byteCount
        }
    }
}

/// The measurements of one PING and its PONG.
package struct PeerMeasure: Sendable {
    /// From the ping to its answer, including the work of both ends.
    package let roundTrip: Duration
    /// The peer's clock when it answered, as it says; nil if the zone does not reveal it.
    package let wall: WallTime?
    /// When the answer came.
    package let at: MonotonicTime

    /// How far the peer's clock is ahead of ours, which is `wall` at the time `now`; accurate to half the round trip.
    /// Nil if the peer told no time.
    package func clockAhead(wall own: WallTime, now: MonotonicTime) -> Duration? {
        wall.map { ($0 - own) + roundTrip / 2 + (now - at) }
    }
}
