package import NodeCore
import SyncState

/// Blobs: requested by the want list over all sessions, answered in the order of the requests.
extension ZoneSync {
    /// True if a blob is wanted and a peer can supply it. If false, set no timer: an overdue one would wake the node
    /// endlessly.
    var canAsk: Bool {
        store.wantedCount > 0 && sessions.values.contains { $0.peer != nil && $0.hasView }
    }

    /// Requests from every peer as much as its window allows.
    func ask() throws {
        guard canAsk else { return }
        if wants.looksAgain(now: now) {
            for id in sessionIDs { sessions[id]?.lacking = [] }
        }
        for id in sessionIDs {
            guard let session = sessions[id], session.peer != nil, session.hasView, !session.isOverdue else { continue }
            let room = Limits.wantsInFlight - session.asked.reduce(0) { $0 + $1.count }
            ask(id, .recent, wants.takeRaised(most: min(room, Limits.wantsPerMessage)) { session.mayBeAsked(for: $0) })
        }
        for _ in 0..<Limits.wantRefills {
            try wants.refill(from: store)
            guard askOnce(), !wants.isLow else { return }
            // A peer could supply more, but nothing in the full window: it must not block the blobs below.
            let left = wants.leaveOut(now: now) { wanted in
                !sessions.values.contains { $0.mayBeAsked(for: wanted) }
            }
            if left == 0 { return }
        }
    }

    /// True if a peer could have been asked for more.
    private func askOnce() -> Bool {
        var hasRoom = false
        // A blob that a user waits for is queued behind those in flight.
        let most = isAsking(now: now) ? Limits.wantedBytesWhileAsking : Limits.wantedBytesInFlight
        for id in sessionIDs {
            guard let session = sessions[id], session.peer != nil, session.hasView, !session.isOverdue else { continue }
            let window = min(session.window.bytes, most)
            // Half a window at a time, so that requests are few and long.
            let waiting = session.asked.reduce(0) { $0 + $1.count }
            guard session.askedBytes <= window / 2, waiting <= Limits.wantsInFlight / 2 else {
                continue
            }
            let taken = wants.take(upTo: window - session.askedBytes, most: Limits.wantsPerMessage) {
                session.mayBeAsked(for: $0)
            }
            ask(id, .recent, taken.urgent)
            ask(id, .backfill, taken.others)
            if taken.isDrained { hasRoom = true }
        }
        return hasRoom
    }

    private func ask(_ id: SessionID, _ blobClass: BlobClass, _ wanted: [WantedBlob]) {
        guard !wanted.isEmpty else { return }
        // Ordered by lane, descending within it: the differences of seqs are small, and the newest still come first.
        let ordered = wanted.sorted {
            $0.record.lane != $1.record.lane ? $0.record.lane < $1.record.lane : $0.row > $1.row
        }
        var groups: [WantGroup] = []
        for want in ordered {
            let name = BlobName(seq: want.record.seq, hashPrefix: want.blob.hash.shortPrefix)
            if groups.last?.lane == want.record.lane {
                groups[groups.count - 1].blobs.append(name)
            } else {
                groups.append(WantGroup(lane: want.record.lane, blobs: [name]))
            }
        }
        if sessions[id]?.askedBytes == 0 { sessions[id]?.window.begin(now: now) }
        sessions[id]?.asked[Int(blobClass.rawValue)].append(contentsOf: ordered)
        sessions[id]?.askedBytes += ordered.reduce(0) { $0 + $1.blob.sizeBytes }
        if sessions[id]?.blobsDue == nil { sessions[id]?.blobsDue = now + Limits.blobPatience }
        send(.want(blobClass, groups), to: id)
    }

    func take(blob bytes: ArraySlice<UInt8>, _ blobClass: BlobClass, on id: SessionID) throws {
        sessions[id]?.noteBlobBytes(bytes.count, now: now)
        guard let wanted = nextAsked(blobClass, on: id) else {
            drop(id, .violation("a blob that was not asked for"))
            return
        }
        try take(blob: bytes, of: wanted, on: id)
    }

    /// Accepts a blob that came with its record. Other peers may have sent it already, or be about to.
    func take(blob bytes: ArraySlice<UInt8>, with record: Record, on id: SessionID) throws {
        guard !bytes.isEmpty, let wanted = try store.wanted(record) else { return }
        try take(blob: bytes, of: wanted, on: id)
    }

    private func take(blob bytes: ArraySlice<UInt8>, of wanted: WantedBlob, on id: SessionID) throws {
        switch try bytes.withUnsafeBytes({ try store.put(blob: $0, for: wanted, from: sessions[id]?.peer) }) {
        case .stored:
            counters.blobsTaken += 1
            counters.blobBytesTaken += UInt64(bytes.count)
            wants.done(wanted.row)
        case .notWanted: wants.done(wanted.row)
        case .wrongHash:
            counters.badBlobs += 1
            actions.append(.note(.badBlob(peer: sessions[id]?.peer)))
            if sessions[id]?.isOverdue == false { wants.giveBack([wanted]) }
            drop(id, .badBlob)
        }
        needsLook = true
    }

