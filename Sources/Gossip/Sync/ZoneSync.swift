package import NodeCore
package import SyncState

/// The reconciliation engine of one zone on one node, over all its sessions (docs/PROTOCOL.md, §9).
///
/// Pure: it is told of input and time, changes the store inside the turn's transaction, and returns actions. A turn
/// consists of any number of `opened`, `received`, `closed` and local writes; then `endTurn`, which commits and
/// determines what may be sent. Nothing is sent before its turn's commit.
///
/// State of a session: `PeerSession.Phase`. The next step for a lane is derived each time from the two vector entries
/// (`ZoneSync+Lanes`), so that a message lost with a session cannot leave a lane stuck.
package final class ZoneSync {
    package let zone: any ReplicatedZone
    package let store: ZoneStore
    package let instance: InstanceID
    var sessions: [SessionID: PeerSession] = [:]
    var actions: [PlaceAction] = []
    var wants: WantList
    var finds = FindList()
    var now = MonotonicTime.zero
    /// A comparison with some peer has been completed since the start.
    package internal(set) var hasCompared = false
    package internal(set) var counters = SyncCounters()
    /// Fresh starts of this run, latest last.
    package internal(set) var freshStarts: [FreshStart] = []
    /// The value of `takings` in `ZoneAccess` that was last seen.
    var seenTakings: UInt64 = 0
    /// Sessions changed in this turn, so they must be looked at again at its end.
    var needsLook = false
    /// Messages must be requested, or searched for among the wanted blobs.
    var hasFindsDue = false
    /// Number of pulls so far.
    var pulls: UInt64 = 0
    /// Number of messages looked up for peers.
    var servedFinds: UInt64 = 0
    /// The port on which this node accepts sessions; sent to peers in HELLO.
    var port: UInt16?
    /// The value of the zone's standings when sessions were last checked.
    var seenStandings: UInt64 = 0
    /// How often the ledger had been read again before the first message of this turn; nil before one came.
    var heardAfter: UInt64?
    private var wroteLocally = false
    private var knownEntries: (revision: UInt64, entries: [VectorEntry])?

    package init(zone: any ReplicatedZone, instance: InstanceID) {
        self.zone = zone
        store = zone.store
        self.instance = instance
        wants = WantList()
        seenStandings = zone.zoneAccess.standings
    }

    // MARK: Events

    /// A session of this zone was established.
    package func opened(_ id: SessionID, isInitiator: Bool, handshakeHash: [UInt8], now: MonotonicTime) {
        self.now = now
        guard sessions.count < Limits.sessionsPerZone else {
            send(.busyForNow, to: id)
            actions.append(.close(id, .tooManySessions))
            return
        }
        let session = PeerSession(id: id, isInitiator: isInitiator, handshakeHash: handshakeHash, now: now)
        sessions[id] = session
        // The initiator speaks first: until it has shown that it belongs here, it learns nothing.
        if isInitiator { sendHello(to: id) }
    }

    /// A message arrived. Throws only errors of the store: then the turn is rolled back.
    package func received(_ bytes: [UInt8], on id: SessionID, now: MonotonicTime) throws {
        self.now = now
        guard sessions[id] != nil else { return }
        heardAfter = heardAfter ?? zone.ledger.reloads
        sessions[id]?.lastHeard = now
        sessions[id]?.isPinged = false
        counters.bytesReceived += UInt64(bytes.count)
        try process(bytes, on: id)
    }

    /// Performs a message, now or once its sender is known.
    func process(_ bytes: [UInt8], on id: SessionID) throws {
        let message: Message
        do {
            message = try Message(decoding: bytes)
        } catch {
            drop(id, .violation("a message that the protocol does not have"))
            return
        }
        if case .greeting = sessions[id]?.phase, message.isOfMembers { return hold(bytes, on: id) }
        try handle(message, on: id)
    }

    /// A session has ended, whoever ended it.
    package func closed(_ id: SessionID, now: MonotonicTime) {
        self.now = now
        forget(id)
    }

    /// Stops the node: tells all peers.
    package func shutdown() { leave(.shutdown) }

    /// The zone is paused or removed: tells all peers.
    func leave(_ reason: CloseReason) {
        for id in sessionIDs { drop(id, reason) }
    }

    /// Closes a surplus session.
    func release(_ id: SessionID) { drop(id, .released) }

    /// Ends a session in favour of another one: its peer is told when to come back.
    func giveWay(_ id: SessionID) {
        guard sessions[id] != nil else { return }
        send(.busyForNow, to: id)
        drop(id, .tooManySessions)
    }

    /// Whether anything remains to be fetched or served on the session.
    func isBusy(_ id: SessionID) -> Bool { isServing(id) || isExpecting(id) }

    /// Abandons a turn that does not become durable, since the store failed, was rolled back, or is no longer served:
    /// ends the sessions, and trusts nothing they said. Messages of the turn are not sent.
    func abandon() {
        actions.removeAll { if case .send = $0 { true } else { false } }
        leave(.shutdown)
        heardAfter = nil
        wants.reset()
        finds.reset()
    }

    func noteLocalWrite() { wroteLocally = true }

    /// Whether this node wrote since the last call.
    func takeWroteLocally() -> Bool {
        defer { wroteLocally = false }
        return wroteLocally
    }

    /// Sessions whose ends became equal or different since the last call.
    func takeEqualityChanges() -> [(SessionID, Bool)] {
        peers.compactMap { peer in
            guard let session = sessions[peer.session], session.equality.said != peer.isEqual else { return nil }
            session.equality.said = peer.isEqual
            return (peer.session, peer.isEqual)
        }
    }

    /// Our vector's entry of a lane, held or not.
    func ownEntry(_ lane: LaneID) -> VectorEntry {
        let entries = ownEntries
        let place = entries.partitioningIndex { $0.lane >= lane }
        if place < entries.count, entries[place].lane == lane { return entries[place] }
        // The lane is known, with nothing to tell others yet.
        return store.lane(lane).map { VectorEntry($0) } ?? .empty(lane)
    }

    /// Our vector as sent to peers, in order of lane ids.
    var ownEntries: [VectorEntry] {
        if let knownEntries, knownEntries.revision == store.revision { return knownEntries.entries }
        let entries = store.vector.map { VectorEntry($0) }
        knownEntries = (store.revision, entries)
        return entries
    }

    var sessionIDs: [SessionID] { sessions.keys.sorted() }
    var ledgers: LedgerSync { LedgerSync(sync: self) }

    func forget(_ id: SessionID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        if !session.isOverdue {
            for queue in session.asked { wants.giveBack(queue) }
        }
        noteConnected()
        needsLook = true
    }

    /// Tells the zone which devices are connected.
    func noteConnected() { zone.connectedDevices = Set(sessions.values.compactMap(\.peer)).sorted() }

    func drop(_ id: SessionID, _ reason: CloseReason) {
        guard sessions[id] != nil else { return }
        if let bye = reason.bye { send(.bye(bye), to: id) }
        forget(id)
        counters.closed += 1
        actions.append(.close(id, reason))
    }

    func send(_ message: Message, to id: SessionID, _ priority: SendPriority = .control) {
        let bytes = message.encoded
        counters.bytesSent += UInt64(bytes.count)
        actions.append(.send(id, bytes, priority))
    }

    /// Returns and clears the pending actions.
    package func takeActions() -> [PlaceAction] {
        defer { actions = [] }
        return actions
    }
}

/// Counters since the start, for `status` and `diagnostics`.
package struct SyncCounters: Sendable {
    package var recordsTaken: UInt64 = 0
    package var ledgerRecordsTaken: UInt64 = 0
    package var recordsRejected: UInt64 = 0
    /// Rejected records, by reason.
    package var rejections: [RecordRejection: UInt64] = [:]
    package var blobsTaken: UInt64 = 0
    package var blobBytesTaken: UInt64 = 0
    package var badBlobs: UInt64 = 0
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    package var lanesHealed: UInt64 = 0
    package var alarms: UInt64 = 0
    package var closed: UInt64 = 0
}

extension Message {
    static var busyForNow: Message { .busy(retryAfterMilliseconds: UInt64(Limits.busyPause.heldMilliseconds)) }
}
