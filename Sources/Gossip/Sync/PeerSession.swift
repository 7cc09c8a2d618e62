import NodeCore
import SyncState

/// What the engine keeps of one session.
struct PeerSession {
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
    }

    struct ServedBlob {
        let lane: LaneID
        let name: BlobName
    }

    let id: SessionID
    let isInitiator: Bool
    let handshakeHash: [UInt8]
    var phase = Phase.greeting
    /// What the peer last said of its lanes; its own fingerprints only where they are known to be current.
    var view: [LaneID: VectorEntry] = [:]
    /// Lanes whose fingerprint at the peer is not known to be current.
    var stale: Set<LaneID> = []
    /// What the peer was last told.
    var told: [LaneID: VectorEntry] = [:]
    var hasSentVector = false
    /// The peer's whole vector is here, or the digests were equal.
    var hasView = false
    var isCompared = false

    /// A peer answers what it is asked in order, so a pong says that all it had to tell before is here.
    var pingsSent: UInt64 = 0
    var pongsReceived: UInt64 = 0

    /// Lanes that pages were asked for.
    var pulling: [LaneID: Pull] = [:]
    /// Lanes whose newest rows were asked for, in the order of the answers.
    var peeking: [LaneID] = []
    var hasPeeked = false
    /// Until then the newest blobs go before the backlog.
    var peekDeadline: MonotonicTime?
    var servedPulls: [ServedPull] = []
    var servedBlobs: [[ServedBlob]] = [[], []]
    var servedBlobOffset: [Int] = [0, 0]

    /// Asked for and not yet here, in the order of the answers; one queue a class.
    var asked: [ArraySlice<WantedBlob>] = [[], []]
    var askedBytes = 0
    var partial: [[UInt8]] = [[], []]
    /// Rows whose blob the peer said it lacks.
    var lacking: Set<RowID> = []

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
        lastHeard = now
    }

    var peer: LaneID? {
        if case .live(let lane) = phase { return lane }
        return nil
    }

    /// Whether the peer owes an answer.
    var isExpecting: Bool { !pulling.isEmpty || !peeking.isEmpty || asked.contains { !$0.isEmpty } }

    /// Whether the peer waits for something that is produced piece by piece.
    var isServing: Bool { !servedPulls.isEmpty || servedBlobs.contains { !$0.isEmpty } }
}