    func take(part bytes: [UInt8], of total: UInt64, at offset: UInt64, _ blobClass: BlobClass, on id: SessionID) throws
    {
        let index = Int(blobClass.rawValue)
        guard let wanted = sessions[id]?.asked[index].first, let held = sessions[id]?.partial[index].count,
            total == UInt64(wanted.blob.sizeBytes), offset == UInt64(held), !bytes.isEmpty,
            held + bytes.count <= wanted.blob.sizeBytes,
            bytes.count >= Limits.blobPartBytes || held + bytes.count == wanted.blob.sizeBytes
        else {
            drop(id, .violation("a piece of a blob that does not fit"))
            return
        }
        sessions[id]?.partial[index].append(contentsOf: bytes)
        sessions[id]?.noteBlobBytes(bytes.count, now: now)
        guard let whole = sessions[id]?.partial[index], whole.count == wanted.blob.sizeBytes else { return }
        sessions[id]?.partial[index] = []
        guard let wanted = nextAsked(blobClass, on: id) else { return }
        try take(blob: whole[...], of: wanted, on: id)
    }

    func blobMissing(_ blobClass: BlobClass, on id: SessionID) {
        guard let wanted = nextAsked(blobClass, on: id) else {
            drop(id, .violation("an answer without a question"))
            return
        }
        sessions[id]?.lacking.insert(wanted.row)
        sessions[id]?.shownLackAt = now
        if sessions[id]?.isOverdue == false {
            if sessions.values.contains(where: { $0.mayBeAsked(for: wanted) }) {
                wants.giveBack([wanted])
            } else {
                wants.leaveOut(wanted, now: now)
            }
        }
        needsLook = true
    }

    private func nextAsked(_ blobClass: BlobClass, on id: SessionID) -> WantedBlob? {
        let index = Int(blobClass.rawValue)
        guard sessions[id]?.partial[index].isEmpty == true, let wanted = sessions[id]?.asked[index].popFirst() else {
            return nil
        }
        sessions[id]?.askedBytes -= wanted.blob.sizeBytes
        if sessions[id]?.askedBytes == 0 { sessions[id]?.window.rest() }
        let isAwaiting = sessions[id]?.asked.contains { !$0.isEmpty } == true
        if !isAwaiting {
            sessions[id]?.isOverdue = false
            sessions[id]?.blobsDue = nil
        }
        return wanted
    }

    /// Whether a peer has lately shown that it also lacks something that is missing here: it asks again every 30 s at
    /// the latest.
    package func isLacking(_ id: SessionID, now: MonotonicTime) -> Bool {
        guard store.wantedCount > 0, let shown = sessions[id]?.shownLackAt else { return false }
        return now - shown < Limits.shownLackBound
    }

    // MARK: Serving

    func serve(wants groups: [WantGroup], _ blobClass: BlobClass, on id: SessionID) {
        let index = Int(blobClass.rawValue)
        for group in groups {
            sessions[id]?.servedBlobs[index].append(
                contentsOf: group.blobs.map { PeerSession.ServedBlob(lane: group.lane, name: $0) })
        }
        guard sessions[id]?.servedBlobs[index].count ?? 0 <= Limits.servedWants else {
            drop(id, .violation("more blobs asked for than a node queues"))
            return
        }
    }

    /// Sends the next blob of a class. False if none is requested.
    func serveBlob(_ blobClass: BlobClass, on id: SessionID) throws -> Bool {
        let index = Int(blobClass.rawValue)
        guard let asked = sessions[id]?.servedBlobs[index].popFirst() else { return false }
        let priority: SendPriority = blobClass == .recent ? .recentBlobs : .backfill
        guard let blob = try store.blob(of: asked.lane, seq: asked.name.seq, hashPrefix: asked.name.hashPrefix) else {
            // If nothing is missing here, the peer requested a blob that has been superseded.
            if store.wantedCount > 0 { sessions[id]?.shownLackAt = now }
            try store.noteLack(of: asked.lane, seq: asked.name.seq, hashPrefix: asked.name.hashPrefix)
            send(.missing(blobClass), to: id, priority)
            return true
        }
        if blob.count <= Limits.payloadBytes {
            send(.blob(blobClass, blob[...]), to: id, priority)
            return true
        }
        var offset = 0
        while offset < blob.count {
            let end = min(offset + Limits.payloadBytes, blob.count)
            send(
                .blobPart(
                    blobClass, totalBytes: UInt64(blob.count), offset: UInt64(offset), Array(blob[offset..<end])),
                to: id, priority)
            offset = end
        }
        return true
    }
}

extension PeerSession {
    /// Whether the peer may have a blob. A peer that does not show the lane has none of it; but peeked and healed rows
    /// are above a head.
    func mayBeAsked(for wanted: WantedBlob) -> Bool {
        guard peer != nil, hasView, !isOverdue, let entry = view[wanted.record.lane] else { return false }
        guard max(entry.head, entry.target) >= wanted.record.seq else { return false }
        return lacking.count < Limits.lackedBlobs && !lacking.contains(wanted.row)
    }
}
