package import NodeCore
import SyncState

/// Missing messages: peers are asked for them by txid, and the segments that hold them precede all other blobs
/// (docs/PROTOCOL.md, §9.6).
extension ZoneSync {
    // MARK: Requesting

    /// Sends the due requests to all peers, after the turn's commit.
    func askFinds() throws {
        hasFindsDue = false
        guard let messages = zone.messages else { return }
        finds.add(messages.takeFreshlyMissed(), now: now)
        guard !finds.isEmpty else { return }
        let due = finds.takeDue(now: now) { messages.isMissed($0) }
        if let until = finds.asksUntil, until <= now { finds.stopAsking() }
        let peers = sessionIDs.filter { sessions[$0]?.peer != nil }
        if !due.isEmpty, !peers.isEmpty {
            for id in peers { send(.find(due), to: id) }
            finds.noteAsked(due, now: now)
        }
        for id in peers where sessions[id]?.hasBeenAsked == false {
            sessions[id]?.hasBeenAsked = true
            let waiting = finds.newest(now: now) { messages.isMissed($0) }
            for start in stride(from: 0, to: waiting.count, by: Limits.findsPerMessage) {
                let part = Array(waiting[start..<min(start + Limits.findsPerMessage, waiting.count)])
                send(.find(part), to: id)
                finds.noteAsked(part, now: now)
            }
        }
        try scanWanted()
    }

    /// Searches the blobs that are wanted anyway for the segments of stubs, a few at a time.
    private func scanWanted() throws {
        guard store.wantedCount > 0 else { return }
        let (isDue, below) = finds.nextScan(now: now)
        guard isDue else { return }
        let wanted = try store.wanted(limit: Limits.scannedWants, below: below)
        for want in wanted { try locate(want.record) }
        finds.scanned(to: wanted.count < Limits.scannedWants ? nil : wanted.last, now: now)
    }

    /// Moves the blob of a held record to the front if it may contain a stub's body. False if not.
    @discardableResult
    func locate(_ record: Record) throws -> Bool {
        guard !finds.isEmpty, record.kind == .segment, let missed = zone.messages?.missed(perhapsIn: record),
            !missed.isEmpty, let wanted = try store.wanted(record)
        else { return false }
        finds.located(missed)
        wants.raise(wanted)
        return true
    }

    /// Requests all waiting messages in the next turn; the user may repeat it at will.
    package func askAgain() { finds.askAgain(now: now) }

    /// Whether this node searches for a message, so that its beacons must show a digest of their own.
    ///
    /// - Parameter onlyAnew: whether peers may know more than when they were last asked for it.
    package func isAsking(now: MonotonicTime, onlyAnew: Bool = false) -> Bool {
        onlyAnew ? finds.isAskingAnew(now: now) : finds.isAsking(now: now)
    }

    /// The state of the search for a stub's body; nil if there is no such stub.
    package func search(for txid: TxID) -> StubSearch? {
        finds.entry(txid).map {
            StubSearch(askedAt: $0.askedAt, nextAt: finds.nextAsk(of: $0), isLocated: $0.isLocated)
        }
    }

    // MARK: Answering

    /// Messages in the queue are cut in this turn, so that a message sent a second ago can be found; those in segments
    /// are looked up piece by piece.
    func take(find txids: [TxID], on id: SessionID) throws {
        guard txids.count <= Limits.findsPerMessage else {
            drop(id, .violation("more messages asked for than a message may name"))
            return
        }
        try zone.messages?.cut(holding: txids, now: now)
        take(.holders(txids[...], withBlobs: txids.count <= Limits.findsWithBlobs), on: id)
    }

    /// Does a few look-ups, each of which may open a segment; the rest waits for the next step.
    func answer(holders txids: ArraySlice<TxID>, withBlobs: Bool, on id: SessionID) throws {
        var given: [[UInt8]] = []
        servedFinds += UInt64(min(txids.count, Limits.findsPerStep))
        for txid in txids.prefix(Limits.findsPerStep) {
            guard let record = try zone.messages?.record(holding: txid), !given.contains(record.encoded) else {
                continue
            }
            given.append(record.encoded)
            let blob = withBlobs ? try blob(of: record, upTo: Limits.payloadBytes) : nil
            send(.found(record: record.encoded, blob: blob ?? []), to: id)
        }
        let left = txids.dropFirst(Limits.findsPerStep)
        if !left.isEmpty { take(.holders(left, withBlobs: withBlobs), on: id) }
    }

    /// Takes a segment that the peer has, which contains messages missing here.
    func take(found row: [UInt8], _ blob: ArraySlice<UInt8>, on id: SessionID) throws {
        guard let record = try? Record(encoded: row) else {
            drop(id, .violation("an answer without a record"))
            return
        }
        guard try put(row, on: id, lane: nil) != .ended else { return }
        // It may overtake the peer's announcement of the record.
        var entry = sessions[id]?.view[record.lane] ?? .empty(record.lane)
        entry.target = max(entry.target, record.seq)
        sessions[id]?.view[record.lane] = entry
        needsLook = true
        try take(blob: blob, with: record, on: id)
    }
}

/// The state of the search for a stub's body.
package struct StubSearch: Sendable {
    /// When a peer was last asked; nil if none was since the start.
    package let askedAt: MonotonicTime?
    package let nextAt: MonotonicTime
    /// The record of a segment that should hold it is here, and its blob is being fetched.
    package let isLocated: Bool
}
