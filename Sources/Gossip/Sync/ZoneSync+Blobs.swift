import NodeCore
import SyncState

/// Blobs: asked for by the want list over all sessions, answered in the order of the questions.
extension ZoneSync {
    /// Asks every peer for as much as its window allows.
    func ask() throws {
        guard store.wantedCount > 0, !sessions.isEmpty else { return }
        try wants.refill(from: store, now: now)
        for id in sessionIDs {
            guard let session = sessions[id], session.peer != nil, session.hasView else { continue }
            // Half a window at a time, so that questions are few and long.
            guard session.askedBytes <= Limits.wantedBytesInFlight / 2 else { continue }
            let taken = wants.take(
                upTo: Limits.wantedBytesInFlight - session.askedBytes, most: Limits.wantsPerMessage
            ) { wanted in
                !session.lacking.contains(wanted.row) && Self.mayHold(session.view[wanted.record.lane], wanted)
            }
            ask(id, .recent, taken.urgent)
            ask(id, .backfill, taken.others)
        }
    }

    /// A peer that shows no such lane has no blob of it; peeked and healed rows stand above a head.
    private static func mayHold(_ entry: VectorEntry?, _ wanted: WantedBlob) -> Bool {
        guard let entry else { return false }
        return entry.retiredThrough != nil || max(entry.head, entry.target) >= wanted.record.seq
    }

    private func ask(_ id: SessionID, _ blobClass: BlobClass, _ wanted: [WantedBlob]) {
        guard !wanted.isEmpty else { return }
        // By lane, and descending in it: the differences of the seqs are small, and the newest still come first.
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
        sessions[id]?.asked[Int(blobClass.rawValue)].append(contentsOf: ordered)
        sessions[id]?.askedBytes += ordered.reduce(0) { $0 + $1.blob.sizeBytes }
        send(.want(blobClass, groups), to: id)
    }

    func take(blob bytes: [UInt8], _ blobClass: BlobClass, on id: SessionID) throws {
        guard let wanted = nextAsked(blobClass, on: id) else {
            drop(id, .violation("a blob that was not asked for"))
            return
        }
        switch try store.put(blob: bytes, for: wanted) {
        case .stored:
            counters.blobsTaken += 1
            counters.blobBytesTaken += UInt64(bytes.count)
            wants.done(wanted.row)
        case .notWanted: wants.done(wanted.row)
        case .wrongHash:
            counters.badBlobs += 1
            actions.append(.note(.badBlob(peer: sessions[id]?.peer)))
            wants.giveBack([wanted])
            drop(id, .badBlob)
        }
        needsLook = true
    }

    func take(part bytes: [UInt8], of total: UInt64, at offset: UInt64, _ blobClass: BlobClass, on id: SessionID) throws
    {
        let index = Int(blobClass.rawValue)
        guard let session = sessions[id], let wanted = session.asked[index].first,
            total == UInt64(wanted.blob.sizeBytes), offset == UInt64(session.partial[index].count),
            session.partial[index].count + bytes.count <= wanted.blob.sizeBytes, !bytes.isEmpty
        else {
            drop(id, .violation("a piece of a blob that does not fit"))
            return
        }
        sessions[id]?.partial[index].append(contentsOf: bytes)
        guard let whole = sessions[id]?.partial[index], whole.count == wanted.blob.sizeBytes else { return }
        sessions[id]?.partial[index] = []
        try take(blob: whole, blobClass, on: id)
    }

    func blobMissing(_ blobClass: BlobClass, on id: SessionID) {
        guard let wanted = nextAsked(blobClass, on: id) else {
            drop(id, .violation("an answer without a question"))
            return
        }
        sessions[id]?.lacking.insert(wanted.row)
        let others = sessions.values.contains { $0.peer != nil && !$0.lacking.contains(wanted.row) }
        if others { wants.giveBack([wanted]) } else { wants.rest(wanted, until: now + Limits.missingRetry) }
        needsLook = true
    }

    private func nextAsked(_ blobClass: BlobClass, on id: SessionID) -> WantedBlob? {
        let index = Int(blobClass.rawValue)
        guard let wanted = sessions[id]?.asked[index].popFirst() else { return nil }
        sessions[id]?.askedBytes -= wanted.blob.sizeBytes
        return wanted
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

    /// The next blob of a class. False where none is asked for.
    func serveBlob(_ blobClass: BlobClass, on id: SessionID) throws -> Bool {
        let index = Int(blobClass.rawValue)
        guard let session = sessions[id], session.servedBlobOffset[index] < session.servedBlobs[index].count else {
            return false
        }
        let asked = session.servedBlobs[index][session.servedBlobOffset[index]]
        sessions[id]?.servedBlobOffset[index] += 1
        if session.servedBlobOffset[index] + 1 == session.servedBlobs[index].count {
            sessions[id]?.servedBlobs[index] = []
            sessions[id]?.servedBlobOffset[index] = 0
        }
        let priority: SendPriority = blobClass == .recent ? .recentBlobs : .backfill
        guard let blob = try store.blob(of: asked.lane, seq: asked.name.seq, hashPrefix: asked.name.hashPrefix) else {
            send(.missing(blobClass), to: id, priority)
            return true
        }
        if blob.count <= Limits.payloadBytes {
            send(.blob(blobClass, blob), to: id, priority)
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
